// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The parameters of a class of FT.
 *
 * @param x points, a power of two, as y and z
 * @param y points
 * @param z points
 * @param checksums after each iteration, real and imaginary parts in turn, as NPB publishes them
 */
record FtProblem(int x, int y, int z, double[] checksums) {
    static final double TOLERANCE = 1e-12; // relative, of each part

    static FtProblem of(ProblemClass problem) {
        return switch (problem) {
            case S -> new FtProblem(64, 64, 64, FtChecksums.SMALL);
            case W -> new FtProblem(128, 128, 32, FtChecksums.WORKSTATION);
            case A -> new FtProblem(256, 256, 128, FtChecksums.A);
            case B -> new FtProblem(512, 256, 256, FtChecksums.B);
        };
    }

    int iterations() {
        return checksums.length / 2;
    }

    double points() {
        return (double) x * y * z;
    }

    /** Floating point operations, as NPB counts them. */
    double operations() {
        double logarithm = Math.log(points());
        return points() * (14.8157 + 7.19641 * logarithm
                + (5.23518 + 7.21113 * logarithm) * iterations());
    }
}
