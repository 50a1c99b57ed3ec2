// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.function.IntFunction;

/**
 * New direct buffers in native byte order, and slices of buffers and arrays. A slice begins at an
 * index, counted from index 0 of the buffer, and ends at its limit.
 */
final class Buffers {
    /** Where direct memory comes from; takes bytes, at least 0. Set before buffers are created. */
    static IntFunction<ByteBuffer> allocator = ByteBuffer::allocateDirect;

    private Buffers() {
    }

    static ByteBuffer newByteBuffer(int capacity) {
        return allocate(capacity, Kind.BYTE);
    }

    static CharBuffer newCharBuffer(int capacity) {
        return allocate(capacity, Kind.CHAR).asCharBuffer();
    }

    static ShortBuffer newShortBuffer(int capacity) {
        return allocate(capacity, Kind.SHORT).asShortBuffer();
    }

    static IntBuffer newIntBuffer(int capacity) {
        return allocate(capacity, Kind.INT).asIntBuffer();
    }

    static LongBuffer newLongBuffer(int capacity) {
        return allocate(capacity, Kind.LONG).asLongBuffer();
    }

    static FloatBuffer newFloatBuffer(int capacity) {
        return allocate(capacity, Kind.FLOAT).asFloatBuffer();
    }

    static DoubleBuffer newDoubleBuffer(int capacity) {
        return allocate(capacity, Kind.DOUBLE).asDoubleBuffer();
    }

    private static ByteBuffer allocate(int capacity, Kind kind) {
        int most = Integer.MAX_VALUE / kind.bytes;
        if (capacity < 0 || capacity > most) {
            throw new MPIException(ErrorClass.ARG, "the capacity of a buffer of "
                    + kind + " elements is " + capacity + ": expected 0 to " + most);
        }
        return allocator.apply(capacity * kind.bytes).order(ByteOrder.nativeOrder());
    }

    static ByteBuffer slice(ByteBuffer buf, int offset) {
        return at(buf, offset).slice().order(buf.order());
    }

    static CharBuffer slice(CharBuffer buf, int offset) {
        return at(buf, offset).slice();
    }

    static ShortBuffer slice(ShortBuffer buf, int offset) {
        return at(buf, offset).slice();
    }

    static IntBuffer slice(IntBuffer buf, int offset) {
        return at(buf, offset).slice();
    }

    static LongBuffer slice(LongBuffer buf, int offset) {
        return at(buf, offset).slice();
    }

    static FloatBuffer slice(FloatBuffer buf, int offset) {
        return at(buf, offset).slice();
    }

    static DoubleBuffer slice(DoubleBuffer buf, int offset) {
        return at(buf, offset).slice();
    }

    static ByteBuffer slice(byte[] buf, int offset) {
        return at(ByteBuffer.wrap(present(buf)), offset).slice().order(ByteOrder.nativeOrder());
    }

    static CharBuffer slice(char[] buf, int offset) {
        return slice(CharBuffer.wrap(present(buf)), offset);
    }

    static ShortBuffer slice(short[] buf, int offset) {
        return slice(ShortBuffer.wrap(present(buf)), offset);
    }

    static IntBuffer slice(int[] buf, int offset) {
        return slice(IntBuffer.wrap(present(buf)), offset);
    }

    static LongBuffer slice(long[] buf, int offset) {
        return slice(LongBuffer.wrap(present(buf)), offset);
    }

    static FloatBuffer slice(float[] buf, int offset) {
        return slice(FloatBuffer.wrap(present(buf)), offset);
    }

    static DoubleBuffer slice(double[] buf, int offset) {
        return slice(DoubleBuffer.wrap(present(buf)), offset);
    }

    private static <T> T present(T memory) {
        if (memory == null) {
            throw new MPIException(ErrorClass.BUFFER,
                    "the buffer is null: expected an array or a buffer of java.nio");
        }
        return memory;
    }

    /** Returns the same buffer with its position at an index; the argument keeps its own. */
    @SuppressWarnings("unchecked") // a duplicate is of the same type
    private static <T extends Buffer> T at(T buf, int offset) {
        if (offset < 0 || offset > present(buf).limit()) {
            throw new MPIException(ErrorClass.ARG, "the offset of a slice is " + offset
                    + ": expected 0 to " + buf.limit() + ", the limit of the buffer");
        }
        return (T) buf.duplicate().position(offset);
    }
}
