// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.job.Memory;
import java.nio.ByteBuffer;

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
public sealed class Span permits HeapSpan {
    final Memory memory;

    Span(Memory memory) {
        this.memory = memory;
    }

    /** What a span that a program has passed describes. */
    static Memory memory(Span span) {
        return Errors.required(span, "span").memory;
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
            return new Span(Memory.ofDirect(buffer.slice()));
        }
        if (!buffer.hasArray()) {
            throw Errors.argument("a read-only buffer that is not direct: expected a direct buffer,"
                    + " or one with an accessible array");
        }
        int from = buffer.arrayOffset() + buffer.position();
        return new Span(
                new Memory(buffer.array(), from, buffer.remaining(), false, null, null));
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
        return new Span(new Memory(array, from * each, count * each, false, null, null));
    }

    /**
     * Its length.
     *
     * @return bytes
     */
    public final long bytes() {
        return memory.bytes;
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
        return new Span(memory.slice(offset, bytes));
    }
}
