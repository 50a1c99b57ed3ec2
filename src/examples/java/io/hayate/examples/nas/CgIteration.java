// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.Arrays;

/**
 * The inverse power method: z = A^-1 x by conjugate gradients, then x = z / |z|. A rank has the
 * elements of its columns, and those of a row of the grid have them all. Allocates nothing.
 */
final class CgIteration implements AutoCloseable {
    private final CgProduct product;
    private final Doubles parts; // of up to two dot products
    private final Sum oneSum;
    private final Sum twoSums;
    private final double shift;
    private final double[] x;
    private final double[] z;
    private final double[] direction;
    private final double[] residual;
    private final double[] image; // of the direction
    private double residualNorm;

    /** Collective over `row`, the ranks of a row of the grid. */
    CgIteration(NasJob job, NasLibrary.Members row, CgProduct product, CgProblem problem,
            int columns) {
        this.product = product;
        shift = problem.shift();
        parts = job.doubles(2);
        oneSum = new Sum(job, row, parts.part(0, 1));
        twoSums = new Sum(job, row, parts.all());
        x = new double[columns];
        z = new double[columns];
        direction = new double[columns];
        residual = new double[columns];
        image = new double[columns];
    }

    void begin() {
        Arrays.fill(x, 1);
    }

    /** One iteration; the estimate of the eigenvalue, plus the shift. */
    double improve() {
        solve();
        parts.values().put(0, dot(x, z));
        parts.values().put(1, dot(z, z));
        twoSums.run();
        double scale = 1 / Math.sqrt(parts.values().get(1));
        for (int i = 0; i < x.length; i++) {
            x[i] = scale * z[i];
        }
        return shift + 1 / parts.values().get(0);
    }

    /** |x - A z| of the last solution, which NPB computes each time. */
    double residualNorm() {
        return residualNorm;
    }

    private double trueResidual() {
        product.multiply(z, residual);
        double square = 0;
        for (int i = 0; i < x.length; i++) {
            double difference = x[i] - residual[i];
            square += difference * difference;
        }
        return Math.sqrt(sum(square));
    }

    private void solve() {
        Arrays.fill(z, 0);
        System.arraycopy(x, 0, residual, 0, x.length);
        System.arraycopy(x, 0, direction, 0, x.length);
        double rho = sum(dot(residual, residual));
        for (int step = 0; step < CgProblem.STEPS; step++) {
            product.multiply(direction, image);
            advance(rho / sum(dot(direction, image)));
            double next = sum(dot(residual, residual));
            turn(next / rho);
            rho = next;
        }
        residualNorm = trueResidual();
    }

    private void advance(double alpha) {
        for (int i = 0; i < z.length; i++) {
            z[i] += alpha * direction[i];
            residual[i] -= alpha * image[i];
        }
    }

    private void turn(double beta) {
        for (int i = 0; i < direction.length; i++) {
            direction[i] = residual[i] + beta * direction[i];
        }
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    private double sum(double part) {
        parts.values().put(0, part);
        oneSum.run();
        return parts.values().get(0);
    }

    @Override
    public void close() {
        oneSum.close();
        twoSums.close();
    }
}
