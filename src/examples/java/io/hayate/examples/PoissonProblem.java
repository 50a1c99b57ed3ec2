// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.util.Arrays;

/**
 * The 27-point finite-difference Poisson matrix on a cube of side^3 points with fixed values around
 * it: 26 on the diagonal, -1 for each neighbour. Each rank makes its own rows.
 */
final class PoissonProblem {
    /** The number of rows, the side's cube, is an int. */
    static final int MOST_SIDE = 1290;

    private final int side;

    PoissonProblem(int side) {
        if (side < 1 || side > MOST_SIDE) {
            throw new IllegalArgumentException(
                    "the side is " + side + ", expected 1 to " + MOST_SIDE);
        }
        this.side = side;
    }

    int rows() {
        return side * side * side;
    }

    long nonzeros() {
        return nonzerosBefore(rows());
    }

    /** Number of nonzeros in the rows before a row: whole planes, whole lines, points. */
    long nonzerosBefore(int row) {
        long line = neighboursBefore(side);
        int x = row % side;
        int y = row / side % side;
        int z = row / side / side;
        return line * line * neighboursBefore(z)
                + neighbours(z) * (line * neighboursBefore(y)
                + neighbours(y) * neighboursBefore(x));
    }

    RowPartition partition(int ranks) {
        return RowPartition.balanced(rows(), ranks, this::nonzerosBefore);
    }

    RowBlock block(int rank, int ranks) {
        RowPartition partition = partition(ranks);
        return new RowBlock(partition, rank, nonzeros(),
                matrix(partition.first(rank), partition.count(rank)));
    }

    private CsrMatrix matrix(int first, int count) {
        long nonzeros = nonzerosBefore(first + count) - nonzerosBefore(first);
        if (nonzeros > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException(
                    nonzeros + " nonzeros are too many for one rank, expected more ranks");
        }
        int[] columns = new int[(int) nonzeros];
        double[] values = new double[(int) nonzeros];
        int[] rowPointers = new int[count + 1];
        Arrays.fill(values, -1);
        for (int i = 0; i < count; i++) {
            rowPointers[i + 1] = addRow(first + i, columns, rowPointers[i]);
            int diagonal = Arrays.binarySearch(
                    columns, rowPointers[i], rowPointers[i + 1], first + i);
            values[diagonal] = 26;
        }
        return new CsrMatrix(rowPointers, columns, values);
    }

    private int addRow(int row, int[] columns, int from) {
        int x = row % side;
        int y = row / side % side;
        int z = row / side / side;
        int next = from;
        for (int k = Math.max(z - 1, 0); k <= Math.min(z + 1, side - 1); k++) {
            for (int j = Math.max(y - 1, 0); j <= Math.min(y + 1, side - 1); j++) {
                for (int i = Math.max(x - 1, 0); i <= Math.min(x + 1, side - 1); i++) {
                    columns[next++] = (k * side + j) * side + i;
                }
            }
        }
        return next;
    }

    /** Points at a distance of at most one from point i of a line, itself included; 0 past it. */
    private int neighbours(int i) {
        return i >= side ? 0 : Math.min(i + 1, side - 1) - Math.max(i - 1, 0) + 1;
    }

    /** Sum of neighbours() over the points before i. */
    private long neighboursBefore(int i) {
        return i == 0 ? 0 : i == side ? 3L * side - 2 : 3L * i - 1;
    }
}
