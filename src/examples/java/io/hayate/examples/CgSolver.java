// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.examples.CgResult.Outcome;
import java.util.Arrays;

/**
 * Conjugate gradients with Jacobi preconditioning in the form of Chronopoulos and Gear, "s-step
 * iterative methods for symmetric linear systems" (1989), with s = 1: A is applied to the
 * preconditioned residual instead of the direction, so that all dot products of an iteration are
 * known at once and go through a single allreduce. Its residual is a recurrence and drifts from
 * b - A x; when it says "converged" the true one is computed, and the iteration begins again from
 * there if that is too large. Nothing is allocated between iterations.
 */
final class CgSolver {
    private static final int GAMMA = 0; // r.z
    private static final int DELTA = 1; // z.Az
    private static final int SQUARE = 2; // r.r
    /** Parts of the sums of an iteration. */
    static final int SUMS = 3;

    private final DistributedMatrix matrix;
    private final GlobalSums sums;
    private final double tolerance;
    private final double[] inverseDiagonal;
    private final double[] residual;
    private final double[] preconditioned; // z
    private final double[] product; // A z
    private final double[] direction; // p
    private final double[] directionProduct; // A p
    private final double[] history;
    private final double[] alphas;
    private final double[] betas;
    private int iterations;
    private int lanczosSteps = -1;
    private double norm; // of b

    CgSolver(DistributedMatrix matrix, GlobalSums sums, double tolerance, int mostIterations) {
        this.matrix = matrix;
        this.sums = sums;
        this.tolerance = tolerance;
        int rows = matrix.rows();
        inverseDiagonal = matrix.diagonal();
        for (int i = 0; i < rows; i++) {
            inverseDiagonal[i] = 1 / inverseDiagonal[i];
        }
        residual = new double[rows];
        preconditioned = matrix.vector();
        product = new double[rows];
        direction = new double[rows];
        directionProduct = new double[rows];
        history = new double[mostIterations + 1];
        alphas = new double[mostIterations];
        betas = new double[mostIterations];
    }

    /** Solves A x = b from x = 0; `x` is a matrix.vector(). Collective. Once for each solver. */
    CgResult solve(double[] b, double[] x) {
        Arrays.fill(x, 0);
        norm = norm(b);
        if (norm == 0) {
            return new CgResult(Outcome.CONVERGED, new double[] {0}, 0, 1);
        }
        System.arraycopy(b, 0, residual, 0, residual.length);
        double before = 1;
        Outcome outcome = iterate(x);
        double now = trueResidual(b, x);
        while (outcome == Outcome.CONVERGED && now > tolerance) {
            if (now > before / 2) {
                outcome = Outcome.STAGNATED;
            } else {
                before = now;
                outcome = iterate(x);
                now = trueResidual(b, x);
            }
        }
        return new CgResult(outcome, Arrays.copyOf(history, iterations + 1), now,
                ConditionEstimate.of(alphas, betas, lanczosSteps));
    }

    /** Improves x; `residual` is b - A x. */
    private Outcome iterate(double[] x) {
        double alpha = 0;
        double gamma = 0;
        for (boolean first = true; ; first = false) {
            applyMatrix();
            double nextGamma = sums.get(GAMMA);
            history[iterations] = Math.sqrt(sums.get(SQUARE)) / norm;
            if (history[iterations] <= tolerance) {
                return ended(Outcome.CONVERGED);
            }
            if (iterations == alphas.length) {
                return ended(Outcome.ITERATION_LIMIT);
            }
            double beta = first ? 0 : nextGamma / gamma;
            double curvature = sums.get(DELTA) - (first ? 0 : beta * nextGamma / alpha);
            if (!(nextGamma > 0 && curvature > 0 && curvature < Double.POSITIVE_INFINITY)) {
                return ended(Outcome.NOT_POSITIVE_DEFINITE);
            }
            gamma = nextGamma;
            alpha = gamma / curvature;
            alphas[iterations] = alpha;
            betas[iterations++] = beta;
            advance(alpha, beta, x);
        }
    }

    /** z = r / diagonal, its product with A, and the three sums. */
    private void applyMatrix() {
        double gamma = 0;
        double square = 0;
        for (int i = 0; i < residual.length; i++) {
            double r = residual[i];
            double z = r * inverseDiagonal[i];
            preconditioned[i] = z;
            gamma += r * z;
            square += r * r;
        }
        double delta = matrix.multiply(preconditioned, product);
        sums.set(GAMMA, gamma);
        sums.set(DELTA, delta);
        sums.set(SQUARE, square);
        sums.sum(SUMS);
    }

    private void advance(double alpha, double beta, double[] x) {
        for (int i = 0; i < residual.length; i++) {
            double p = preconditioned[i] + beta * direction[i];
            double s = product[i] + beta * directionProduct[i];
            direction[i] = p;
            directionProduct[i] = s;
            x[i] += alpha * p;
            residual[i] -= alpha * s;
        }
    }

    /** Only the first run's coefficients tell of the matrix; later ones begin at rounding. */
    private Outcome ended(Outcome outcome) {
        if (lanczosSteps < 0) {
            lanczosSteps = iterations;
        }
        return outcome;
    }

    /** Makes `residual` b - A x; its norm relative to b's. */
    private double trueResidual(double[] b, double[] x) {
        matrix.multiply(x, residual);
        for (int i = 0; i < residual.length; i++) {
            residual[i] = b[i] - residual[i];
        }
        return norm(residual) / norm;
    }

    private double norm(double[] vector) {
        double square = 0;
        for (double value : vector) {
            square += value * value;
        }
        sums.set(0, square);
        sums.sum(1);
        return Math.sqrt(sums.get(0));
    }
}
