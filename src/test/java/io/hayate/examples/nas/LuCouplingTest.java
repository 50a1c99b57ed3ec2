// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks against the textbook's fluxes, and against each other. */
@Tag("example")
class LuCouplingTest {
    private static final double TIME_STEP = 0.01;
    private static final double NUDGE = 1e-6;
    private static final int COMPONENTS = CfdExact.COMPONENTS;

    private final LuFlow flow = new LuFlow(LuRanks.of(0, 1).box(6));
    private final double[][] vectors = new double[COMPONENTS][flow.box().length()];
    private final int at = flow.box().row(5, 4) + 3;

    LuCouplingTest() {
        Random random = new Random(5);
        flow.setExact();
        for (double[] each : vectors) {
            each[at] = random.nextDouble() - 0.5;
        }
    }

    @ParameterizedTest
    @CsvSource({"0,1", "0,-1", "1,1", "1,-1", "2,1", "2,-1"})
    void should_be_the_derivative_of_the_fluxes(int axis, int direction) {
        double[] sum = new double[COMPONENTS];
        new LuCoupling(flow, axis, TIME_STEP).add(vectors, at, direction, sum);
        double[] above = difference(axis, direction, NUDGE);
        double[] below = difference(axis, direction, -NUDGE);
        for (int m = 0; m < COMPONENTS; m++) {
            assertEquals((above[m] - below[m]) / (2 * NUDGE), sum[m], 1e-7);
        }
    }

    /** The diagonal block is one less what a point couples to itself as its own neighbour. */
    @Test
    void should_solve_a_system_whose_solution_is_known() {
        double[] right = column(vectors);
        for (int axis = 0; axis < 3; axis++) {
            double[] sum = new double[COMPONENTS];
            LuCoupling coupling = new LuCoupling(flow, axis, TIME_STEP);
            coupling.add(vectors, at, 1, sum);
            coupling.add(vectors, at, -1, sum);
            for (int m = 0; m < COMPONENTS; m++) {
                right[m] -= sum[m];
            }
        }
        new LuDiagonal(flow, TIME_STEP).solve(at, right);
        assertArrayEquals(column(vectors), right, 1e-14);
    }

    /** What a step takes over from a neighbour whose state is nudged along its vector. */
    private double[] difference(int axis, int direction, double nudge) {
        double[] u = column(flow.state());
        for (int m = 0; m < COMPONENTS; m++) {
            u[m] += nudge * vectors[m][at];
        }
        double step = 1.0 / 5;
        double[] convection = convection(u, axis);
        double[] viscosity = viscosity(u, axis);
        double[] difference = new double[COMPONENTS];
        for (int m = 0; m < COMPONENTS; m++) {
            difference[m] = TIME_STEP * (direction * convection[m] / (2 * step)
                    - 0.1 * viscosity[m] / (step * step)
                    - (axis == 2 ? 1 : 0.75) * u[m] / (step * step));
        }
        return difference;
    }

    private static double[] convection(double[] u, int axis) {
        double velocity = u[1 + axis] / u[0];
        double pressure = 0.4 * (u[4] - (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / (2 * u[0]));
        double[] flux = {u[1 + axis], u[1] * velocity, u[2] * velocity, u[3] * velocity,
            (u[4] + pressure) * velocity};
        flux[1 + axis] += pressure;
        return flux;
    }

    private static double[] viscosity(double[] u, int axis) {
        double[] v = {u[1] / u[0], u[2] / u[0], u[3] / u[0]};
        double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        double[] flux = {0, v[0], v[1], v[2], 0.5 * (1 - 1.4 * 1.4) * square
                + v[axis] * v[axis] / 6 + 1.4 * 1.4 * u[4] / u[0]};
        flux[1 + axis] *= 4.0 / 3;
        return flux;
    }

    private double[] column(double[][] fields) {
        double[] column = new double[COMPONENTS];
        for (int m = 0; m < COMPONENTS; m++) {
            column[m] = fields[m][at];
        }
        return column;
    }
}
