// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * Fourier transforms of a power of two of complex numbers, real and imaginary parts apart, in
 * place: of a row, or of many columns at once. Forward by decimation in frequency leaves the
 * coefficients in bit-reversed order, and inverse by decimation in time takes them so. The inverse
 * is not scaled. Allocates nothing.
 */
final class FtTransform {
    /** The last two steps of a row are one: their halves are too short for loops. */
    private static final int QUAD = 4;

    private final int points;
    // exp(-i pi k / half), k = 0 .. half - 1, from place `half` on, for half = 1, 2, 4, ...
    private final double[] cosines;
    private final double[] sines;

    FtTransform(int points) {
        if (points < QUAD || Integer.bitCount(points) != 1) {
            throw new IllegalArgumentException(
                    points + " points: expected a power of two, 4 or more");
        }
        this.points = points;
        cosines = new double[points];
        sines = new double[points];
    }

    /** Computes the roots of unity, which NPB wants to be measured. */
    void begin() {
        for (int half = 1; half < points; half *= 2) {
            for (int k = 0; k < half; k++) {
                cosines[half + k] = Math.cos(Math.PI * k / half);
                sines[half + k] = -Math.sin(Math.PI * k / half);
            }
        }
    }

    /** The wave number, -points/2 to points/2 - 1, of the coefficient at a place. */
    int waveNumber(int place) {
        int k = Integer.reverse(place) >>> Integer.numberOfLeadingZeros(points) + 1;
        return k < points / 2 ? k : k - points;
    }

    /** Of the row that begins at `row`: `points` real parts, then the imaginary ones. */
    void forwardRow(double[] a, int row) {
        for (int half = points / 2; half >= QUAD; half /= 2) {
            for (int start = row; start < row + points; start += 2 * half) {
                splitRow(a, start, half);
            }
        }
        splitQuads(a, row);
    }

    /** The inverse of forwardRow() times `points`. */
    void inverseRow(double[] a, int row) {
        joinQuads(a, row);
        for (int half = QUAD; half < points; half *= 2) {
            for (int start = row; start < row + points; start += 2 * half) {
                joinRow(a, start, half);
            }
        }
    }

    /**
     * Of `count` columns that stand side by side: from one number to the next of a column is
     * `pitch`, from the real part to the imaginary one `apart`.
     */
    void forwardColumns(double[] a, int first, int pitch, int apart, int count) {
        for (int half = points / 2; half >= 1; half /= 2) {
            for (int start = 0; start < points; start += 2 * half) {
                for (int k = 0; k < half; k++) {
                    int upper = first + (start + k) * pitch;
                    split(a, upper, upper + half * pitch, apart, count, half + k);
                }
            }
        }
    }

    /** The inverse of forwardColumns() times `points`. */
    void inverseColumns(double[] a, int first, int pitch, int apart, int count) {
        for (int half = 1; half < points; half *= 2) {
            for (int start = 0; start < points; start += 2 * half) {
                for (int k = 0; k < half; k++) {
                    int upper = first + (start + k) * pitch;
                    join(a, upper, upper + half * pitch, apart, count, half + k);
                }
            }
        }
    }

    /** To sums p and turned differences q. */
    private void split(double[] a, int p, int q, int apart, int count, int root) {
        double cosine = cosines[root];
        double sine = sines[root];
        for (int i = 0; i < count; i++) {
            double re = a[p + i] - a[q + i];
            double im = a[p + apart + i] - a[q + apart + i];
            a[p + i] += a[q + i];
            a[p + apart + i] += a[q + apart + i];
            a[q + i] = re * cosine - im * sine;
            a[q + apart + i] = re * sine + im * cosine;
        }
    }

    /** To sums p and differences q of p and the turned q. */
    private void join(double[] a, int p, int q, int apart, int count, int root) {
        double cosine = cosines[root];
        double sine = sines[root];
        for (int i = 0; i < count; i++) {
            double re = a[q + i] * cosine + a[q + apart + i] * sine;
            double im = a[q + apart + i] * cosine - a[q + i] * sine;
            a[q + i] = a[p + i] - re;
            a[q + apart + i] = a[p + apart + i] - im;
            a[p + i] += re;
            a[p + apart + i] += im;
        }
    }

    private void splitRow(double[] a, int p, int half) {
        int q = p + half;
        for (int i = 0; i < half; i++) {
            double re = a[p + i] - a[q + i];
            double im = a[p + points + i] - a[q + points + i];
            a[p + i] += a[q + i];
            a[p + points + i] += a[q + points + i];
            a[q + i] = re * cosines[half + i] - im * sines[half + i];
            a[q + points + i] = re * sines[half + i] + im * cosines[half + i];
        }
    }

    private void joinRow(double[] a, int p, int half) {
        int q = p + half;
        for (int i = 0; i < half; i++) {
            double re = a[q + i] * cosines[half + i] + a[q + points + i] * sines[half + i];
            double im = a[q + points + i] * cosines[half + i] - a[q + i] * sines[half + i];
            a[q + i] = a[p + i] - re;
            a[q + points + i] = a[p + points + i] - im;
            a[p + i] += re;
            a[p + points + i] += im;
        }
    }

    /** The roots are 1 and -i. */
    private void splitQuads(double[] a, int row) {
        for (int i = row; i < row + points; i += QUAD) {
            int j = i + points;
            double re = a[i + 1] - a[i + 3];
            double im = a[j + 1] - a[j + 3];
            joinPairs(a, i, a[i] + a[i + 2], a[i + 1] + a[i + 3], a[i] - a[i + 2], im);
            joinPairs(a, j, a[j] + a[j + 2], a[j + 1] + a[j + 3], a[j] - a[j + 2], -re);
        }
    }

    private static void joinPairs(double[] a, int at, double b0, double b1, double b2, double b3) {
        a[at] = b0 + b1;
        a[at + 1] = b0 - b1;
        a[at + 2] = b2 + b3;
        a[at + 3] = b2 - b3;
    }

    /** The roots are 1 and i. */
    private void joinQuads(double[] a, int row) {
        for (int i = row; i < row + points; i += QUAD) {
            int j = i + points;
            double re = a[i + 2] - a[i + 3];
            double im = a[j + 2] - a[j + 3];
            joinHalves(a, i, a[i] + a[i + 1], a[i] - a[i + 1], a[i + 2] + a[i + 3], -im);
            joinHalves(a, j, a[j] + a[j + 1], a[j] - a[j + 1], a[j + 2] + a[j + 3], re);
        }
    }

    private static void joinHalves(double[] a, int at, double b0, double b1, double b2, double b3) {
        a[at] = b0 + b2;
        a[at + 1] = b1 + b3;
        a[at + 2] = b0 - b2;
        a[at + 3] = b1 - b3;
    }
}
