// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/**
 * Fourier transform of a power of two of complex numbers, real and imaginary parts alternating, by
 * radix 2 in place. Coefficients stand in bit-reversed order: forward by decimation in frequency
 * leaves them so and inverse by decimation in time takes them so, and what is done to them between
 * the two seldom minds. Allocates nothing; any number of threads may use it.
 */
final class Fft {
    private final int points;
    /** For half = 1, 2, 4, ... exp(-i pi k / half), k = 0 .. half - 1, from place `half` on. */
    private final double[] twiddles;

    Fft(int points) {
        if (points < 1 || Integer.bitCount(points) != 1) {
            throw new IllegalArgumentException(points + " points, expected a power of two");
        }
        this.points = points;
        twiddles = new double[2 * points];
        for (int half = 1; half < points; half *= 2) {
            for (int k = 0; k < half; k++) {
                twiddles[2 * (half + k)] = Math.cos(Math.PI * k / half);
                twiddles[2 * (half + k) + 1] = -Math.sin(Math.PI * k / half);
            }
        }
    }

    /** The wave number, -points/2 to points/2 - 1, of the coefficient that stands at a place. */
    int waveNumber(int place) {
        if (points == 1) {
            return 0;
        }
        int k = Integer.reverse(place) >>> Integer.numberOfLeadingZeros(points) + 1;
        return k < points / 2 ? k : k - points;
    }

    /** Makes the numbers from a[from] on the sums over j of a_j exp(-2 pi i j k / points). */
    void forward(double[] a, int from) {
        int end = from + 2 * points;
        for (int half = points / 2; half >= 1; half /= 2) {
            for (int start = from; start < end; start += 4 * half) {
                split(a, start, half);
            }
        }
    }

    /** The inverse of forward() times `points`. */
    void inverse(double[] a, int from) {
        int end = from + 2 * points;
        for (int half = 1; half < points; half *= 2) {
            for (int start = from; start < end; start += 4 * half) {
                join(a, start, half);
            }
        }
    }

    /** To the sums and the turned differences of two halves. */
    private void split(double[] a, int start, int half) {
        for (int i = start, j = start + 2 * half, w = 2 * half; i < start + 2 * half;
                i += 2, j += 2, w += 2) {
            double re = a[i] - a[j];
            double im = a[i + 1] - a[j + 1];
            a[i] += a[j];
            a[i + 1] += a[j + 1];
            a[j] = re * twiddles[w] - im * twiddles[w + 1];
            a[j + 1] = re * twiddles[w + 1] + im * twiddles[w];
        }
    }

    private void join(double[] a, int start, int half) {
        for (int i = start, j = start + 2 * half, w = 2 * half; i < start + 2 * half;
                i += 2, j += 2, w += 2) {
            double re = a[j] * twiddles[w] + a[j + 1] * twiddles[w + 1];
            double im = a[j + 1] * twiddles[w] - a[j] * twiddles[w + 1];
            a[j] = a[i] - re;
            a[j + 1] = a[i + 1] - im;
            a[i] += re;
            a[i + 1] += im;
        }
    }
}
