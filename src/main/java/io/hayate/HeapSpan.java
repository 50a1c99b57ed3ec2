// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.HeapBlock;
import io.hayate.internal.job.Memory;
import io.hayate.internal.job.Windows;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * Memory of this rank's part of the symmetric heap, allocated by {@link Hayate#allocate(long)}.
 * Messages between two such spans of one node need no intermediate copy.
 *
 * <p>Buffers created from it use native byte order. They stay readable and writable as long as the
 * program holds them, even after {@link #close()} or the end of the job. After close, however, the
 * heap may have allocated the same memory again.
 *
 * <p>Any thread may use it. Plain reads and writes are not ordered between threads; see
 * {@link Fmpl} for what a receive makes visible.
 */
public final class HeapSpan extends Span implements AutoCloseable {
    final HeapBlock block;
    // Lets an access to an element read no other object; null after close.
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
     * Returns the whole memory as a buffer.
     *
     * @return a new direct buffer with position 0, in native order
     * @throws ArgumentException if the memory is larger than a buffer can be, 2 GiB - 1 bytes; use
     *     {@link #buffer(long, int)}
     * @throws ClosedException after close
     */
    public ByteBuffer buffer() {
        return buffer(0, Windows.whole(bytes()));
    }

    /**
     * Returns part of the memory as a buffer.
     *
     * @param offset bytes from the beginning
     * @param bytes length
     * @return a new direct buffer with position 0, in native order
     * @throws ArgumentException if the range is not inside the span
     * @throws ClosedException after close
     */
    public ByteBuffer buffer(long offset, int bytes) {
        memory.at(offset, bytes);
        return block.buffer(offset, bytes);
    }

    /**
     * Returns the whole memory as doubles; see {@link #buffer()}.
     *
     * @return a new view
     */
    public DoubleBuffer doubles() {
        return buffer().asDoubleBuffer();
    }

    /**
     * Returns the whole memory as floats; see {@link #buffer()}.
     *
     * @return a new view
     */
    public FloatBuffer floats() {
        return buffer().asFloatBuffer();
    }

    /**
     * Returns the whole memory as ints; see {@link #buffer()}.
     *
     * @return a new view
     */
    public IntBuffer ints() {
        return buffer().asIntBuffer();
    }

    /**
     * Returns the whole memory as longs; see {@link #buffer()}.
     *
     * @return a new view
     */
    public LongBuffer longs() {
        return buffer().asLongBuffer();
    }

    /**
     * Reads an element.
     *
     * @param offset bytes from the beginning, aligned or not
     * @return the element
     * @throws ArgumentException if the element is not inside the span
     * @throws ClosedException after close
     */
    public byte getByte(long offset) {
        return window(offset, Byte.BYTES).get(Windows.index(offset));
    }

    /**
     * Writes an element.
     *
     * @param offset bytes from the beginning
     * @param value the element
     * @throws ArgumentException if the element is not inside the span
     * @throws ClosedException after close
     */
    public void putByte(long offset, byte value) {
        window(offset, Byte.BYTES).put(Windows.index(offset), value);
    }

    /**
     * Reads an element.
     *
     * @param offset bytes from the beginning, aligned or not
     * @return the element
     * @throws ArgumentException if the element is not inside the span
     * @throws ClosedException after close
     */
    public int getInt(long offset) {
        return window(offset, Integer.BYTES).getInt(Windows.index(offset));
    }

    /**
     * Writes an element.
     *
     * @param offset bytes from the beginning, aligned or not
     * @param value the element
     * @throws ArgumentException if the element is not inside the span
     * @throws ClosedException after close
     */
    public void putInt(long offset, int value) {
        window(offset, Integer.BYTES).putInt(Windows.index(offset), value);
    }

    /**
     * Reads an element.
     *
     * @param offset bytes from the beginning, aligned or not
     * @return the element
     * @throws ArgumentException if the element is not inside the span
     * @throws ClosedException after close
     */
    public long getLong(long offset) {
        return window(offset, Long.BYTES).getLong(Windows.index(offset));
    }

    /**
     * Writes an element.
     *
     * @param offset bytes from the beginning, aligned or not
     * @param value the element
     * @throws ArgumentException if the element is not inside the span
     * @throws ClosedException after close
     */
    public void putLong(long offset, long value) {
        window(offset, Long.BYTES).putLong(Windows.index(offset), value);
    }

    /**
     * Reads an element.
     *
     * @param offset bytes from the beginning, aligned or not
     * @return the element
     * @throws ArgumentException if the element is not inside the span
     * @throws ClosedException after close
     */
    public float getFloat(long offset) {
        return window(offset, Float.BYTES).getFloat(Windows.index(offset));
    }

    /**
     * Writes an element.
     *
     * @param offset bytes from the beginning, aligned or not
     * @param value the element
     * @throws ArgumentException if the element is not inside the span
     * @throws ClosedException after close
     */
    public void putFloat(long offset, float value) {
        window(offset, Float.BYTES).putFloat(Windows.index(offset), value);
    }

    /**
     * Reads an element.
     *
     * @param offset bytes from the beginning, aligned or not
     * @return the element
     * @throws ArgumentException if the element is not inside the span
     * @throws ClosedException after close
     */
    public double getDouble(long offset) {
        return window(offset, Double.BYTES).getDouble(Windows.index(offset));
    }

    /**
     * Writes an element.
     *
     * @param offset bytes from the beginning, aligned or not
     * @param value the element
     * @throws ArgumentException if the element is not inside the span
     * @throws ClosedException after close
     */
    public void putDouble(long offset, double value) {
        window(offset, Double.BYTES).putDouble(Windows.index(offset), value);
    }

    /**
     * Returns the memory to the heap; idempotent. The call may miss an operation that another
     * thread starts at the same moment; this operation then uses the memory, which stays mapped.
     *
     * @throws BusyException if the memory is used by an operation (including one that
     *     {@link Ompl#putStart} has started with a rank on another node), by a
     *     {@link PersistentOperation} that is not closed, or by an {@link Fmpl} as an area or as
     *     its send buffer
     */
    @Override
    public void close() {
        block.close();
        windows = null;
    }
}
