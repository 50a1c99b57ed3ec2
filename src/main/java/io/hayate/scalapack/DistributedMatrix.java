// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.ArgumentException;
import io.hayate.ClosedException;
import io.hayate.Element;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Span;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Memory;
import io.hayate.internal.scalapack.LocalPart;

/**
 * This process's part of a distributed matrix: its rows and columns by {@link BlockCyclic}, column
 * by column, in the symmetric heap or in other memory outside the Java heap.
 *
 * <p>A {@link #block} of a matrix is a matrix, too: a view of the same elements, which all methods
 * and all calls of {@link ScaLapack} take.
 *
 * <p>The methods of this class are local: no process waits for another. What all processes do
 * together is in {@link ScaLapack}. Values are {@code double}s whatever the type of the elements.
 *
 * <p>Threads may use different elements at the same time. No thread may write while a call of
 * {@link ScaLapack} uses the matrix.
 */
public final class DistributedMatrix implements AutoCloseable {
    private final BlockCyclic layout;
    private final Element element;
    /** The matrix of which this one is a block; null: it is none. */
    private final DistributedMatrix parent;
    /** The first of its parents, which has the memory; itself if it is no block. */
    private final DistributedMatrix whole;
    /** The first row and column in the whole matrix. */
    private final int firstRow;
    private final int firstColumn;
    /** The number, in the memory of the whole matrix, of this process's first element. */
    private final long start;
    private final int leadingDimension;
    private final Span span;
    /** The memory to free; null: it belongs to the program or to the whole matrix. */
    private final HeapSpan owned;
    private final LocalPart part;
    private volatile boolean closed;

    /** Computes an element of a matrix from its global indices. */
    @FunctionalInterface
    public interface Entry {
        /**
         * Returns the value of an element.
         *
         * @param row the global index of the row
         * @param column the global index of the column
         * @return the value
         */
        double at(int row, int column);
    }

    private DistributedMatrix(BlockCyclic layout, Element element, Span span, HeapSpan owned) {
        this.layout = layout;
        this.element = element;
        this.span = span;
        this.owned = owned;
        parent = null;
        whole = this;
        firstRow = 0;
        firstColumn = 0;
        start = 0;
        leadingDimension = Math.max(1, layout.localRows());
        part = new LocalPart(Memory.of(span), element.letter(), element.bytes(),
                layout.localRows(), layout.localColumns());
    }

    private DistributedMatrix(DistributedMatrix parent, int row, int column, BlockCyclic layout) {
        this.parent = parent;
        this.layout = layout;
        whole = parent.whole;
        firstRow = parent.firstRow + row;
        firstColumn = parent.firstColumn + column;
        element = whole.element;
        owned = null;
        leadingDimension = whole.leadingDimension;
        part = whole.part;
        start = isEmpty() ? 0 : whole.index(firstRow + layout.globalRow(0),
                firstColumn + layout.globalColumn(0));
        long elements = isEmpty() ? 0
                : (layout.localColumns() - 1L) * leadingDimension + layout.localRows();
        span = whole.span.slice(start * element.bytes(), elements * element.bytes());
    }

    private boolean isEmpty() {
        return layout.localRows() == 0 || layout.localColumns() == 0;
    }

    /**
     * Allocates a matrix in the symmetric heap, where its messages need no intermediate copy. Its
     * elements are 0.
     *
     * @param job the job of this process
     * @param layout the distribution
     * @param element the type of the elements, not LONG
     * @return the matrix; the caller closes it
     * @throws ArgumentException if an argument is null, or the layout does not begin with a
     *     complete block
     * @throws io.hayate.MemoryExhaustedException if the heap has no room for the part of this
     *     process
     * @throws ClosedException if the job is closed
     */
    public static DistributedMatrix allocate(Hayate job, BlockCyclic layout, Element element) {
        Errors.required(job, "job");
        long bytes = bytes(layout, element);
        HeapSpan span = job.allocate(Math.max(bytes, element.bytes()));
        try {
            DistributedMatrix matrix = new DistributedMatrix(layout, element, span, span);
            matrix.part.clear();
            return matrix;
        } catch (RuntimeException | Error e) {
            span.close();
            throw e;
        }
    }

    /**
     * Describes a matrix in memory of the program: in the symmetric heap, in a direct buffer or in
     * a native segment. Columns follow each other without gaps.
     *
     * @param layout the distribution
     * @param element the type of the elements, not LONG
     * @param span the memory, at least {@link #bytes} long
     * @return the matrix; to close it does not free the memory
     * @throws ArgumentException if an argument is null, the layout does not begin with a complete
     *     block, or the memory is an array, is read-only, is too short, or is not aligned to its
     *     numbers
     */
    public static DistributedMatrix of(BlockCyclic layout, Element element, Span span) {
        long bytes = bytes(layout, element);
        Errors.required(span, "span");
        if (span.bytes() < bytes) {
            throw Errors.argument("memory of " + span.bytes() + " bytes for " + layout
                    + ": this process stores " + layout.localRows() + " x "
                    + layout.localColumns() + " elements, " + bytes + " bytes");
        }
        return new DistributedMatrix(layout, element, span, null);
    }

    /**
     * Returns how much memory the part of this process needs.
     *
     * @param layout the distribution
     * @param element the type of the elements, not LONG
     * @return bytes; 0 if this process stores nothing
     * @throws ArgumentException if an argument is null, or the layout does not begin with a
     *     complete block
     */
    public static long bytes(BlockCyclic layout, Element element) {
        Errors.required(layout, "layout");
        Errors.required(element, "element");
        if (layout.rowOffset() + layout.columnOffset() > 0) {
            throw Errors.argument(layout + ": a matrix with memory of its own begins with a"
                    + " complete block; expected the offsets 0");
        }
        return (long) layout.localRows() * layout.localColumns() * element.bytes();
    }

    /**
     * Returns a part of this matrix as a matrix: the same elements in the same memory. Its rows and
     * columns count from 0. All processes of the grid describe the same part. Local.
     *
     * <p>{@link ScaLapack} says which calls need a part that begins at a multiple of the rows and
     * columns of the blocks of the distribution. A part can be closed like any matrix; that does
     * not close this one. If this one is closed, so is the part.
     *
     * @param row the first row
     * @param column the first column
     * @param rows rows of the part, at least 1
     * @param columns columns of the part, at least 1
     * @return the part
     * @throws ArgumentException if the part is empty or not inside this matrix
     * @throws ClosedException if the matrix or its memory is closed
     */
    public DistributedMatrix block(int row, int column, int rows, int columns) {
        open();
        return new DistributedMatrix(this, row, column, layout.block(row, column, rows, columns));
    }

    /** Returns whether an element is in both matrices. */
    boolean overlaps(DistributedMatrix other) {
        return whole == other.whole
                && firstRow < other.firstRow + (long) other.rows()
                && other.firstRow < firstRow + (long) rows()
                && firstColumn < other.firstColumn + (long) other.columns()
                && other.firstColumn < firstColumn + (long) columns();
    }

    /**
     * Returns the distribution.
     *
     * @return the layout
     */
    public BlockCyclic layout() {
        return layout;
    }

    /**
     * Returns the number of rows on all processes together.
     *
     * @return at least 1
     */
    public int rows() {
        return layout.rows();
    }

    /**
     * Returns the number of columns on all processes together.
     *
     * @return at least 1
     */
    public int columns() {
        return layout.columns();
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
     * Returns the memory of this process's part, column by column, from its first element to its
     * last one.
     *
     * @return the memory
     */
    public Span span() {
        return span;
    }

    /**
     * Returns the distance between two columns in the memory of this process.
     *
     * @return elements, at least 1; of a block that of the matrix that contains it
     */
    public int leadingDimension() {
        return leadingDimension;
    }

    /**
     * Returns the array descriptor of ScaLAPACK: DTYPE_, CTXT_, M_, N_, MB_, NB_, RSRC_, CSRC_,
     * LLD_. It describes a matrix that begins with a complete block: the first row and column of
     * this one, IA and JA, are the offsets of the {@linkplain BlockCyclic layout} plus 1.
     *
     * @return nine numbers; CTXT_ is -1 if this process is not in the grid
     * @throws ClosedException if the grid is closed
     */
    public int[] descriptor() {
        return layout.descriptor(leadingDimension);
    }

    private LocalPart open() {
        for (DistributedMatrix matrix = this; matrix != null; matrix = matrix.parent) {
            if (matrix.closed) {
                throw Errors.closed("the matrix");
            }
        }
        part.requireOpen();
        return part;
    }

    /** Returns the memory for a call of the library. */
    LocalPart part() {
        return open();
    }

    /**
     * Returns the address of the element of the descriptor with the indices 1, 1. If the first
     * block is not complete, that is before the first element of this process.
     */
    long address() {
        long skipped = isEmpty() ? 0
                : layout.skippedRows() + (long) layout.skippedColumns() * leadingDimension;
        return open().address() + (start - skipped) * element.bytes();
    }

    /** Returns the number of an own element in the memory of the whole matrix. */
    private long localIndex(int localRow, int localColumn) {
        return start + localRow + (long) localColumn * leadingDimension;
    }

    /** Returns the number of an element in the memory of this process, or -1. */
    private long index(int row, int column) {
        return layout.isLocal(row, column)
                ? localIndex(layout.localRow(row), layout.localColumn(column)) : -1;
    }

    private long ownIndex(int row, int column) {
        long index = index(row, column);
        if (index < 0) {
            throw Errors.argument("element (" + row + ", " + column + ") is on process ("
                    + layout.ownerRow(row) + ", " + layout.ownerColumn(column)
                    + "): only that process can read it, this is (" + layout.grid().row() + ", "
                    + layout.grid().column() + "); use isLocal, or ScaLapack.gather");
        }
        return index;
    }

    /**
     * Returns an element that this process stores.
     *
     * @param row a global index
     * @param column a global index
     * @return its value; of a complex number the real part
     * @throws ArgumentException if the matrix has no such element, or another process stores it
     * @throws ClosedException if the matrix or its memory is closed
     */
    public double get(int row, int column) {
        return open().get(ownIndex(row, column), 0);
    }

    /**
     * Returns the imaginary part of an element that this process stores.
     *
     * @param row a global index
     * @param column a global index
     * @return the imaginary part; 0 if the elements are real
     * @throws ArgumentException if the matrix has no such element, or another process stores it
     * @throws ClosedException if the matrix or its memory is closed
     */
    public double getImaginary(int row, int column) {
        long index = ownIndex(row, column);
        return element.isComplex() ? open().get(index, 1) : 0;
    }

    /**
     * Sets an element if this process stores it. All processes may call it alike: on the others it
     * does nothing.
     *
     * @param row a global index
     * @param column a global index
     * @param value its value; of a complex number the real part, the imaginary part becomes 0
     * @throws ArgumentException if the matrix has no such element
     * @throws ClosedException if the matrix or its memory is closed
     */
    public void set(int row, int column, double value) {
        set(row, column, value, 0);
    }

    /**
     * Sets a complex element if this process stores it, like {@link #set(int, int, double)}.
     *
     * @param row a global index
     * @param column a global index
     * @param real its real part
     * @param imaginary its imaginary part; must be 0 if the elements are real
     * @throws ArgumentException if the matrix has no such element
     * @throws ClosedException if the matrix or its memory is closed
     */
    public void set(int row, int column, double real, double imaginary) {
        LocalPart to = open();
        long index = index(row, column);
        if (imaginary != 0 && !element.isComplex()) {
            throw Errors.argument("imaginary part " + imaginary + ": the elements are real");
        }
        if (index >= 0) {
            to.set(index, real, imaginary);
        }
    }

    /**
     * Sets all elements of this process.
     *
     * @param entry computes an element from its global indices
     * @throws ArgumentException if entry is null
     * @throws ClosedException if the matrix or its memory is closed
     */
    public void fill(Entry entry) {
        fill(entry, (row, column) -> 0);
    }

    /**
     * Sets all elements of this process, which are complex.
     *
     * @param real computes the real part of an element from its global indices
     * @param imaginary computes the imaginary part; ignored if the elements are real
     * @throws ArgumentException if an argument is null
     * @throws ClosedException if the matrix or its memory is closed
     */
    public void fill(Entry real, Entry imaginary) {
        Errors.required(real, "entry");
        Errors.required(imaginary, "imaginary");
        LocalPart to = open();
        int rows = layout.localRows();
        int columns = layout.localColumns();
        for (int j = 0; j < columns; j++) {
            int column = layout.globalColumn(j);
            for (int i = 0; i < rows; i++) {
                int row = layout.globalRow(i);
                to.set(localIndex(i, j), real.at(row, column),
                        element.isComplex() ? imaginary.at(row, column) : 0);
            }
        }
    }

    /**
     * Reads the elements of this process from a Matrix Market file. Every process reads the file
     * itself: all must have access to it. Entries that the file lacks are 0; entries that it
     * contains twice are added.
     *
     * @param file the file
     * @throws ArgumentException if file is null, its size is not that of the matrix, or it is
     *     complex and the elements are not; or if its content is invalid, with the line
     * @throws io.hayate.SystemFailureException if it cannot be read
     * @throws ClosedException if the matrix or its memory is closed
     */
    public void read(MatrixMarket file) {
        Errors.required(file, "file");
        LocalPart to = open();
        if (file.rows() != layout.rows() || file.columns() != layout.columns()) {
            throw Errors.argument(file + ": the matrix to fill is " + layout.rows() + " x "
                    + layout.columns());
        }
        if (file.isComplex() && !element.isComplex()) {
            throw Errors.argument(file + " is complex, the elements are " + element);
        }
        fill((row, column) -> 0);
        file.forEach((row, column, real, imaginary) -> {
            long index = index(row, column);
            if (index >= 0) {
                to.add(index, real, imaginary);
            }
        });
    }

    /**
     * Ends the use of the matrix, and frees its memory if it was {@linkplain #allocate allocated}
     * with it; idempotent. Its blocks cannot be used any more.
     *
     * @throws io.hayate.BusyException if a call uses the matrix; it then stays open
     */
    @Override
    public void close() {
        if (owned != null) {
            owned.close();
        }
        closed = true;
    }
}
