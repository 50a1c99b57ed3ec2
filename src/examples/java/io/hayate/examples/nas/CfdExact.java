// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The exact solution: in each component a constant and a polynomial of degree four of each
 * coordinate of the unit cube.
 */
final class CfdExact {
    /** Density, momentum along x, y and z, energy: per volume. */
    static final int COMPONENTS = 5;

    /** Of a component: the constant, then the factors of x, y, z, of their squares, and so on. */
    private static final double[][] FACTORS = {
        {2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
        {1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
        {2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
        {2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
        {5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2},
    };

    private CfdExact() {}

    /** A component at a point. */
    static double value(int component, double x, double y, double z) {
        double[] factors = FACTORS[component];
        return factors[0] + polynomial(factors, 1, x) + polynomial(factors, 2, y)
                + polynomial(factors, 3, z);
    }

    /** All components at a point. */
    static void put(double x, double y, double z, double[] to, int at) {
        for (int m = 0; m < COMPONENTS; m++) {
            to[at + m] = value(m, x, y, z);
        }
    }

    private static double polynomial(double[] factors, int axis, double x) {
        return x * (factors[axis] + x * (factors[axis + 3]
                + x * (factors[axis + 6] + x * factors[axis + 9])));
    }
}
