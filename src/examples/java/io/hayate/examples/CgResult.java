// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/**
 * How conjugate gradients ended. `history` are the relative residuals |r| / |b|, history[i] after i
 * iterations; `residual` is the last one computed from its definition, b - A x.
 */
record CgResult(Outcome outcome, double[] history, double residual, double condition) {
    /** Why the iteration ended. */
    enum Outcome {
        CONVERGED("converged"),
        ITERATION_LIMIT("not converged within the iterations allowed"),
        STAGNATED("not converged: rounding errors do not let the residual get smaller"),
        NOT_POSITIVE_DEFINITE("not converged: the matrix is not positive definite");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    boolean converged() {
        return outcome == Outcome.CONVERGED;
    }

    int iterations() {
        return history.length - 1;
    }
}
