// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.ArgumentException;
import io.hayate.Grid;
import io.hayate.internal.errors.Errors;

/**
 * The two-dimensional block-cyclic distribution of a matrix over a grid of processes. The matrix is
 * cut into blocks; the rows of blocks are dealt out to the rows of processes in turn, and the
 * columns of blocks to the columns of processes. Immutable. All processes of the grid must create
 * it with the same values.
 *
 * <p>Global indices address the whole matrix, local ones the part of a process; all count from 0.
 *
 * <p>The layout of a {@linkplain #block block} of another matrix need not begin with a complete
 * block of the distribution: its offsets are the rows and columns that its first block lacks. Other
 * layouts have the offsets 0.
 *
 * @param grid the processes
 * @param rows rows of the matrix, at least 1
 * @param columns columns of the matrix, at least 1
 * @param rowBlock rows of a block, at least 1
 * @param columnBlock columns of a block, at least 1
 * @param rowSource the row of processes that stores the first row of the matrix
 * @param columnSource the column of processes that stores the first column of the matrix
 * @param rowOffset the rows that the first block lacks at its beginning, 0 to rowBlock - 1
 * @param columnOffset the columns that the first block lacks at its beginning, 0 to
 *     columnBlock - 1
 */
public record BlockCyclic(Grid grid, int rows, int columns, int rowBlock, int columnBlock,
        int rowSource, int columnSource, int rowOffset, int columnOffset) {
    /** The type of descriptor for dense matrices. */
    private static final int DENSE = 1;

    /**
     * Creates a layout, also one that does not begin with a complete block.
     *
     * @param grid the processes
     * @param rows rows of the matrix, at least 1
     * @param columns columns of the matrix, at least 1
     * @param rowBlock rows of a block, at least 1
     * @param columnBlock columns of a block, at least 1
     * @param rowSource the row of processes that stores the first row of the matrix
     * @param columnSource the column of processes that stores the first column of the matrix
     * @param rowOffset the rows that the first block lacks at its beginning, 0 to rowBlock - 1
     * @param columnOffset the columns that the first block lacks at its beginning, 0 to
     *     columnBlock - 1
     * @throws ArgumentException if a value is null or out of range, rows and rowOffset (columns and
     *     columnOffset) are together more than 2147483647, or a process would store more than
     *     2147483647 elements, which ScaLAPACK cannot address
     */
    public BlockCyclic {
        Errors.required(grid, "grid");
        requirePositive(rows, "rows");
        requirePositive(columns, "columns");
        requirePositive(rowBlock, "rows of a block");
        requirePositive(columnBlock, "columns of a block");
        requireSource(rowSource, grid.rows(), "row");
        requireSource(columnSource, grid.columns(), "column");
        requireOffset(rowOffset, rowBlock, rows, "row");
        requireOffset(columnOffset, columnBlock, columns, "column");
        long most = (long) most(rowOffset + rows, rowBlock, grid.rows())
                * most(columnOffset + columns, columnBlock, grid.columns());
        if (most > Integer.MAX_VALUE) {
            throw Errors.argument("a matrix of " + rows + " x " + columns + " on " + grid.rows()
                    + " x " + grid.columns() + " processes: one process would store " + most
                    + " elements, ScaLAPACK addresses at most " + Integer.MAX_VALUE
                    + "; use more processes");
        }
    }

    /**
     * Creates the layout of a matrix that begins with a complete block.
     *
     * @param grid the processes
     * @param rows rows of the matrix, at least 1
     * @param columns columns of the matrix, at least 1
     * @param rowBlock rows of a block, at least 1
     * @param columnBlock columns of a block, at least 1
     * @param rowSource the row of processes that stores the first row of the matrix
     * @param columnSource the column of processes that stores the first column of the matrix
     * @throws ArgumentException if a value is null or out of range, or a process would store more
     *     than 2147483647 elements, which ScaLAPACK cannot address
     */
    public BlockCyclic(Grid grid, int rows, int columns, int rowBlock, int columnBlock,
            int rowSource, int columnSource) {
        this(grid, rows, columns, rowBlock, columnBlock, rowSource, columnSource, 0, 0);
    }

    /** Returns the most rows that a process stores: those of the process with the first block. */
    private static int most(int count, int block, int processes) {
        return numroc(count, block, 0, 0, processes);
    }

    /** Returns the most rows and columns, together, that a process stores. */
    long mostRowsAndColumns() {
        return (long) most(rowOffset + rows, rowBlock, grid.rows())
                + most(columnOffset + columns, columnBlock, grid.columns());
    }

    private static void requirePositive(int value, String what) {
        if (value < 1) {
            throw Errors.argument(value + " " + what + ": expected at least 1");
        }
    }

    private static void requireSource(int source, int count, String what) {
        if (source < 0 || source >= count) {
            throw Errors.argument("the first block is in " + what + " " + source
                    + " of the processes: the grid has " + what + "s 0 to " + (count - 1));
        }
    }

    private static void requireOffset(int offset, int block, int count, String what) {
        if (offset < 0 || offset >= block || count > Integer.MAX_VALUE - offset) {
            throw Errors.argument("the matrix begins at " + what + " " + offset
                    + " of its first block: expected 0 to " + (block - 1)
                    + ", and at most 2147483647 with its " + count + " " + what + "s");
        }
    }

    /**
     * Describes a matrix in square blocks whose first block is on process (0, 0). Almost all calls
     * of ScaLAPACK need square blocks.
     *
     * @param grid the processes
     * @param rows rows of the matrix, at least 1
     * @param columns columns of the matrix, at least 1
     * @param block rows and columns of a block, at least 1; 32 to 128 are usual
     * @return the layout
     * @throws ArgumentException as the constructor
     */
    public static BlockCyclic of(Grid grid, int rows, int columns, int block) {
        return new BlockCyclic(grid, rows, columns, block, block, 0, 0);
    }

    /**
     * Returns the number of rows (or columns) that one process stores: NUMROC of ScaLAPACK.
     *
     * @param count rows of the matrix
     * @param block rows of a block
     * @param process the row of the process, 0 to processes - 1
     * @param source the row of the process with the first block
     * @param processes the number of rows of processes
     * @return 0 to count
     */
    public static int numroc(int count, int block, int process, int source, int processes) {
        int distance = Math.floorMod(process - source, processes);
        int blocks = count / block;
        int own = blocks / processes * block;
        int extra = blocks % processes;
        if (distance < extra) {
            return own + block;
        }
        return distance == extra ? own + count % block : own;
    }

    /** Returns whether this process is in the grid. */
    boolean isMember() {
        return grid.row() >= 0;
    }

    /** Returns the local index, in the memory of the complete blocks, of the first own row. */
    int skippedRows() {
        return grid.row() == rowSource ? rowOffset : 0;
    }

    int skippedColumns() {
        return grid.column() == columnSource ? columnOffset : 0;
    }

    /**
     * Returns the number of rows that this process stores.
     *
     * @return 0 to rows; 0 if this process is not in the grid
     */
    public int localRows() {
        return isMember() ? numroc(rowOffset + rows, rowBlock, grid.row(), rowSource, grid.rows())
                - skippedRows() : 0;
    }

    /**
     * Returns the number of columns that this process stores.
     *
     * @return 0 to columns; 0 if this process is not in the grid
     */
    public int localColumns() {
        return isMember() ? numroc(columnOffset + columns, columnBlock, grid.column(),
                columnSource, grid.columns()) - skippedColumns() : 0;
    }

    /**
     * Returns the layout of a part of the matrix. An element of the part is on the process that
     * stores it in the whole matrix.
     *
     * @param row the first row, a global index
     * @param column the first column, a global index
     * @param rowCount rows of the part, at least 1
     * @param columnCount columns of the part, at least 1
     * @return the layout of the part, whose indices count from 0
     * @throws ArgumentException if the part is empty or not inside the matrix
     */
    public BlockCyclic block(int row, int column, int rowCount, int columnCount) {
        requireRange(row, rowCount, rows, "row");
        requireRange(column, columnCount, columns, "column");
        return new BlockCyclic(grid, rowCount, columnCount, rowBlock, columnBlock, ownerRow(row),
                ownerColumn(column), (rowOffset + row) % rowBlock,
                (columnOffset + column) % columnBlock);
    }

    private static void requireRange(int first, int count, int all, String what) {
        if (first < 0 || count < 1 || count > all - first) {
            throw Errors.argument("a block of " + count + " " + what + "s from " + what + " "
                    + first + " on: expected at least one, inside the matrix, which has " + all);
        }
    }

    /**
     * Returns the row of the processes that store a row of the matrix.
     *
     * @param row a global index
     * @return a row of the grid
     * @throws ArgumentException if the matrix has no such row
     */
    public int ownerRow(int row) {
        require(row, rows, "row");
        return ((rowOffset + row) / rowBlock + rowSource) % grid.rows();
    }

    /**
     * Returns the column of the processes that store a column of the matrix.
     *
     * @param column a global index
     * @return a column of the grid
     * @throws ArgumentException if the matrix has no such column
     */
    public int ownerColumn(int column) {
        require(column, columns, "column");
        return ((columnOffset + column) / columnBlock + columnSource) % grid.columns();
    }

    /**
     * Returns whether this process stores an element.
     *
     * @param row a global index
     * @param column a global index
     * @return {@code true} if it does
     * @throws ArgumentException if the matrix has no such element
     */
    public boolean isLocal(int row, int column) {
        return ownerRow(row) == grid.row() && ownerColumn(column) == grid.column();
    }

    /**
     * Returns where the owners of a row store it.
     *
     * @param row a global index
     * @return the local index, the same on all owners
     * @throws ArgumentException if the matrix has no such row
     */
    public int localRow(int row) {
        require(row, rows, "row");
        int at = rowOffset + row;
        return at / rowBlock / grid.rows() * rowBlock + at % rowBlock
                - (ownerRow(row) == rowSource ? rowOffset : 0);
    }

    /**
     * Returns where the owners of a column store it.
     *
     * @param column a global index
     * @return the local index, the same on all owners
     * @throws ArgumentException if the matrix has no such column
     */
    public int localColumn(int column) {
        require(column, columns, "column");
        int at = columnOffset + column;
        return at / columnBlock / grid.columns() * columnBlock + at % columnBlock
                - (ownerColumn(column) == columnSource ? columnOffset : 0);
    }

    /**
     * Returns the global index of a row of this process.
     *
     * @param localRow a local index, 0 to localRows - 1
     * @return the global index
     * @throws ArgumentException if this process has no such row
     */
    public int globalRow(int localRow) {
        requireLocalRow(localRow);
        int distance = Math.floorMod(grid.row() - rowSource, grid.rows());
        int at = localRow + skippedRows();
        return (at / rowBlock * grid.rows() + distance) * rowBlock + at % rowBlock - rowOffset;
    }

    /**
     * Returns the global index of a column of this process.
     *
     * @param localColumn a local index, 0 to localColumns - 1
     * @return the global index
     * @throws ArgumentException if this process has no such column
     */
    public int globalColumn(int localColumn) {
        require(localColumn, localColumns(), "local column");
        int distance = Math.floorMod(grid.column() - columnSource, grid.columns());
        int at = localColumn + skippedColumns();
        return (at / columnBlock * grid.columns() + distance) * columnBlock + at % columnBlock
                - columnOffset;
    }

    void requireLocalRow(int localRow) {
        require(localRow, localRows(), "local row");
    }

    private static void require(int index, int count, String what) {
        if (index < 0 || index >= count) {
            throw Errors.argument(what + " " + index + ": expected 0 to " + (count - 1));
        }
    }

    /** Returns the descriptor of the matrix that begins with the complete first block. */
    int[] descriptor(int leadingDimension) {
        return new int[] {DENSE, grid.context(), rowOffset + rows, columnOffset + columns,
            rowBlock, columnBlock, rowSource, columnSource, leadingDimension};
    }

    @Override
    public String toString() {
        return rows + " x " + columns + " in blocks of " + rowBlock + " x " + columnBlock + " on "
                + grid.rows() + " x " + grid.columns() + " processes from (" + rowSource + ", "
                + columnSource + ")" + (rowOffset + columnOffset == 0 ? "" : ", which begins at ("
                + rowOffset + ", " + columnOffset + ") of its first block");
    }
}
