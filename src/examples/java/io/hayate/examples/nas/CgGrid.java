// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The ranks as a grid with as many columns as rows, or twice as many: each has a block of the
 * matrix. Blocks of columns are then blocks of rows, or their halves.
 */
record CgGrid(int rows, int columns, int row, int column) {
    static CgGrid of(int ranks, int rank) {
        int columns = 1 << (Integer.numberOfTrailingZeros(ranks) + 1) / 2;
        return new CgGrid(ranks / columns, columns, rank / columns, rank % columns);
    }

    int rank(int ofRow, int ofColumn) {
        return ofRow * columns + ofColumn;
    }

    /** Blocks of columns in a block of rows: 1 or 2. */
    int width() {
        return columns / rows;
    }

    /** First of `size` matrix rows in a block of rows; of the block after the last: `size`. */
    int firstRow(int size, int ofRow) {
        return (int) ((long) size * ofRow / rows);
    }

    int firstColumn(int size, int ofColumn) {
        return (int) ((long) size * ofColumn / columns);
    }

    /**
     * A block of columns in this row's block of rows: the one whose part of a product this rank
     * adds up.
     */
    int summedColumn() {
        return row * width() + column % width();
    }

    /** The rank that adds up the part of this rank's column and needs what this one adds up. */
    int mirror() {
        return rank(column / width(), summedColumn());
    }
}
