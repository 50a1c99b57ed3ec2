// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.internal.job.Memory;
import java.lang.reflect.Array;
import java.nio.Buffer;

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
            requireMemory(buf);
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

    /** Refuses a buffer over a memory segment whose memory cannot be accessed. */
    static void requireMemory(Object buf) {
        if (buf instanceof Buffer buffer && buffer.isDirect() && !Memory.isAlive(buffer)) {
            throw new MPIException(ErrorClass.BUFFER, "the memory of the buffer is that of an arena"
                    + " which is closed, or belongs to another thread: expected an open arena, and"
                    + " a shared one if threads share its buffers");
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
        if (kind != Kind.OBJECT && type.kind.element == Kind.OBJECT) {
            throw new MPIException(ErrorClass.TYPE, "the buffer is a " + nameOf(buf)
                    + ", and the datatype " + type + " is for an array of objects");
        }
    }

    private static MPIException notObjects(Object buf, Datatype type) {
        return new MPIException(ErrorClass.BUFFER, buf.getClass().getComponentType().isArray()
                ? "the buffer is an array of arrays (" + nameOf(buf) + "), whose rows are not in"
                    + " one piece of memory: send row by row, or copy it to one array"
                : "the buffer is a " + nameOf(buf) + ", and the datatype " + type + " is for"
                    + " primitive types: use MPI.OBJECT for objects");
    }

    private static String nameOf(Object buf) {
        return buf instanceof Buffer ? Kind.of(buf) + " buffer" : buf.getClass().getSimpleName();
    }

    /**
     * Returns whether data can be copied by whole elements of the buffer, whose bytes have to be
     * copied otherwise.
     */
    static boolean isOfElements(Object buf, long byteOffset, int count, Datatype type,
            long bytes) {
        long places = type.map.granularity(count) | byteOffset | bytes;
        return (places & Kind.of(buf).bytes - 1) == 0;
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

    static boolean fits(TypeMap map, long byteOffset, int count, long capacity) {
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
