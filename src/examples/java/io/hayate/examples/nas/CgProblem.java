// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * Sizes of the eigenvalue problem: rows of the matrix, nonzeros of the vectors it is made from, and
 * the eigenvalue estimate zeta that comes out.
 */
record CgProblem(int rows, int nonzeros, int iterations, double shift, double zeta) {
    /** Of the conjugate gradients in each iteration. */
    static final int STEPS = 25;
    /** Largest relative error of zeta. */
    static final double TOLERANCE = 1e-10;

    static CgProblem of(ProblemClass problem) {
        return switch (problem) {
            case S -> new CgProblem(1400, 7, 15, 10, 8.5971775078648);
            case W -> new CgProblem(7000, 8, 15, 12, 10.362595087124);
            case A -> new CgProblem(14000, 11, 15, 20, 17.130235054029);
            case B -> new CgProblem(75000, 13, 75, 60, 22.712745482631);
        };
    }

    /** Floating point operations, as NPB counts them. */
    double operations() {
        double product = nonzeros * (nonzeros + 1.0);
        return 2.0 * iterations * rows * (3 + product + STEPS * (5 + product) + 3);
    }
}
