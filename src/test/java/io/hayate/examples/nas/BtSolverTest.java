// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The implicit steps of BT against their definition. */
@Tag("example")
class BtSolverTest {
    private static final int COMPONENTS = CfdExact.COMPONENTS;
    private static final int POINTS = 9;
    private static final double H = 1.0 / (POINTS - 1);
    private static final double DT = 0.01;

    private final Random random = new Random(12);
    private final CfdCell cell = CfdGas.random(random, POINTS, BtElimination.FACTORS);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void should_find_what_the_right_sides_were_made_of(int axis) {
        double[] expected = CfdGas.randomInside(random, cell);
        CfdGas.forEachPoint(cell, (at, place) -> {
            double[] change = new double[COMPONENTS];
            for (int i = -1; i <= 1; i++) {
                addProduct(block(axis, at + i * cell.pitch(axis), i), expected,
                        at + i * cell.pitch(axis), change);
            }
            for (int m = 0; m < COMPONENTS; m++) {
                int here = COMPONENTS * at + m;
                cell.right()[here] = expected[here] - DT * change[m];
            }
        });
        BtElimination solver = new BtElimination(new CfdAxis(axis, POINTS), DT);
        solver.eliminate(cell);
        solver.substitute(cell);
        assertArrayEquals(expected, cell.right(), 1e-12);
    }

    /** How the right side at a point depends on the solution i points after it. */
    private double[] block(int axis, int at, int i) {
        double[] block = new double[BtElimination.FACTORS];
        BtJacobian jacobian = new BtJacobian(axis);
        double second = (i == 0 ? -2 : 1) / (H * H);
        jacobian.addConvection(-i / (2 * H), cell.flow(), at, block);
        jacobian.addViscosity(second, cell.flow(), at, block);
        for (int m = 0; m < COMPONENTS; m++) {
            block[COMPONENTS * m + m] += second * (axis == 2 ? 1 : 0.75);
        }
        return block;
    }

    private static void addProduct(double[] block, double[] x, int at, double[] sum) {
        for (int m = 0; m < COMPONENTS; m++) {
            for (int n = 0; n < COMPONENTS; n++) {
                sum[m] += block[COMPONENTS * m + n] * x[COMPONENTS * at + n];
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void should_have_the_derivatives_of_the_fluxes_as_blocks(int axis) {
        int at = cell.at(1, 2, 3);
        double[] u = Arrays.copyOfRange(cell.solution(), COMPONENTS * at, COMPONENTS * (at + 1));
        double[] convection = new double[BtElimination.FACTORS];
        double[] viscosity = new double[BtElimination.FACTORS];
        new BtJacobian(axis).addConvection(1, cell.flow(), at, convection);
        new BtJacobian(axis).addViscosity(1, cell.flow(), at, viscosity);
        double small = 1e-6;
        for (int n = 0; n < COMPONENTS; n++) {
            double[] more = u.clone();
            double[] less = u.clone();
            more[n] += small;
            less[n] -= small;
            for (int m = 0; m < COMPONENTS; m++) {
                assertEquals((carried(axis, more)[m] - carried(axis, less)[m]) / (2 * small),
                        convection[COMPONENTS * m + n], 1e-7);
                assertEquals((viscous(axis, more)[m] - viscous(axis, less)[m]) / (2 * small),
                        viscosity[COMPONENTS * m + n], 1e-7);
            }
        }
    }

    /** Along an axis, and the pressure. */
    private static double[] carried(int axis, double[] u) {
        double velocity = u[1 + axis] / u[0];
        double pressure = 0.4 * (u[4] - (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / (2 * u[0]));
        double[] flux = new double[COMPONENTS];
        for (int m = 0; m < COMPONENTS; m++) {
            flux[m] = velocity * u[m];
        }
        flux[1 + axis] += pressure;
        flux[4] += velocity * pressure;
        return flux;
    }

    /** Of which a second difference is friction, its work, and conduction. */
    private static double[] viscous(int axis, double[] u) {
        double[] flux = new double[COMPONENTS];
        flux[4] = 0.1 * 1.96 * u[4] / u[0];
        for (int m = 0; m < CfdCell.AXES; m++) {
            double velocity = u[1 + m] / u[0];
            double friction = m == axis ? 4.0 / 3 : 1;
            flux[1 + m] = 0.1 * friction * velocity;
            flux[4] += 0.1 * (friction - 1.96) * velocity * velocity / 2;
        }
        return flux;
    }
}
