// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.Fmpl;
import io.hayate.HeapSpan;
import io.hayate.Reduction;
import io.hayate.Span;

/** Compares L (L^T x) with A x, for an x without regularity. Each rank multiplies its own tiles. */
final class CholeskyCheck {
    /** Rounding of a factorisation stays far below, in units of n times the precision. */
    static final double LIMIT = 16;

    private final CholeskyTiles tiles;
    private final CholeskyTasks tasks;
    private final HeapSpan part;
    private final Fmpl fmpl;

    CholeskyCheck(CholeskyTiles tiles, CholeskyTasks tasks, HeapSpan part, Fmpl fmpl) {
        this.tiles = tiles;
        this.tasks = tasks;
        this.part = part;
        this.fmpl = fmpl;
    }

    /** The largest difference, in units of norms of A and x, n, and the precision of doubles. */
    double residual(SpdMatrix matrix) {
        double[] x = new double[tiles.count * tiles.tile];
        for (int i = 0; i < tiles.rows; i++) {
            x[i] = Math.sin(i * 12.9898) * 0.5 + 0.5;
        }
        double[] product = multiply(multiply(x, true), false);
        double worst = 0;
        double norm = 0;
        for (int i = 0; i < tiles.rows; i++) {
            double exact = 0;
            double sum = 0;
            for (int j = 0; j < tiles.rows; j++) {
                double entry = matrix.at(i, j);
                exact += entry * x[j];
                sum += Math.abs(entry);
            }
            worst = Math.max(worst, Math.abs(exact - product[i]));
            worst = Double.isNaN(product[i]) ? Double.POSITIVE_INFINITY : worst;
            norm = Math.max(norm, sum);
        }
        return worst / (norm * tiles.rows * Math.ulp(1.0));
    }

    /** L^T v or L v, on all ranks. */
    private double[] multiply(double[] v, boolean transposed) {
        double[] product = new double[v.length];
        for (int row = 0; row < tiles.count; row++) {
            for (int column = 0; column <= row; column++) {
                if (tasks.isMine(row, column)) {
                    add(tiles.read(part, row, column), v, product, row, column, transposed);
                }
            }
        }
        fmpl.allreduce(Span.of(product), Reduction.DOUBLE_SUM);
        return product;
    }

    private void add(double[] values, double[] v, double[] product, int row, int column,
            boolean transposed) {
        int n = tiles.tile;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                int to = transposed ? column * n + j : row * n + i;
                int from = transposed ? row * n + i : column * n + j;
                product[to] += values[i * n + j] * v[from];
            }
        }
    }
}
