// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.blacs.MatrixSection;
import io.hayate.internal.errors.Errors;

/**
 * A section of a matrix that is stored column by column: some rows and columns, or a trapezoid of
 * them. A {@link BlacsGrid} sends it without packing where the memory can be reached. Immutable;
 * see {@link Span} for the lifetime of its memory.
 */
public final class Section {
    final MatrixSection state;
    private final Element element;

    private Section(MatrixSection state, Element element) {
        this.state = state;
        this.element = element;
    }

    /** Returns the state of an argument, which must not be null. */
    static MatrixSection state(Section section) {
        return Errors.required(section, "section").state;
    }

    /**
     * Describes a whole matrix, whose columns follow each other without gaps.
     *
     * @param span the memory, which begins with the first element
     * @param element the type of the elements, not LONG
     * @param rows at least 0
     * @param columns at least 0
     * @return the section
     * @throws ArgumentException if an argument is null or negative, or the span is too short
     */
    public static Section of(Span span, Element element, int rows, int columns) {
        return of(span, 0, element, rows, columns, Math.max(1, rows));
    }

    /**
     * Describes part of a matrix.
     *
     * @param span the memory
     * @param offset bytes from the beginning of the span to the first element
     * @param element the type of the elements, not LONG
     * @param rows at least 0
     * @param columns at least 0
     * @param leadingDimension elements from one column to the next, at least rows and at least 1
     * @return the section
     * @throws ArgumentException if an argument is null or out of range, or the section is not
     *     inside the span
     */
    public static Section of(Span span, long offset, Element element, int rows, int columns,
            int leadingDimension) {
        int type = Errors.required(element, "element").number();
        return new Section(new MatrixSection(Span.memory(span), offset, type, element.bytes(),
                rows, columns, leadingDimension), element);
    }

    /**
     * Returns the upper trapezoid of this section: what is on the diagonal that ends in the last
     * row and column of a tall matrix, or begins in the first ones of a wide one, and above.
     *
     * @param diagonal whether the diagonal is part of it
     * @return the trapezoid
     */
    public Section upper(boolean diagonal) {
        return new Section(state.upper(diagonal), element);
    }

    /**
     * Returns the lower trapezoid of this section: what is on the diagonal that begins in the first
     * row and column of a tall matrix, or ends in the last ones of a wide one, and below.
     *
     * @param diagonal whether the diagonal is part of it
     * @return the trapezoid
     */
    public Section lower(boolean diagonal) {
        return new Section(state.lower(diagonal), element);
    }

    /**
     * Returns the type of the elements.
     *
     * @return the type
     */
    public Element element() {
        return element;
    }

    /**
     * Returns the number of rows.
     *
     * @return at least 0
     */
    public int rows() {
        return state.rows;
    }

    /**
     * Returns the number of columns.
     *
     * @return at least 0
     */
    public int columns() {
        return state.columns;
    }
}
