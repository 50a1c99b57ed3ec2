// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * Whether a buffer can hold the elements of a message. Offsets are bytes, for arrays of objects
 * places, from index 0 of an array or buffer: positions and limits of buffers do not matter.
 */
final class Layout {
    private Layout() {
    }

    /** Returns the bytes of a message. */
    static long bytesNeeded(int count, Datatype type) {
        return count * type.bytes;
    }

    /** Checks a buffer from which a message is sent. */
    static void check(Object buf, long byteOffset, int count, Datatype type) {
        Datatype.usable(type);
        if (count < 0) {
            throw new MPIException(ErrorClass.COUNT,
                    "the number of elements is " + count + ": expected 0 or more");
        }
        if (count > 0 && type.bytes > 0) {
            checkKind(buf, type);
            if (!type.plain) {
                checkGranularity(buf, byteOffset, count, type);
            }
            checkRange(buf, byteOffset, count, type);
        }
    }

    /** Checks a buffer into which a message is received. */
    static void checkReceive(Object buf, long byteOffset, int count, Datatype type) {
        check(buf, byteOffset, count, type);
        if (buf instanceof Buffer buffer && buffer.isReadOnly() && count > 0) {
            throw new MPIException(ErrorClass.BUFFER,
                    "the receive buffer is read-only: expected one that can be written");
        }
    }

    private static void checkKind(Object buf, Datatype type) {
        if (buf == null) {
            throw new MPIException(ErrorClass.BUFFER, "the buffer is null: expected an array or a"
                    + " buffer of java.nio");
        }
        Kind kind = Kind.of(buf);
        if (kind == null) {
            throw new MPIException(ErrorClass.BUFFER, "the buffer is a " + nameOf(buf)
                    + ": expected an array or a buffer of java.nio");
        }
        if (kind == Kind.OBJECT && type.kind.element != Kind.OBJECT) {
            throw notObjects(buf, type);
        }
        boolean memory = buf instanceof ByteBuffer || buf instanceof Buffer b && b.isDirect();
        if (!kind.holds(type) && (!memory || type.kind.element == Kind.OBJECT)) {
            throw new MPIException(ErrorClass.TYPE, "the buffer is a " + nameOf(buf)
                    + ", and the datatype " + type + " is for " + expected(type));
        }
    }

    private static MPIException notObjects(Object buf, Datatype type) {
        return new MPIException(ErrorClass.BUFFER, buf.getClass().getComponentType().isArray()
                ? "the buffer is an array of arrays (" + nameOf(buf) + "), whose rows are not in"
                    + " one piece of memory: send row by row, or copy it to one array"
                : "the buffer is a " + nameOf(buf) + ", and the datatype " + type + " is for "
                    + expected(type) + ": use MPI.OBJECT for objects");
    }

    private static String expected(Datatype type) {
        String element = type.kind.element.name().toLowerCase(Locale.ROOT);
        return type.kind.element == Kind.OBJECT ? "an array of objects"
                : "arrays of " + element + " and direct buffers";
    }

    private static String nameOf(Object buf) {
        return buf instanceof Buffer ? Kind.of(buf) + " buffer of the heap"
                : buf.getClass().getSimpleName();
    }

    /** Checks that data can be copied by whole elements of the buffer. */
    static void checkGranularity(Object buf, long byteOffset, int count, Datatype type) {
        int element = Kind.of(buf).bytes;
        long places = type.map.granularity(count) | byteOffset;
        if ((places & element - 1) != 0) {
            throw new MPIException(ErrorClass.TYPE, "places or lengths of the datatype " + type
                    + " are no multiples of the " + element + " bytes of an element of the buffer:"
                    + " use a ByteBuffer");
        }
    }

    private static void checkRange(Object buf, long byteOffset, int count, Datatype type) {
        TypeMap map = type.map;
        long capacity = capacity(buf);
        if (!fits(map, byteOffset, count, capacity)) {
            String unit = type.kind.element == Kind.OBJECT ? " objects" : " bytes";
            throw new MPIException(ErrorClass.BUFFER, count + " elements of the datatype " + type
                    + " at " + byteOffset + unit + " do not fit the buffer of " + capacity + unit
                    + ": one is at " + map.trueLb + " to " + map.trueUb + ", the next one "
                    + map.extent() + " later; use a longer buffer, or fewer elements");
        }
    }

    private static boolean fits(TypeMap map, long byteOffset, int count, long capacity) {
        try {
            long last = Math.multiplyExact(count - 1, map.extent());
            long first = Math.addExact(byteOffset, map.trueLb) + Math.min(0, last);
            long end = Math.addExact(byteOffset, Math.addExact(map.trueUb, Math.max(0, last)));
            return first >= 0 && end <= capacity;
        } catch (ArithmeticException e) {
            return false;
        }
    }

    /** Returns the length of an array or buffer in bytes, for an array of objects in places. */
    static long capacity(Object buf) {
        long length = buf instanceof Buffer buffer ? buffer.capacity() : Array.getLength(buf);
        return length * Kind.of(buf).bytes;
    }
}
