// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/** The kernels of a factorisation on square tiles of doubles, stored by rows. */
final class TileKernels {
    private TileKernels() {
    }

    /** a = l l^T; the lower triangle of l in its place, zeros above. */
    static void factor(double[] a, int n) {
        for (int j = 0; j < n; j++) {
            double pivot = a[j * n + j] - dot(a, j * n, a, j * n, j);
            if (!(pivot > 0)) {
                throw new ArithmeticException("not positive definite: pivot " + pivot + " in row "
                        + j + " of a diagonal tile");
            }
            a[j * n + j] = Math.sqrt(pivot);
            for (int i = j + 1; i < n; i++) {
                a[i * n + j] = (a[i * n + j] - dot(a, i * n, a, j * n, j)) / a[j * n + j];
                a[j * n + i] = 0;
            }
        }
    }

    /** a = a l^-T, l of {@link #factor}. */
    static void solve(double[] l, double[] a, int n) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i * n + j] = (a[i * n + j] - dot(a, i * n, l, j * n, j)) / l[j * n + j];
            }
        }
    }

    /** c = c - a b^T. */
    static void update(double[] a, double[] b, double[] c, int n) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                c[i * n + j] -= dot(a, i * n, b, j * n, n);
            }
        }
    }

    /** Four sums, which need not wait for each other. */
    private static double dot(double[] a, int from, double[] b, int at, int count) {
        double first = 0;
        double second = 0;
        double third = 0;
        double fourth = 0;
        int k = 0;
        for (; k + 3 < count; k += 4) {
            first += a[from + k] * b[at + k];
            second += a[from + k + 1] * b[at + k + 1];
            third += a[from + k + 2] * b[at + k + 2];
            fourth += a[from + k + 3] * b[at + k + 3];
        }
        for (; k < count; k++) {
            first += a[from + k] * b[at + k];
        }
        return first + second + (third + fourth);
    }
}
