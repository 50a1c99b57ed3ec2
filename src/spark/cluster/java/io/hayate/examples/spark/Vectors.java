// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.spark;

/** The two operations on vectors in which the examples spend their time. */
final class Vectors {
    private Vectors() {
    }

    /** Four partial sums, because each addition waits for the one before. */
    static double dot(double[] a, int from, double[] b, int length) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        int i = 0;
        for (; i + 3 < length; i += 4) {
            s0 += a[from + i] * b[i];
            s1 += a[from + i + 1] * b[i + 1];
            s2 += a[from + i + 2] * b[i + 2];
            s3 += a[from + i + 3] * b[i + 3];
        }
        for (; i < length; i++) {
            s0 += a[from + i] * b[i];
        }
        return s0 + s1 + (s2 + s3);
    }

    static double dot(double[] a, double[] b) {
        return dot(a, 0, b, b.length);
    }

    /** y += factor x, from x[from] on. */
    static void add(double factor, double[] x, int from, double[] y, int length) {
        for (int i = 0; i < length; i++) {
            y[i] += factor * x[from + i];
        }
    }
}
