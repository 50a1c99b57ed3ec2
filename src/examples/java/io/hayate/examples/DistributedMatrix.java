// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The rows of this rank with columns renumbered: own ones first, then the halo. A product overlaps
 * the exchange of the halo with the rows that do not need it.
 */
final class DistributedMatrix implements AutoCloseable {
    private final int rows;
    private final int[] rowPointers;
    private final int[] columns;
    private final double[] values;
    private final int[] innerRows;
    private final int[] borderRows;
    private final HaloExchange halo;

    /** Collective. */
    DistributedMatrix(Hayate job, Fmpl fmpl, RowBlock block, Stopwatch communication) {
        rows = block.rows();
        rowPointers = block.matrix().rowPointers();
        values = block.matrix().values();
        int first = block.firstRow();
        int[] wanted = IntStream.of(block.matrix().columns())
                .filter(column -> column < first || column >= first + rows)
                .sorted().distinct().toArray();
        columns = renumber(block.matrix().columns(), first, wanted);
        borderRows = IntStream.range(0, rows).filter(this::needsHalo).toArray();
        innerRows = IntStream.range(0, rows).filter(row -> !needsHalo(row)).toArray();
        halo = new HaloExchange(job, fmpl, block.partition(), wanted, communication);
    }

    int rows() {
        return rows;
    }

    int haloSize() {
        return halo.size();
    }

    /** A vector that can be multiplied: room for the halo behind the own entries. */
    double[] vector() {
        return new double[rows + halo.size()];
    }

    double[] diagonal() {
        double[] diagonal = new double[rows];
        for (int row = 0; row < rows; row++) {
            for (int k = rowPointers[row]; k < rowPointers[row + 1]; k++) {
                if (columns[k] == row) {
                    diagonal[row] = values[k];
                }
            }
        }
        return diagonal;
    }

    /** y = A x; the result is this rank's part of the dot product of x and y. Collective. */
    double multiply(double[] x, double[] y) {
        halo.start(x);
        double inner = multiplyRows(innerRows, x, y);
        halo.finish(x);
        return inner + multiplyRows(borderRows, x, y);
    }

    @Override
    public void close() {
        halo.close();
    }

    private double multiplyRows(int[] which, double[] x, double[] y) {
        double dot = 0;
        for (int row : which) {
            double sum = 0;
            for (int k = rowPointers[row]; k < rowPointers[row + 1]; k++) {
                sum += values[k] * x[columns[k]];
            }
            y[row] = sum;
            dot += sum * x[row];
        }
        return dot;
    }

    private int[] renumber(int[] global, int first, int[] wanted) {
        int[] local = new int[global.length];
        for (int k = 0; k < global.length; k++) {
            int column = global[k] - first;
            local[k] = column >= 0 && column < rows
                    ? column : rows + Arrays.binarySearch(wanted, global[k]);
        }
        return local;
    }

    private boolean needsHalo(int row) {
        for (int k = rowPointers[row]; k < rowPointers[row + 1]; k++) {
            if (columns[k] >= rows) {
                return true;
            }
        }
        return false;
    }
}
