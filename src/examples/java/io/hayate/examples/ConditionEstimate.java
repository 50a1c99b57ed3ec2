// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/**
 * Condition number of the preconditioned matrix as conjugate gradients saw it: their coefficients
 * are those of the Lanczos tridiagonal matrix, whose extreme eigenvalues approach the matrix's own.
 */
final class ConditionEstimate {
    private static final double SMALLEST = 1e-18;

    private final double[] diagonal;
    private final double[] offSquared; // of (i - 1, i)

    private ConditionEstimate(double[] alphas, double[] betas, int steps) {
        diagonal = new double[steps];
        offSquared = new double[steps];
        for (int i = 0; i < steps; i++) {
            diagonal[i] = 1 / alphas[i];
            if (i > 0) {
                diagonal[i] += betas[i] / alphas[i - 1];
                offSquared[i] = betas[i] / (alphas[i - 1] * alphas[i - 1]);
            }
        }
    }

    /** From the first `steps` step lengths and factors of the directions; betas[0] is not used. */
    static double of(double[] alphas, double[] betas, int steps) {
        if (steps == 0) {
            return 1;
        }
        ConditionEstimate lanczos = new ConditionEstimate(alphas, betas, steps);
        return lanczos.eigenvalue(steps) / lanczos.eigenvalue(1);
    }

    /** The nth smallest eigenvalue, all being positive, by bisection. */
    private double eigenvalue(int nth) {
        double most = bound();
        double least = most * SMALLEST;
        for (int i = 0; i < 100 && most > least * (1 + 1e-6); i++) {
            double middle = Math.sqrt(least * most);
            if (below(middle) >= nth) {
                most = middle;
            } else {
                least = middle;
            }
        }
        return most;
    }

    /** Number of eigenvalues below a value: the sign changes of Sturm's sequence. */
    private int below(double value) {
        int count = 0;
        double pivot = 1;
        for (int i = 0; i < diagonal.length; i++) {
            pivot = diagonal[i] - value - offSquared[i] / pivot;
            if (pivot == 0) {
                pivot = -Double.MIN_NORMAL;
            }
            count += pivot < 0 ? 1 : 0;
        }
        return count;
    }

    /** Gershgorin's bound of the eigenvalues. */
    private double bound() {
        double bound = 0;
        for (int i = 0; i < diagonal.length; i++) {
            double next = i + 1 < diagonal.length ? Math.sqrt(offSquared[i + 1]) : 0;
            bound = Math.max(bound, diagonal[i] + Math.sqrt(offSquared[i]) + next);
        }
        return bound * (1 + 1e-6);
    }
}
