// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Memory;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.function.Function;
import java.util.function.ToIntFunction;

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
        return of((Buffer) buffer);
    }

    /**
     * Describes the elements of a buffer of any type from its present position to its present
     * limit, like {@link #of(ByteBuffer)}. The elements have the type of the buffer.
     *
     * @param buffer a direct buffer, or one with an accessible array; unless it is a
     *     {@link ByteBuffer}, in {@link java.nio.ByteOrder#nativeOrder()}
     * @return its memory as a span
     * @throws ArgumentException if the buffer is null, in another byte order, or is neither direct
     *     nor has an accessible array
     */
    public static Span of(Buffer buffer) {
        return new Span(Memory.of(Errors.required(buffer, "buffer")));
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
     * @return their memory as a span
     * @throws ArgumentException if the array is null, or the range is not inside it
     */
    public static Span of(byte[] array, long from, long count) {
        return new Span(ofArray(array, array == null ? -1 : array.length, from, count, Byte.BYTES));
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
     * @return their memory as a span
     * @throws ArgumentException if the array is null, or the range is not inside it
     */
    public static Span of(int[] array, long from, long count) {
        return ofArray(array, array == null ? -1 : array.length, from, count, Element.INT);
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
     * @return their memory as a span
     * @throws ArgumentException if the array is null, or the range is not inside it
     */
    public static Span of(long[] array, long from, long count) {
        return ofArray(array, array == null ? -1 : array.length, from, count, Element.LONG);
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
     * @return their memory as a span
     * @throws ArgumentException if the array is null, or the range is not inside it
     */
    public static Span of(float[] array, long from, long count) {
        return ofArray(array, array == null ? -1 : array.length, from, count, Element.FLOAT);
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
     * @return their memory as a span
     * @throws ArgumentException if the array is null, or the range is not inside it
     */
    public static Span of(double[] array, long from, long count) {
        return ofArray(array, array == null ? -1 : array.length, from, count, Element.DOUBLE);
    }

    /**
     * Describes a whole array.
     *
     * @param array the elements
     * @return their memory as a span
     */
    public static Span of(short[] array) {
        return of(array, 0, length(array == null ? -1 : array.length));
    }

    /**
     * Describes part of an array.
     *
     * @param array the elements
     * @param from the index of the first element
     * @param count the number of elements
     * @return their memory as a span
     * @throws ArgumentException if the array is null, or the range is not inside it
     */
    public static Span of(short[] array, long from, long count) {
        return ofArray(array, array == null ? -1 : array.length, from, count, Element.SHORT);
    }

    /**
     * Describes a whole array.
     *
     * @param array the elements
     * @return their memory as a span
     */
    public static Span of(char[] array) {
        return of(array, 0, length(array == null ? -1 : array.length));
    }

    /**
     * Describes part of an array.
     *
     * @param array the elements
     * @param from the index of the first element
     * @param count the number of elements
     * @return their memory as a span
     * @throws ArgumentException if the array is null, or the range is not inside it
     */
    public static Span of(char[] array, long from, long count) {
        return ofArray(array, array == null ? -1 : array.length, from, count, Element.CHAR);
    }

    /**
     * Describes a whole array.
     *
     * @param array the elements
     * @return their memory as a span
     */
    public static Span of(boolean[] array) {
        return of(array, 0, length(array == null ? -1 : array.length));
    }

    /**
     * Describes part of an array.
     *
     * @param array the elements. A byte other than 0 and 1 that is received into it is
     *     a boolean without a definite value
     * @param from the index of the first element
     * @param count the number of elements
     * @return their memory as a span
     * @throws ArgumentException if the array is null, or the range is not inside it
     */
    public static Span of(boolean[] array, long from, long count) {
        return ofArray(
                array, array == null ? -1 : array.length, from, count, Element.BOOLEAN);
    }

    /**
     * Describes the same part of each row of a two-dimensional array: the message consists of the
     * parts, row by row. See {@link #strided}.
     *
     * @param rows the rows; later changes of which arrays they are have no effect
     * @param column the index of the first element in each row
     * @param columns the number of elements of each row
     * @return their memory as a span
     * @throws ArgumentException if the array or a row is null, or the range is not inside each row
     */
    public static Span ofRows(double[][] rows, int column, int columns) {
        return ofRows(rows, row -> ((double[]) row).length, column, columns, Element.DOUBLE);
    }

    /**
     * Describes the same part of each row; see {@link #ofRows(double[][], int, int)}.
     *
     * @param rows the rows; later changes of which arrays they are have no effect
     * @param column the index of the first element in each row
     * @param columns the number of elements of each row
     * @return their memory as a span
     * @throws ArgumentException if the array or a row is null, or the range is not inside each row
     */
    public static Span ofRows(float[][] rows, int column, int columns) {
        return ofRows(rows, row -> ((float[]) row).length, column, columns, Element.FLOAT);
    }

    /**
     * Describes the same part of each row; see {@link #ofRows(double[][], int, int)}.
     *
     * @param rows the rows; later changes of which arrays they are have no effect
     * @param column the index of the first element in each row
     * @param columns the number of elements of each row
     * @return their memory as a span
     * @throws ArgumentException if the array or a row is null, or the range is not inside each row
     */
    public static Span ofRows(long[][] rows, int column, int columns) {
        return ofRows(rows, row -> ((long[]) row).length, column, columns, Element.LONG);
    }

    /**
     * Describes the same part of each row; see {@link #ofRows(double[][], int, int)}.
     *
     * @param rows the rows; later changes of which arrays they are have no effect
     * @param column the index of the first element in each row
     * @param columns the number of elements of each row
     * @return their memory as a span
     * @throws ArgumentException if the array or a row is null, or the range is not inside each row
     */
    public static Span ofRows(int[][] rows, int column, int columns) {
        return ofRows(rows, row -> ((int[]) row).length, column, columns, Element.INT);
    }

    private static Span ofRows(Object[] rows, ToIntFunction<Object> length, int column,
            int columns, Element element) {
        Object[] kept = Errors.required(rows, "rows").clone();
        for (Object row : kept) {
            int elements = length.applyAsInt(Errors.required(row, "row"));
            if ((column | columns) < 0 || column > elements - columns) {
                throw Errors.argument(
                        columns + " elements from " + column + ": a row has " + elements);
            }
        }
        long each = element.bytes();
        return new Span(Memory.ofRows(kept, column * each, columns * each).as(element));
    }

    private static long length(long length) {
        return Math.max(length, 0); // -1 means null, which ofArray() reports
    }

    private static Span ofArray(Object array, long length, long from, long count,
            Element element) {
        return new Span(ofArray(array, length, from, count, element.bytes()).as(element));
    }

    private static Memory ofArray(Object array, long length, long from, long count, int each) {
        Errors.required(array, "array");
        if ((from | count) < 0 || from > length - count) {
            throw Errors.argument(count + " elements from " + from + ": the array has " + length);
        }
        return new Memory(array, from * each, count * each, false, null, null);
    }

    /**
     * Describes blocks of this span at a constant distance, as part of a matrix or one of its rows:
     * a message consists of the blocks, one after the other, and the receiver may divide it into
     * other blocks, or not at all. It is packed at most once, and not at all if one side can access
     * the other's memory.
     *
     * <p>Of a column-major matrix of doubles with leading dimension {@code ld}, the rows from
     * {@code i} and columns from {@code j} of a part with {@code m} rows and {@code n} columns are
     * {@code strided((i + j * ld) * 8, m * 8, ld * 8, n)}, and row {@code i} of {@code n} columns
     * is {@code strided(i * 8, 8, ld * 8, n)}.
     *
     * <p>Such a span can be used in the messages and collectives of {@link Fmpl}, also persistent
     * ones, as a whole or from its beginning; all others refuse it.
     *
     * @param offset bytes to the first block
     * @param block bytes of a block, at most 2<sup>31</sup> - 1
     * @param stride bytes from the beginning of one block to the next, at least {@code block}
     * @param count the number of blocks, at most 2<sup>31</sup> - 1
     * @return a span of {@code block * count} bytes; if it is in the heap, it is valid until its
     *     {@link HeapSpan} is closed
     * @throws ArgumentException if the blocks are not inside this span, or this span consists of
     *     blocks
     * @throws ClosedException if the memory was freed
     */
    public final Span strided(long offset, long block, long stride, long count) {
        return new Span(memory.strided(offset, block, stride, count));
    }

    /**
     * Describes the same memory as elements of a type, so that a reduction of another type is
     * refused. The span of an array or a buffer has the type of its elements, unless they are
     * bytes; any other span has none, and every reduction accepts it. Parts of a span have its
     * type. Messages move bytes, and do not look at it. Reductions, sections and blocks of unequal
     * length must begin with a whole element of the type (of a complex type: a real or imaginary
     * part), so that offsets which were meant in elements are refused.
     *
     * @param element the type
     * @return a span of the same memory; if it is in the heap, it is valid until its
     *     {@link HeapSpan} is closed
     * @throws ArgumentException if element is null
     */
    public final Span as(Element element) {
        return new Span(memory.as(Errors.required(element, "element")));
    }

    /**
     * Returns the type of the elements.
     *
     * @return the type; {@code null} if the span has none
     */
    public final Element element() {
        return memory.element;
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
     * @throws ArgumentException if the range is not inside this span, or this span consists of
     *     blocks
     * @throws ClosedException if the memory was freed
     */
    public final Span slice(long offset, long bytes) {
        return new Span(memory.slice(offset, bytes));
    }

    /**
     * Returns a human-readable description.
     *
     * @return a text with the length, the kind of memory, the type of the elements, and whether the
     *     memory was freed
     */
    @Override
    public final String toString() {
        return memory.toString();
    }
}
