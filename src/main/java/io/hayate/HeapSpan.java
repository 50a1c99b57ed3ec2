// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.job.HeapBlock;
import io.hayate.internal.job.Memory;
import io.hayate.internal.job.Windows;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * Memory of this rank's part of the symmetric heap, from {@link Hayate#allocate(long)}. Messages
 * between two such spans of one node are not copied on the way.
 *
 * <p>Buffers made from it use native byte order. They stay readable and writable as long as the
 * program holds them, even after {@link #close()} or the end of the job; after close, however, the
 * heap may have given the same memory to somebody else.
 *
 * <p>Any thread may use it. Plain reads and writes are not ordered between threads; see
 * {@link Fmpl} for what a receive makes visible.
 */
public final class HeapSpan extends Span implements AutoCloseable {
    final HeapBlock block;
    // For access to elements, which is not to look into other objects: null when it is closed.
    private volatile ByteBuffer[] windows;
    private final long length;

    HeapSpan(HeapBlock block) {
        super(new Memory(block));
        this.block = block;
        windows = block.windows();
        length = memory.bytes;
    }

    private ByteBuffer window(long offset, int size) {
        ByteBuffer[] all = windows;
        Windows.requireWithin(offset, size, length, "span");
        if (all == null) {
            throw Errors.closed("the heap span");
        }
        return Windows.of(all, offset);
    }

    /**
     * The whole memory.
     *
     * @return a new direct buffer with position 0, in native order
     * @throws ArgumentException if it is larger than a buffer can be, 2 GiB - 1: see
     *     {@link #buffer(long, int)}
     * @throws ClosedException after close
     */
    public ByteBuffer buffer() {
        return buffer(0, Windows.whole(bytes()));
    }

    /**
     * A part of the memory.
     *
     * @param offset bytes from the beginning
     * @param bytes length
     * @return a new direct buffer with position 0, in native order
     * @throws ArgumentException if the range is not within the span
     * @throws ClosedException after close
     */
    public ByteBuffer buffer(long offset, int bytes) {
        memory.at(offset, bytes);
        return block.buffer(offset, bytes);
    }

    /**
     * The whole memory as doubles; see {@link #buffer()}.
     *
     * @return a new view
     */
    public DoubleBuffer doubles() {
        return buffer().asDoubleBuffer();
    }

    /**
     * The whole memory as floats; see {@link #buffer()}.
     *
     * @return a new view
     */
    public FloatBuffer floats() {
        return buffer().asFloatBuffer();
    }

    /**
     * The whole memory as ints; see {@link #buffer()}.
     *
     * @return a new view
     */
    public IntBuffer ints() {
        return buffer().asIntBuffer();
    }

    /**
     * The whole memory as longs; see {@link #buffer()}.
     *
     * @return a new view
     */
    public LongBuffer longs() {
        return buffer().asLongBuffer();
    }

    /**
     * Reads.
     *
     * @param offset bytes from the beginning, aligned or not
     * @return the element
     * @throws ArgumentException if it is not within the span
     * @throws ClosedException after close
     */
    public byte getByte(long offset) {
        return window(offset, Byte.BYTES).get(Windows.index(offset));
    }

    /**
     * Writes.
     *
     * @param offset bytes from the beginning
     * @param value the element
     * @throws ArgumentException if it is not within the span
     * @throws ClosedException after close
     */
    public void putByte(long offset, byte value) {
        window(offset, Byte.BYTES).put(Windows.index(offset), value);
    }

    /**
     * Reads.
     *
     * @param offset bytes from the beginning, aligned or not
     * @return the element
     * @throws ArgumentException if it is not within the span
     * @throws ClosedException after close
     */
    public int getInt(long offset) {
        return window(offset, Integer.BYTES).getInt(Windows.index(offset));
    }

    /**
     * Writes.
     *
     * @param offset bytes from the beginning, aligned or not
     * @param value the element
     * @throws ArgumentException if it is not within the span
     * @throws ClosedException after close
     */
    public void putInt(long offset, int value) {
        window(offset, Integer.BYTES).putInt(Windows.index(offset), value);
    }

    /**
     * Reads.
     *
     * @param offset bytes from the beginning, aligned or not
     * @return the element
     * @throws ArgumentException if it is not within the span
     * @throws ClosedException after close
     */
    public long getLong(long offset) {
        return window(offset, Long.BYTES).getLong(Windows.index(offset));
    }

    /**
     * Writes.
     *
     * @param offset bytes from the beginning, aligned or not
     * @param value the element
     * @throws ArgumentException if it is not within the span
     * @throws ClosedException after close
     */
    public void putLong(long offset, long value) {
        window(offset, Long.BYTES).putLong(Windows.index(offset), value);
    }

    /**
     * Reads.
     *
     * @param offset bytes from the beginning, aligned or not
     * @return the element
     * @throws ArgumentException if it is not within the span
     * @throws ClosedException after close
     */
    public float getFloat(long offset) {
        return window(offset, Float.BYTES).getFloat(Windows.index(offset));
    }

    /**
     * Writes.
     *
     * @param offset bytes from the beginning, aligned or not
     * @param value the element
     * @throws ArgumentException if it is not within the span
     * @throws ClosedException after close
     */
    public void putFloat(long offset, float value) {
        window(offset, Float.BYTES).putFloat(Windows.index(offset), value);
    }

    /**
     * Reads.
     *
     * @param offset bytes from the beginning, aligned or not
     * @return the element
     * @throws ArgumentException if it is not within the span
     * @throws ClosedException after close
     */
    public double getDouble(long offset) {
        return window(offset, Double.BYTES).getDouble(Windows.index(offset));
    }

    /**
     * Writes.
     *
     * @param offset bytes from the beginning, aligned or not
     * @param value the element
     * @throws ArgumentException if it is not within the span
     * @throws ClosedException after close
     */
    public void putDouble(long offset, double value) {
        window(offset, Double.BYTES).putDouble(Windows.index(offset), value);
    }

    /**
     * Gives the memory back to the heap. Idempotent. An operation that another thread begins at
     * this very moment may not be seen here: it works on the memory as before, which stays mapped.
     *
     * @throws BusyException if an operation (also one that {@link Ompl#putStart} has begun with a
     *     rank of another node), a {@link PersistentOperation} that is not closed, or an
     *     {@link Fmpl} as area or send buffer, uses it
     */
    @Override
    public void close() {
        block.close();
        windows = null;
    }
}
