// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * New buffers, and slices, of the class MPI. Buffers have native byte order, contain zeros, and are
 * in memory that all processes of a node reach, as long as there is some, so that messages are
 * copied once; it is used again when no part of a buffer can be reached. A slice begins at an
 * element, and ends at the limit of the buffer.
 */
class MpiBuffers extends MpiJavaFields {
    MpiBuffers() {
    }

    /**
     * Creates a direct buffer.
     *
     * @param capacity the number of elements
     * @return the buffer
     */
    public static ByteBuffer newByteBuffer(int capacity) {
        return Buffers.newByteBuffer(capacity);
    }

    /**
     * Creates a direct buffer.
     *
     * @param capacity the number of elements
     * @return the buffer
     */
    public static CharBuffer newCharBuffer(int capacity) {
        return Buffers.newCharBuffer(capacity);
    }

    /**
     * Creates a direct buffer.
     *
     * @param capacity the number of elements
     * @return the buffer
     */
    public static ShortBuffer newShortBuffer(int capacity) {
        return Buffers.newShortBuffer(capacity);
    }

    /**
     * Creates a direct buffer.
     *
     * @param capacity the number of elements
     * @return the buffer
     */
    public static IntBuffer newIntBuffer(int capacity) {
        return Buffers.newIntBuffer(capacity);
    }

    /**
     * Creates a direct buffer.
     *
     * @param capacity the number of elements
     * @return the buffer
     */
    public static LongBuffer newLongBuffer(int capacity) {
        return Buffers.newLongBuffer(capacity);
    }

    /**
     * Creates a direct buffer.
     *
     * @param capacity the number of elements
     * @return the buffer
     */
    public static FloatBuffer newFloatBuffer(int capacity) {
        return Buffers.newFloatBuffer(capacity);
    }

    /**
     * Creates a direct buffer.
     *
     * @param capacity the number of elements
     * @return the buffer
     */
    public static DoubleBuffer newDoubleBuffer(int capacity) {
        return Buffers.newDoubleBuffer(capacity);
    }

    /**
     * Returns a buffer that begins elsewhere in the same memory.
     *
     * @param buf the memory
     * @param offset the element with which it begins
     * @return the buffer
     */
    public static ByteBuffer slice(ByteBuffer buf, int offset) {
        return Buffers.slice(buf, offset);
    }

    /**
     * Returns a buffer that begins elsewhere in the same memory.
     *
     * @param buf the memory
     * @param offset the element with which it begins
     * @return the buffer
     */
    public static ByteBuffer slice(byte[] buf, int offset) {
        return Buffers.slice(buf, offset);
    }

    /**
     * Returns a buffer that begins elsewhere in the same memory.
     *
     * @param buf the memory
     * @param offset the element with which it begins
     * @return the buffer
     */
    public static CharBuffer slice(CharBuffer buf, int offset) {
        return Buffers.slice(buf, offset);
    }

    /**
     * Returns a buffer that begins elsewhere in the same memory.
     *
     * @param buf the memory
     * @param offset the element with which it begins
     * @return the buffer
     */
    public static CharBuffer slice(char[] buf, int offset) {
        return Buffers.slice(buf, offset);
    }

    /**
     * Returns a buffer that begins elsewhere in the same memory.
     *
     * @param buf the memory
     * @param offset the element with which it begins
     * @return the buffer
     */
    public static ShortBuffer slice(ShortBuffer buf, int offset) {
        return Buffers.slice(buf, offset);
    }

    /**
     * Returns a buffer that begins elsewhere in the same memory.
     *
     * @param buf the memory
     * @param offset the element with which it begins
     * @return the buffer
     */
    public static ShortBuffer slice(short[] buf, int offset) {
        return Buffers.slice(buf, offset);
    }

    /**
     * Returns a buffer that begins elsewhere in the same memory.
     *
     * @param buf the memory
     * @param offset the element with which it begins
     * @return the buffer
     */
    public static IntBuffer slice(IntBuffer buf, int offset) {
        return Buffers.slice(buf, offset);
    }

    /**
     * Returns a buffer that begins elsewhere in the same memory.
     *
     * @param buf the memory
     * @param offset the element with which it begins
     * @return the buffer
     */
    public static IntBuffer slice(int[] buf, int offset) {
        return Buffers.slice(buf, offset);
    }

    /**
     * Returns a buffer that begins elsewhere in the same memory.
     *
     * @param buf the memory
     * @param offset the element with which it begins
     * @return the buffer
     */
    public static LongBuffer slice(LongBuffer buf, int offset) {
        return Buffers.slice(buf, offset);
    }

    /**
     * Returns a buffer that begins elsewhere in the same memory.
     *
     * @param buf the memory
     * @param offset the element with which it begins
     * @return the buffer
     */
    public static LongBuffer slice(long[] buf, int offset) {
        return Buffers.slice(buf, offset);
    }

    /**
     * Returns a buffer that begins elsewhere in the same memory.
     *
     * @param buf the memory
     * @param offset the element with which it begins
     * @return the buffer
     */
    public static FloatBuffer slice(FloatBuffer buf, int offset) {
        return Buffers.slice(buf, offset);
    }

    /**
     * Returns a buffer that begins elsewhere in the same memory.
     *
     * @param buf the memory
     * @param offset the element with which it begins
     * @return the buffer
     */
    public static FloatBuffer slice(float[] buf, int offset) {
        return Buffers.slice(buf, offset);
    }

    /**
     * Returns a buffer that begins elsewhere in the same memory.
     *
     * @param buf the memory
     * @param offset the element with which it begins
     * @return the buffer
     */
    public static DoubleBuffer slice(DoubleBuffer buf, int offset) {
        return Buffers.slice(buf, offset);
    }

    /**
     * Returns a buffer that begins elsewhere in the same memory.
     *
     * @param buf the memory
     * @param offset the element with which it begins
     * @return the buffer
     */
    public static DoubleBuffer slice(double[] buf, int offset) {
        return Buffers.slice(buf, offset);
    }
}
