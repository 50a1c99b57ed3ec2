// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The parameters of a class of MG.
 *
 * @param points on each side of the finest grid, a power of two
 * @param iterations V-cycles
 * @param norm of the last residual, as NPB publishes it
 * @param smoother weights by distance, of the point itself, of its neighbours across a face, and
 *     across an edge; those across a corner have none
 */
record MgProblem(int points, int iterations, double norm, double[] smoother) {
    static final double TOLERANCE = 1e-8; // relative

    private static final double OPERATIONS_PER_POINT = 58;

    static MgProblem of(ProblemClass problem) {
        return switch (problem) {
            case S -> new MgProblem(32, 4, 0.5307707005734e-04, mild());
            case W -> new MgProblem(128, 4, 0.6467329375339e-05, mild());
            case A -> new MgProblem(256, 4, 0.2433365309069e-05, mild());
            case B -> new MgProblem(256, 20, 0.1800564401355e-05, strong());
        };
    }

    private static double[] mild() {
        return new double[] {-3.0 / 8, 1.0 / 32, -1.0 / 64};
    }

    private static double[] strong() {
        return new double[] {-3.0 / 17, 1.0 / 33, -1.0 / 61};
    }

    /** Number of the finest level, whose grid has 2 to that power points on a side. */
    int levels() {
        return Integer.numberOfTrailingZeros(points);
    }

    double operations() {
        return OPERATIONS_PER_POINT * iterations * Math.pow(points, 3);
    }
}
