// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.MemoryDoor;
import io.hayate.internal.NativeLoader;
import io.hayate.internal.job.Windows;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/**
 * A range of memory that Hayate can send from and receive into: of the symmetric heap
 * ({@link HeapSpan}, reached by every rank of the node without a copy), of a direct buffer, or of
 * an array.
 *
 * <p>A span is an immutable descriptor: make it once, outside of the loop. It keeps its memory
 * reachable, and any number of threads may use it. What two operations, or an operation and the
 * program, do to the same bytes at the same time is not defined, but harms nothing else.
 *
 * <p>Memory ordering: what a rank wrote into any memory before a send is visible to the receiver
 * when its receive is complete.
 */
public abstract sealed class Span permits HeapSpan, PlainSpan {
    /** The array, or null: native memory. */
    final Object array;
    /** Address, or bytes from the first element of the array. */
    final long start;
    final long bytes;
    /** The allocation that it is in; null outside of the heap. */
    final HeapSpan root;
    final boolean readOnly;
    /** Does the memory still exist? null: as long as this object. */
    private final BooleanSupplier alive;

    Span(Object array, long start, long bytes, HeapSpan root, boolean readOnly,
            BooleanSupplier alive) {
        this.array = array;
        this.start = start;
        this.bytes = bytes;
        this.root = this instanceof HeapSpan heap ? heap : root;
        this.readOnly = readOnly;
        this.alive = alive;
    }

    /**
     * The bytes of a buffer from its position to its limit as they are now. A direct buffer is best
     * (from {@link HeapSpan#buffer()}: no copy at all); of another one its array is taken.
     *
     * @param buffer a direct buffer, or one with an accessible array; a read-only direct buffer can
     *     be sent from only
     * @return its memory
     * @throws ArgumentException if it is null, or has neither address nor accessible array
     */
    public static Span of(ByteBuffer buffer) {
        Errors.required(buffer, "buffer");
        if (buffer.isDirect()) {
            return ofDirect(buffer.slice());
        }
        if (!buffer.hasArray()) {
            throw Errors.argument("a read-only buffer that is not direct: expected a direct buffer,"
                    + " or one with an accessible array");
        }
        int from = buffer.arrayOffset() + buffer.position();
        return new PlainSpan(buffer.array(), from, buffer.remaining(), null, false, null, null);
    }

    private static Span ofDirect(ByteBuffer memory) {
        NativeLoader.load();
        BooleanSupplier alive = Runtime.version().feature() < 22 ? null : () -> isAlive(memory);
        return new PlainSpan(null, MemoryDoor.address(memory), memory.remaining(), null,
                memory.isReadOnly(), alive, memory);
    }

    /** A buffer over a memory segment dies with its arena; reading it tells. */
    private static boolean isAlive(ByteBuffer memory) {
        try {
            if (memory.limit() > 0) {
                memory.get(0);
            }
            return true;
        } catch (RuntimeException closed) {
            return false;
        }
    }

    /**
     * A whole array.
     *
     * @param array the elements
     * @return their memory
     */
    public static Span of(byte[] array) {
        return of(array, 0, length(array == null ? -1 : array.length));
    }

    /**
     * Part of an array.
     *
     * @param array the elements
     * @param from the first
     * @param count how many
     * @return their memory
     * @throws ArgumentException if the array is null or the range is not within it
     */
    public static Span of(byte[] array, long from, long count) {
        return ofArray(array, array == null ? -1 : array.length, from, count, Byte.BYTES);
    }

    /**
     * A whole array.
     *
     * @param array the elements
     * @return their memory
     */
    public static Span of(int[] array) {
        return of(array, 0, length(array == null ? -1 : array.length));
    }

    /**
     * Part of an array.
     *
     * @param array the elements
     * @param from the first
     * @param count how many
     * @return their memory
     * @throws ArgumentException if the array is null or the range is not within it
     */
    public static Span of(int[] array, long from, long count) {
        return ofArray(array, array == null ? -1 : array.length, from, count, Integer.BYTES);
    }

    /**
     * A whole array.
     *
     * @param array the elements
     * @return their memory
     */
    public static Span of(long[] array) {
        return of(array, 0, length(array == null ? -1 : array.length));
    }

    /**
     * Part of an array.
     *
     * @param array the elements
     * @param from the first
     * @param count how many
     * @return their memory
     * @throws ArgumentException if the array is null or the range is not within it
     */
    public static Span of(long[] array, long from, long count) {
        return ofArray(array, array == null ? -1 : array.length, from, count, Long.BYTES);
    }

    /**
     * A whole array.
     *
     * @param array the elements
     * @return their memory
     */
    public static Span of(float[] array) {
        return of(array, 0, length(array == null ? -1 : array.length));
    }

    /**
     * Part of an array.
     *
     * @param array the elements
     * @param from the first
     * @param count how many
     * @return their memory
     * @throws ArgumentException if the array is null or the range is not within it
     */
    public static Span of(float[] array, long from, long count) {
        return ofArray(array, array == null ? -1 : array.length, from, count, Float.BYTES);
    }

    /**
     * A whole array.
     *
     * @param array the elements
     * @return their memory
     */
    public static Span of(double[] array) {
        return of(array, 0, length(array == null ? -1 : array.length));
    }

    /**
     * Part of an array.
     *
     * @param array the elements
     * @param from the first
     * @param count how many
     * @return their memory
     * @throws ArgumentException if the array is null or the range is not within it
     */
    public static Span of(double[] array, long from, long count) {
        return ofArray(array, array == null ? -1 : array.length, from, count, Double.BYTES);
    }

    private static long length(long length) {
        return Math.max(length, 0); // of null: ofArray() says so
    }

    private static Span ofArray(Object array, long length, long from, long count, int each) {
        Errors.required(array, "array");
        if ((from | count) < 0 || from > length - count) {
            throw Errors.argument(count + " elements from " + from + ": the array has " + length);
        }
        return new PlainSpan(array, from * each, count * each, null, false, null, null);
    }

    /**
     * Its length.
     *
     * @return bytes
     */
    public final long bytes() {
        return bytes;
    }

    /**
     * A part of it, over the same memory.
     *
     * @param offset bytes from its beginning
     * @param bytes length
     * @return the part; of the heap, it ends with the {@link HeapSpan} that it is in
     * @throws ArgumentException if the range is not within it
     * @throws ClosedException if the memory was given back
     */
    public final Span slice(long offset, long bytes) {
        return new PlainSpan(array, at(offset, bytes), bytes, root, readOnly, alive, this);
    }

    /** May the memory go away while this object is reachable, and not only that of the heap? */
    final boolean perishes() {
        return alive != null;
    }

    /** Start of a range that is within this span, of memory that exists. */
    final long at(long offset, long length) {
        Windows.requireWithin(offset, length, bytes, "span");
        if (root != null) {
            root.requireOpen();
        }
        if (alive != null && !alive.getAsBoolean()) {
            throw Errors.exception(Errors.CLOSED,
                    "the memory segment is closed, or of another thread", -1);
        }
        return start + offset;
    }
}
