// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.Arrays;

/** A row of a block tridiagonal system: three blocks of 5 * 5 elements, by rows. */
final class BtRow {
    private static final int SIZE = CfdExact.COMPONENTS;
    private static final int COLUMNS = 2 * SIZE + 1; // diagonal block, next one, right side

    private final double[] before = new double[SIZE * SIZE];
    private final double[] diagonal = new double[SIZE * SIZE];
    private final double[] after = new double[SIZE * SIZE];
    private final double[] reduced = new double[SIZE * COLUMNS];

    /** Makes the blocks multiples of the unit. */
    void begin(double off, double on) {
        fill(before, off);
        fill(diagonal, on);
        fill(after, off);
    }

    private static void fill(double[] block, double element) {
        Arrays.fill(block, 0);
        for (int i = 0; i < block.length; i += SIZE + 1) {
            block[i] = element;
        }
    }

    double[] before() {
        return before;
    }

    double[] diagonal() {
        return diagonal;
    }

    double[] after() {
        return after;
    }

    /**
     * Eliminates the blocks before and on the diagonal. Right sides have 5 numbers for each point,
     * factors 25; those of the `previous` point are so reduced, and those `at` the point will be.
     */
    void eliminate(double[] factors, double[] right, int at, int previous) {
        subtract(factors, right, at, previous);
        for (int row = 0; row < SIZE; row++) {
            pivot(row);
        }
        for (int row = 0; row < SIZE; row++) {
            System.arraycopy(reduced, row * COLUMNS + SIZE, factors, (at * SIZE + row) * SIZE,
                    SIZE);
            right[at * SIZE + row] = reduced[(row + 1) * COLUMNS - 1];
        }
    }

    /** `before` times what is left of the previous row. */
    private void subtract(double[] factors, double[] right, int at, int previous) {
        for (int row = 0; row < SIZE; row++) {
            int to = row * COLUMNS;
            System.arraycopy(diagonal, row * SIZE, reduced, to, SIZE);
            System.arraycopy(after, row * SIZE, reduced, to + SIZE, SIZE);
            double side = right[at * SIZE + row];
            for (int i = 0; i < SIZE; i++) {
                double element = before[row * SIZE + i];
                int from = (previous * SIZE + i) * SIZE;
                for (int column = 0; column < SIZE; column++) {
                    reduced[to + column] -= element * factors[from + column];
                }
                side -= element * right[previous * SIZE + i];
            }
            reduced[to + COLUMNS - 1] = side;
        }
    }

    /** Makes a column of the diagonal block that of the unit. */
    private void pivot(int pivot) {
        int from = pivot * COLUMNS;
        double inverse = 1 / reduced[from + pivot];
        for (int column = pivot + 1; column < COLUMNS; column++) {
            reduced[from + column] *= inverse;
        }
        for (int row = 0; row < SIZE; row++) {
            if (row != pivot) {
                double element = reduced[row * COLUMNS + pivot];
                for (int column = pivot + 1; column < COLUMNS; column++) {
                    reduced[row * COLUMNS + column] -= element * reduced[from + column];
                }
            }
        }
    }
}
