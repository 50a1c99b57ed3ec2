// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.Arrays;

/**
 * This rank's block of the matrix, by rows: the sum of outer products of {@link CgVectors}, whose
 * condition is 10, plus (0.1 - shift) on the diagonal.
 */
final class CgMatrix {
    private static final double INVERSE_CONDITION = 0.1;

    private final int firstRow;
    private final int rows;
    private final int firstColumn;
    private final int columns;
    private final int[] start; // of each row
    private final int[] column; // counted in the block
    private final double[] value;

    CgMatrix(CgProblem problem, CgGrid grid) {
        int size = problem.rows();
        firstRow = grid.firstRow(size, grid.row());
        rows = grid.firstRow(size, grid.row() + 1) - firstRow;
        firstColumn = grid.firstColumn(size, grid.column());
        columns = grid.firstColumn(size, grid.column() + 1) - firstColumn;
        start = new int[rows + 1];
        CgVectors vectors = new CgVectors(size, problem.nonzeros());
        count(vectors, size);
        column = new int[start[rows]];
        value = new double[start[rows]];
        fill(vectors, size);
        addDiagonal(INVERSE_CONDITION - problem.shift());
        joinDuplicates();
    }

    int rows() {
        return rows;
    }

    int columns() {
        return columns;
    }

    /** Makes it another matrix, with other eigenvalues. */
    void damage() {
        value[0] += 1;
    }

    /** Multiplies with a vector of this block's columns. */
    void multiply(double[] vector, Doubles product) {
        for (int row = 0; row < rows; row++) {
            double sum = 0;
            for (int k = start[row]; k < start[row + 1]; k++) {
                sum += value[k] * vector[column[k]];
            }
            product.values().put(row, sum);
        }
    }

    /** Makes `start` what it is when every product and diagonal element has its own place. */
    private void count(CgVectors vectors, int size) {
        for (int i = 0; i < size; i++) {
            int inColumns = countColumns(vectors, i);
            for (int a = vectors.first(i); a < vectors.first(i + 1); a++) {
                int row = vectors.index(a) - firstRow;
                if (row >= 0 && row < rows) {
                    start[row + 1] += inColumns;
                }
            }
        }
        for (int row = 0; row < rows; row++) {
            start[row + 1] += start[row] + (isOnDiagonal(row) ? 1 : 0);
        }
    }

    private int countColumns(CgVectors vectors, int i) {
        int count = 0;
        for (int b = vectors.first(i); b < vectors.first(i + 1); b++) {
            count += isColumn(vectors.index(b) - firstColumn) ? 1 : 0;
        }
        return count;
    }

    private boolean isColumn(int candidate) {
        return candidate >= 0 && candidate < columns;
    }

    private boolean isOnDiagonal(int row) {
        return isColumn(firstRow + row - firstColumn);
    }

    /** Meanwhile `start` is where the next element of a row goes: each row ends at the next. */
    private void fill(CgVectors vectors, int size) {
        double ratio = Math.pow(INVERSE_CONDITION, 1.0 / size);
        double weight = 1;
        for (int i = 0; i < size; i++) {
            for (int a = vectors.first(i); a < vectors.first(i + 1); a++) {
                int row = vectors.index(a) - firstRow;
                if (row >= 0 && row < rows) {
                    fillRow(row, vectors, i, weight * vectors.value(a));
                }
            }
            weight *= ratio;
        }
    }

    private void fillRow(int row, CgVectors vectors, int i, double scale) {
        for (int b = vectors.first(i); b < vectors.first(i + 1); b++) {
            int candidate = vectors.index(b) - firstColumn;
            if (isColumn(candidate)) {
                put(row, candidate, scale * vectors.value(b));
            }
        }
    }

    private void addDiagonal(double element) {
        for (int row = 0; row < rows; row++) {
            if (isOnDiagonal(row)) {
                put(row, firstRow + row - firstColumn, element);
            }
        }
        System.arraycopy(start, 0, start, 1, rows);
        start[0] = 0;
    }

    private void put(int row, int atColumn, double element) {
        column[start[row]] = atColumn;
        value[start[row]++] = element;
    }

    /** Orders each row by columns, and adds up what stands at the same place. */
    private void joinDuplicates() {
        double[] sums = new double[columns];
        int next = 0;
        for (int row = 0; row < rows; row++) {
            int from = start[row];
            start[row] = next;
            next = joinRow(sums, from, start[row + 1], next);
        }
        start[rows] = next;
    }

    /** `sums` is all zeros before and after; the row moves to `next`. */
    private int joinRow(double[] sums, int from, int end, int next) {
        for (int k = from; k < end; k++) {
            sums[column[k]] += value[k];
        }
        Arrays.sort(column, from, end);
        int to = next;
        for (int k = from; k < end; k++) {
            int at = column[k];
            if (k == from || at != column[to - 1]) {
                column[to] = at;
                value[to++] = sums[at];
                sums[at] = 0;
            }
        }
        return to;
    }
}
