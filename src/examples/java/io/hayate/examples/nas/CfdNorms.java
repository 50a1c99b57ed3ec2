// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.Arrays;

/**
 * Root mean squares of each component over the interior of the grid: of the right side for each
 * unit of time, and of the difference of the solution to the exact one.
 */
final class CfdNorms implements AutoCloseable {
    private static final int COMPONENTS = CfdExact.COMPONENTS;

    private final CfdProblem problem;
    private final double[] exact = new double[COMPONENTS];
    private final double[] residuals = new double[COMPONENTS];
    private final double[] errors = new double[COMPONENTS];
    private final Doubles squares; // of residuals, then of errors
    private final Sum sum;

    CfdNorms(NasJob job, CfdProblem problem) {
        this.problem = problem;
        squares = job.doubles(2 * COMPONENTS);
        sum = new Sum(job, squares.all());
    }

    /** Collective. */
    void compute(CfdCell[] cells) {
        Arrays.fill(residuals, 0);
        Arrays.fill(errors, 0);
        for (CfdCell cell : cells) {
            cell.forEachRow(this::addRow);
        }
        squares.values().put(0, residuals).put(COMPONENTS, errors);
        sum.run();
        squares.values().get(0, residuals).get(COMPONENTS, errors);
        double points = Math.pow(problem.points() - 2, 3);
        for (int m = 0; m < COMPONENTS; m++) {
            residuals[m] = Math.sqrt(residuals[m] / points) / problem.dt();
            errors[m] = Math.sqrt(errors[m] / points);
        }
    }

    private void addRow(CfdCell cell, int j, int k) {
        for (int i = cell.begin(0); i < cell.end(0); i++) {
            CfdExact.put(cell.coordinate(0, i), cell.coordinate(1, j), cell.coordinate(2, k),
                    exact, 0);
            int at = COMPONENTS * cell.at(i, j, k);
            for (int m = 0; m < COMPONENTS; m++) {
                double residual = cell.right()[at + m];
                double error = cell.solution()[at + m] - exact[m];
                residuals[m] += residual * residual;
                errors[m] += error * error;
            }
        }
    }

    double[] residuals() {
        return residuals;
    }

    double[] errors() {
        return errors;
    }

    /** The largest relative difference of a norm to the published one. */
    double difference() {
        double most = 0;
        for (int m = 0; m < COMPONENTS; m++) {
            most = Math.max(most, difference(residuals[m], problem.residuals()[m]));
            most = Math.max(most, difference(errors[m], problem.errors()[m]));
        }
        return most;
    }

    private static double difference(double norm, double published) {
        return Math.abs((norm - published) / published);
    }

    @Override
    public void close() {
        sum.close();
    }
}
