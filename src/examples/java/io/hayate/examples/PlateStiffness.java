// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/**
 * The energy of bending of a square plate with free edges, by the method of Ritz. The plate is
 * [-1, 1] x [-1, 1], and its shape is a sum of products P_m(x) P_n(y) of Legendre polynomials whose
 * mean square is 1. They are orthonormal, so the matrix of the mass is the identity, and squares of
 * frequencies are the eigenvalues of this matrix alone. Integrals are exact.
 */
final class PlateStiffness {
    private final int order;
    private final double poisson;
    private final double[][] slopes; // integrals of P_m' P_p'
    private final double[][] bends; // of P_m'' P_p''
    private final double[][] mixed; // of P_m'' P_p

    /** With polynomials of degrees below the order, in each direction. */
    PlateStiffness(int order, double poisson) {
        this.order = order;
        this.poisson = poisson;
        double[][] first = derivatives(order);
        double[][] second = product(first, first, false);
        slopes = product(first, first, true);
        bends = product(second, second, true);
        mixed = second;
    }

    int size() {
        return order * order;
    }

    /** The expansion of P_n' in the P_k of lower degrees: row k, column n. */
    private static double[][] derivatives(int order) {
        double[][] expansion = new double[order][order];
        for (int n = 0; n < order; n++) {
            for (int k = n - 1; k >= 0; k -= 2) {
                expansion[k][n] = Math.sqrt((2.0 * n + 1) * (2.0 * k + 1));
            }
        }
        return expansion;
    }

    /** A B, or A^T B. */
    private static double[][] product(double[][] a, double[][] b, boolean transposed) {
        int n = a.length;
        double[][] result = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < n; k++) {
                    result[i][j] += (transposed ? a[k][i] : a[i][k]) * b[k][j];
                }
            }
        }
        return result;
    }

    /** The element of two products of polynomials, whose number is m * order + n. */
    double at(int row, int column) {
        int m = row / order;
        int n = row % order;
        int p = column / order;
        int q = column % order;
        double energy = poisson * (mixed[p][m] * mixed[n][q] + mixed[m][p] * mixed[q][n])
                + 2 * (1 - poisson) * slopes[m][p] * slopes[n][q];
        energy += n == q ? bends[m][p] : 0;
        return energy + (m == p ? bends[n][q] : 0);
    }

    /** The frequency parameter omega a^2 sqrt(rho h / D) of an eigenvalue; the side a is 2. */
    static double frequency(double eigenvalue) {
        return 4 * Math.sqrt(Math.max(eigenvalue, 0));
    }

    /** The deflection at (x, y) of a mode with these coefficients. */
    double deflection(double[] coefficients, double x, double y) {
        double[] inX = polynomials(x);
        double[] inY = polynomials(y);
        double sum = 0;
        for (int m = 0; m < order; m++) {
            for (int n = 0; n < order; n++) {
                sum += coefficients[m * order + n] * inX[m] * inY[n];
            }
        }
        return sum;
    }

    /** All polynomials at a point, by their recurrence. */
    private double[] polynomials(double x) {
        double[] values = new double[order];
        double previous = 0;
        double current = 1;
        for (int n = 0; n < order; n++) {
            values[n] = current * Math.sqrt(n + 0.5);
            double next = ((2 * n + 1) * x * current - n * previous) / (n + 1);
            previous = current;
            current = next;
        }
        return values;
    }
}
