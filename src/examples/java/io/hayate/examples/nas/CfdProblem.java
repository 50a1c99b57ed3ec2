// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The parameters of a class of SP or BT, and the norms that NPB publishes.
 *
 * @param points on each side of the grid, with those on the boundary
 * @param steps in time
 * @param dt length of a step
 * @param operations floating-point, of one step, as NPB counts them
 * @param residuals root mean squares of the five components after the last step
 * @param errors the same, of the difference to the exact solution
 */
record CfdProblem(int points, int steps, double dt, double operations, double[] residuals,
        double[] errors) {
    static final double TOLERANCE = 1e-8; // relative
}
