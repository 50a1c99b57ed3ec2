// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/**
 * Compares a solution with the known one. The right-hand side is made from the rows as they were
 * read or built, without any communication, so that a wrong exchange of the halo shows as a wrong
 * solution. Norms of the error are weighted by the diagonal: there the bound holds that the
 * relative error is at most the preconditioned matrix's condition number times the
 * relative residual.
 *
 * @param residual |b - A x| / |b|
 * @param error    |x - known| / |known|, weighted
 * @param limit    what the error may be, ten times the bound
 * @param norm     of the solution, to compare runs by, as are the next two
 * @param sum      of the solution's entries
 * @param wave     sum of entry i times cos(i)
 */
record SolutionCheck(double residual, double error, double limit, double norm, double sum,
        double wave) {
    private static final double ROUNDING = 1e-13;
    private static final double SAFETY = 10;

    /** Entry i of the solution. */
    static double known(int i) {
        return 1 + i % 7;
    }

    /** This rank's part of A times the known solution. */
    static double[] rightHandSide(RowBlock block) {
        CsrMatrix matrix = block.matrix();
        double[] b = new double[block.rows()];
        for (int row = 0; row < b.length; row++) {
            for (int k = matrix.rowPointers()[row]; k < matrix.rowPointers()[row + 1]; k++) {
                b[row] += matrix.values()[k] * known(matrix.columns()[k]);
            }
        }
        return b;
    }

    /** Collective. `x` is a matrix.vector(), `first` the number of this rank's first row. */
    static SolutionCheck of(DistributedMatrix matrix, GlobalSums sums, int first, double[] b,
            double[] x, double condition) {
        double[] product = new double[b.length];
        matrix.multiply(x, product);
        double[] diagonal = matrix.diagonal();
        double[] parts = new double[9];
        for (int i = 0; i < b.length; i++) {
            double r = b[i] - product[i];
            double known = known(first + i);
            double error = x[i] - known;
            parts[0] += r * r;
            parts[1] += b[i] * b[i];
            parts[2] += r * r / diagonal[i];
            parts[3] += b[i] * b[i] / diagonal[i];
            parts[4] += error * error * diagonal[i];
            parts[5] += known * known * diagonal[i];
            parts[6] += x[i] * x[i];
            parts[7] += x[i];
            parts[8] += x[i] * Math.cos(first + i);
        }
        return of(sums, parts, condition);
    }

    boolean isRight() {
        return error <= limit;
    }

    private static SolutionCheck of(GlobalSums sums, double[] parts, double condition) {
        for (int i = 0; i < parts.length; i++) {
            sums.set(i, parts[i]);
        }
        sums.sum(parts.length);
        double weighted = Math.sqrt(sums.get(2) / sums.get(3));
        return new SolutionCheck(Math.sqrt(sums.get(0) / sums.get(1)),
                Math.sqrt(sums.get(4) / sums.get(5)),
                SAFETY * condition * Math.max(weighted, ROUNDING),
                Math.sqrt(sums.get(6)), sums.get(7), sums.get(8));
    }
}
