// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.job.Memory;
import java.nio.ByteBuffer;
import java.util.function.Function;

/**
 * A range of memory that Hayate can send from and receive into: in the symmetric heap
 * ({@link HeapSpan}, which every rank of the node can access), in a direct buffer, or in an array.
 *
 * <p>A span is an immutable descriptor: create it once, outside the loop. It keeps its memory
 * reachable, and any number of threads may use it. If two operations, or an operation and the
 * program, access the same bytes at the same time, the contents of these bytes are undefined, but
 * nothing else is damaged.
 *
 * <p>Memory ordering: what a rank wrote into any memory before a send is visible to the receiver
 * when its receive is complete.
 */
public sealed class Span permits HeapSpan {
    final Memory memory;

    static {
        Memory.setOfSpan(new SpanMemory());
    }

    Span(Memory memory) {
        this.memory = memory;
    }

    /** A class, because a lambda would take time at the start of every rank. */
    private static final class SpanMemory implements Function<Object, Memory> {
        @Override
        public Memory apply(Object span) {
            return ((Span) span).memory;
        }
    }

    /** Returns the memory of an argument, which must not be null. */
    static Memory memory(Span span) {
        return Errors.required(span, "span").memory;
    }

    /**
     * Describes the bytes of a buffer from its present position to its present limit. A direct
     * buffer is fastest (one of {@link HeapSpan#buffer()} needs no copy); of any other buffer the
     * span describes the array.
     *
     * @param buffer a direct buffer, or one with an accessible array; a read-only direct buffer can
     *     be sent from only
     * @return its memory as a span
     * @throws ArgumentException if the buffer is null, or is neither direct nor has an accessible
     *     array
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
     * Describes a whole array.
     *
     * @param array the elements
     * @return their memory as a span
     */
    public static Span of(byte[] array) {
        return of(array, 0, length(array == null ? -1 : array.length));
    }

    /**
     * Describes part of an array.
     *
     * @param array the elements
     * @param from the index of the first element
     * @param count the number of elements
     * @return their memory as a span as a span
     * @throws ArgumentException if the array is null, or the range is not inside it
     */
    public static Span of(byte[] array, long from, long count) {
        return ofArray(array, array == null ? -1 : array.length, from, count, Byte.BYTES);
    }

    /**
     * Describes a whole array.
     *
     * @param array the elements
     * @return their memory as a span
     */
    public static Span of(int[] array) {
        return of(array, 0, length(array == null ? -1 : array.length));
    }

    /**
     * Describes part of an array.
     *
     * @param array the elements
     * @param from the index of the first element
     * @param count the number of elements
     * @return their memory as a span as a span
     * @throws ArgumentException if the array is null, or the range is not inside it
     */
    public static Span of(int[] array, long from, long count) {
        return ofArray(array, array == null ? -1 : array.length, from, count, Integer.BYTES);
    }

    /**
     * Describes a whole array.
     *
     * @param array the elements
     * @return their memory as a span
     */
    public static Span of(long[] array) {
        return of(array, 0, length(array == null ? -1 : array.length));
    }

    /**
     * Describes part of an array.
     *
     * @param array the elements
     * @param from the index of the first element
     * @param count the number of elements
     * @return their memory as a span as a span
     * @throws ArgumentException if the array is null, or the range is not inside it
     */
    public static Span of(long[] array, long from, long count) {
        return ofArray(array, array == null ? -1 : array.length, from, count, Long.BYTES);
    }

    /**
     * Describes a whole array.
     *
     * @param array the elements
     * @return their memory as a span
     */
    public static Span of(float[] array) {
        return of(array, 0, length(array == null ? -1 : array.length));
    }

    /**
     * Describes part of an array.
     *
     * @param array the elements
     * @param from the index of the first element
     * @param count the number of elements
     * @return their memory as a span as a span
     * @throws ArgumentException if the array is null, or the range is not inside it
     */
    public static Span of(float[] array, long from, long count) {
        return ofArray(array, array == null ? -1 : array.length, from, count, Float.BYTES);
    }

    /**
     * Describes a whole array.
     *
     * @param array the elements
     * @return their memory as a span
     */
    public static Span of(double[] array) {
        return of(array, 0, length(array == null ? -1 : array.length));
    }

    /**
     * Describes part of an array.
     *
     * @param array the elements
     * @param from the index of the first element
     * @param count the number of elements
     * @return their memory as a span as a span
     * @throws ArgumentException if the array is null, or the range is not inside it
     */
    public static Span of(double[] array, long from, long count) {
        return ofArray(array, array == null ? -1 : array.length, from, count, Double.BYTES);
    }

    private static long length(long length) {
        return Math.max(length, 0); // -1 means null, which ofArray() reports
    }

    private static Span ofArray(Object array, long length, long from, long count, int each) {
        Errors.required(array, "array");
        if ((from | count) < 0 || from > length - count) {
            throw Errors.argument(count + " elements from " + from + ": the array has " + length);
        }
        return new Span(new Memory(array, from * each, count * each, false, null, null));
    }

    /**
     * Returns the length of the range.
     *
     * @return bytes
     */
    public final long bytes() {
        return memory.bytes;
    }

    /**
     * Returns a part of this span, which describes the same memory.
     *
     * @param offset bytes from its beginning
     * @param bytes length
     * @return the part; if it is in the heap, it is valid until its {@link HeapSpan} is closed
     * @throws ArgumentException if the range is not inside this span
     * @throws ClosedException if the memory was freed
     */
    public final Span slice(long offset, long bytes) {
        return new Span(memory.slice(offset, bytes));
    }
}
