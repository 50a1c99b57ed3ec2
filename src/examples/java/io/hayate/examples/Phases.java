// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/**
 * The evolution in time of states of a known energy: factors exp(-i time energy), where the energy
 * of a point of the cube is the sum of those of its three coordinates.
 */
final class Phases {
    private final double[] factors;

    /** `energies` are those of each value of a coordinate; all factors are scaled. */
    Phases(double[] energies, double time, double scale) {
        double each = Math.cbrt(scale);
        factors = new double[2 * energies.length];
        for (int i = 0; i < energies.length; i++) {
            factors[2 * i] = each * Math.cos(time * energies[i]);
            factors[2 * i + 1] = -each * Math.sin(time * energies[i]);
        }
    }

    /** On the line of points along one coordinate at j and k of the two others. */
    void apply(double[] line, int from, int j, int k) {
        double re = factors[2 * j] * factors[2 * k] - factors[2 * j + 1] * factors[2 * k + 1];
        double im = factors[2 * j] * factors[2 * k + 1] + factors[2 * j + 1] * factors[2 * k];
        for (int i = 0; i < factors.length; i += 2) {
            double c = factors[i] * re - factors[i + 1] * im;
            double s = factors[i] * im + factors[i + 1] * re;
            double value = line[from + i];
            line[from + i] = value * c - line[from + i + 1] * s;
            line[from + i + 1] = value * s + line[from + i + 1] * c;
        }
    }
}
