// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Span;
import io.hayate.internal.bindings.MemoryBinding;
import io.hayate.internal.bindings.TaggedBinding;
import io.hayate.internal.job.Memory;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * The data of one message where native code reads or writes them: the program's own memory if they
 * are one block there, otherwise a packed copy. Objects are always a copy; a receive of objects has
 * none, because their length is not known before.
 */
final class Payload {
    /** An array or a direct buffer. */
    final Object memory;
    /** As {@link TaggedBinding} expects it. */
    final long start;
    /** The bytes of the message, or of the room for it. */
    final long bytes;
    /** The packed copy of a receive, and where its data are to go; null: nothing is to be done. */
    private final ByteBuffer packed;
    private final Object target;
    private final long offset;
    private final int count;
    private final Datatype type;

    private Payload(Object memory, long start, long bytes, ByteBuffer packed, Object target,
            long offset, int count, Datatype type) {
        this.memory = memory;
        this.start = start;
        this.bytes = bytes;
        this.packed = packed;
        this.target = target;
        this.offset = offset;
        this.count = count;
        this.type = type;
    }

    /** Returns the bytes from the beginning of an array to an element, the unit of mpiJava. */
    static long offset(Object buf, int elements) {
        Kind kind = buf == null ? null : Kind.of(buf);
        return kind == null ? elements : (long) elements * kind.bytes;
    }

    /** The data of a send. byteOffset: places, for objects. */
    static Payload ofSend(Object buf, long byteOffset, int count, Datatype type) {
        Layout.check(buf, byteOffset, count, type);
        if (type.kind.element == Kind.OBJECT) {
            byte[] stream = Objects.serialize(buf == null ? new Object[0] : buf, byteOffset, count,
                    type);
            return new Payload(stream, startOf(stream), stream.length, null, null, 0, 0, null);
        }
        long bytes = Layout.bytesNeeded(count, type);
        Payload plain = plain(buf, byteOffset, bytes, type);
        return plain != null ? plain : packed(buf, byteOffset, count, type);
    }

    /** The same in memory of its own, which the program does not change. */
    static Payload ofCopy(Object buf, long byteOffset, int count, Datatype type) {
        Layout.check(buf, byteOffset, count, type);
        if (type.kind.element == Kind.OBJECT) {
            return ofSend(buf, byteOffset, count, type);
        }
        return packed(buf, byteOffset, count, type);
    }

    private static Payload packed(Object buf, long byteOffset, int count, Datatype type) {
        long bytes = Layout.bytesNeeded(count, type);
        ByteBuffer copy = temporary(bytes);
        Packing.pack(buf, byteOffset, count, type, copy);
        return new Payload(copy, TaggedBinding.DIRECT, bytes, null, null, 0, 0, null);
    }

    /** Room for a message. */
    static Payload ofReceive(Object buf, long byteOffset, int count, Datatype type) {
        Layout.checkReceive(buf, byteOffset, count, type);
        long bytes = Layout.bytesNeeded(count, type);
        if (type.kind.element == Kind.OBJECT) {
            return new Payload(null, 0, 0, null, buf, byteOffset, count, type);
        }
        Payload plain = plain(buf, byteOffset, bytes, type);
        if (plain != null) {
            return plain;
        }
        ByteBuffer room = temporary(bytes);
        return new Payload(room, TaggedBinding.DIRECT, bytes, room, buf, byteOffset, count, type);
    }

    /** Memory of its own, a direct ByteBuffer. */
    static Payload ofRoom(long bytes) {
        return new Payload(temporary(bytes), TaggedBinding.DIRECT, bytes, null, null, 0, 0, null);
    }

    /** Says whether the message is a stream of objects, of any length, to be given to objects(). */
    boolean isObjects() {
        return type != null && packed == null;
    }

    /** Stores what has arrived in the program's memory. */
    void arrived(long received) {
        if (packed != null) {
            Layout.requireMemory(target);
            packed.position(0).limit((int) Math.min(received, bytes));
            Packing.unpack(packed, target, offset, count, type);
        }
    }

    /** Stores the objects of a message; returns their number. */
    int objects(byte[] stream) {
        return Objects.deserialize(ByteBuffer.wrap(stream), target, offset, count, type);
    }

    private static ByteBuffer temporary(long bytes) {
        if (bytes > Integer.MAX_VALUE - 8) {
            throw new MPIException(ErrorClass.COUNT, "the message has " + bytes + " bytes that are"
                    + " not one block: expected less than 2 GiB; send several ones");
        }
        return ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.nativeOrder());
    }

    /** Returns the memory itself; null: the data are not one block, or not accessible. */
    private static Payload plain(Object buf, long byteOffset, long bytes, Datatype type) {
        if (bytes == 0) {
            return new Payload(EMPTY, TaggedBinding.DIRECT, 0, null, null, 0, 0, null);
        }
        if (!type.plain || byteOffset < 0 || !isOfKind(buf, type)) {
            return null;
        }
        if (!(buf instanceof Buffer buffer)) {
            return new Payload(buf, startOf(buf) + byteOffset, bytes, null, null, 0, 0, null);
        }
        if (buffer.isDirect()) {
            return new Payload(buf, TaggedBinding.DIRECT + byteOffset, bytes, null, null, 0, 0,
                    null);
        }
        if (!buffer.hasArray()) {
            return null;
        }
        Object array = buffer.array();
        long before = (long) buffer.arrayOffset() * Kind.of(buf).bytes;
        return new Payload(array, startOf(array) + before + byteOffset, bytes, null, null, 0, 0,
                null);
    }

    /** Returns false for an array of another kind, whose bytes are copied. */
    private static boolean isOfKind(Object buf, Datatype type) {
        return buf instanceof ByteBuffer || buf instanceof Buffer buffer && buffer.isDirect()
                || Kind.of(buf).holds(type);
    }

    /** Returns whether what is received has to be copied to the program's memory. */
    boolean isCopy() {
        return packed != null;
    }

    /** Returns the memory for collectives; it must stay reachable meanwhile. */
    Span span() {
        if (memory instanceof ByteBuffer buffer) {
            int from = (int) (start - TaggedBinding.DIRECT);
            return Span.of(buffer.duplicate().limit(from + (int) bytes).position(from));
        }
        if (memory instanceof Buffer buffer) {
            return whole(buffer).slice(start - TaggedBinding.DIRECT, bytes);
        }
        long from = start & (1L << MemoryBinding.ELEMENTS_SHIFT) - 1;
        return ofArray(memory).slice(from, bytes);
    }

    private static Span whole(Buffer buffer) {
        return Packing.orderOf(buffer) == ByteOrder.nativeOrder()
                ? Span.of(buffer.duplicate().clear())
                : Span.of(MemoryBinding.buffer(MemoryBinding.address(buffer), direct(buffer)));
    }

    private static Span ofArray(Object array) {
        return array instanceof double[] a ? Span.of(a)
                : array instanceof int[] b ? Span.of(b)
                : array instanceof byte[] c ? Span.of(c)
                : array instanceof long[] d ? Span.of(d)
                : array instanceof float[] e ? Span.of(e)
                : array instanceof char[] f ? Span.of(f)
                : array instanceof short[] g ? Span.of(g)
                : Span.of((boolean[]) array);
    }

    private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(8);

    /** Where an array begins: the type of its elements, as native code expects it. */
    static long startOf(Object array) {
        long elements = array instanceof double[] ? MemoryBinding.DOUBLES
                : array instanceof int[] ? MemoryBinding.INTS
                : array instanceof byte[] ? MemoryBinding.BYTES
                : array instanceof long[] ? MemoryBinding.LONGS
                : array instanceof float[] ? MemoryBinding.FLOATS
                : array instanceof char[] ? MemoryBinding.CHARS
                : array instanceof short[] ? MemoryBinding.SHORTS
                : MemoryBinding.BOOLEANS;
        return elements << MemoryBinding.ELEMENTS_SHIFT;
    }

    /** Returns how many bytes a direct buffer has; -1: it is something else, or has no memory. */
    static long direct(Object buf) {
        if (!(buf instanceof Buffer buffer) || !buffer.isDirect() || !Memory.isAlive(buffer)) {
            return -1;
        }
        long capacity = buffer.capacity();
        return buf instanceof ByteBuffer ? capacity
                : buf instanceof DoubleBuffer || buf instanceof LongBuffer ? capacity << 3
                : buf instanceof IntBuffer || buf instanceof FloatBuffer ? capacity << 2
                : buf instanceof CharBuffer || buf instanceof ShortBuffer ? capacity << 1 : -1;
    }

    /** Returns how many bytes an array of the datatype's elements has; -1: it is something else. */
    static long array(Object buf, Datatype type) {
        return switch (type.kind.element) {
            case DOUBLE -> buf instanceof double[] array ? (long) array.length << 3 : -1;
            case INT -> buf instanceof int[] array ? (long) array.length << 2 : -1;
            case BYTE, PACKED -> buf instanceof byte[] array ? array.length : -1;
            case LONG -> buf instanceof long[] array ? (long) array.length << 3 : -1;
            case FLOAT -> buf instanceof float[] array ? (long) array.length << 2 : -1;
            case CHAR -> buf instanceof char[] array ? (long) array.length << 1 : -1;
            case SHORT -> buf instanceof short[] array ? (long) array.length << 1 : -1;
            case BOOLEAN -> buf instanceof boolean[] array ? array.length : -1;
            default -> -1;
        };
    }
}
