// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The difference operators along an axis. The stencil is linear diffusion, less an artificial
 * dissipation by fourth differences, which leave out the boundary.
 */
final class CfdAxis {
    static final int STENCIL = 5; // weights, of the points from two before to two after

    private static final double DISSIPATION = 0.25;
    private static final double[] SECOND = {0, 1, -2, 1, 0};
    private static final double[] FOURTH = {1, -4, 6, -4, 1};
    private static final double FOURTH_AT_END = 5; // instead of 6

    private final int number;
    private final double first;
    private final double second;
    private final double diffusion;
    private final double[] stencil;

    /** Axis x, y or z is number 0, 1 or 2, with `points` of the grid. */
    CfdAxis(int number, int points) {
        this.number = number;
        double intervals = points - 1;
        first = intervals / 2;
        second = intervals * intervals;
        diffusion = number == 2 ? 1 : 0.75;
        stencil = new double[STENCIL * points];
        for (int point = 1; point < points - 1; point++) {
            for (int i = 0; i < STENCIL; i++) {
                stencil[STENCIL * point + i] = diffusion * second * SECOND[i]
                        - DISSIPATION * fourth(point, i, points);
            }
        }
    }

    private static double fourth(int point, int i, int points) {
        int other = point + i - STENCIL / 2;
        if (other < 1 || other > points - 2) {
            return 0;
        }
        boolean atEnd = point == 1 || point == points - 2;
        return atEnd && other == point ? FOURTH_AT_END : FOURTH[i];
    }

    int number() {
        return number;
    }

    /** Factor of the difference of the points after and before: 1 over two intervals. */
    double first() {
        return first;
    }

    /** Factor of second differences: 1 over the square of an interval. */
    double second() {
        return second;
    }

    double diffusion() {
        return diffusion;
    }

    /** STENCIL weights for each point of the grid; those of points on the boundary are 0. */
    double[] stencil() {
        return stencil;
    }
}
