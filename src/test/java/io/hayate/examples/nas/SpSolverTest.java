// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The implicit steps of SP against their definition. */
@Tag("example")
class SpSolverTest {
    private static final int POINTS = 9;
    private static final double H = 1.0 / (POINTS - 1);
    private static final double DT = 0.01;
    private static final int[] SOUND = {0, 0, 0, 1, -1}; // how a variable moves with the sound

    private final Random random = new Random(11);
    private final CfdCell cell = CfdGas.random(random, POINTS, SpElimination.FACTORS);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void should_find_what_the_right_sides_were_made_of(int axis) {
        double[] expected = CfdGas.randomInside(random, cell);
        CfdGas.forEachPoint(cell, (at, place) -> {
            for (int m = 0; m < CfdExact.COMPONENTS; m++) {
                cell.right()[CfdExact.COMPONENTS * at + m] =
                        implicit(expected, axis, at, place[axis], m);
            }
        });
        SpElimination solver = new SpElimination(new CfdAxis(axis, POINTS), DT);
        solver.eliminate(cell);
        solver.substitute(cell);
        assertArrayEquals(expected, cell.right(), 1e-12);
    }

    /** A variable less what diffusion, dissipation, conduction and convection make of it. */
    private double implicit(double[] x, int axis, int at, int point, int m) {
        double[] stencil = new CfdAxis(axis, POINTS).stencil();
        double change = 0;
        for (int i = -2; i <= 2; i++) {
            int other = at + i * cell.pitch(axis);
            double weight = stencil[CfdAxis.STENCIL * point + 2 + i];
            if (Math.abs(i) < 2) {
                weight += (i == 0 ? -2 : 1) * 0.1 * 1.96 / (H * H) * flow(other, CfdFlow.VOLUME)
                        - i / (2 * H) * (flow(other, CfdFlow.VELOCITY + axis)
                        + SOUND[m] * flow(other, CfdFlow.SOUND));
            }
            change += weight * x[CfdExact.COMPONENTS * other + m];
        }
        return x[CfdExact.COMPONENTS * at + m] - DT * change;
    }

    private double flow(int at, int what) {
        return cell.flow()[CfdFlow.SIZE * at + what];
    }

    /** The changes of variables from axis to axis come back to where they began. */
    @Test
    void should_change_the_variables_back_in_the_end() {
        double[] expected = CfdGas.randomInside(random, cell);
        System.arraycopy(expected, 0, cell.right(), 0, expected.length);
        cell.forEachRow(SpCharacteristics::toX);
        cell.forEachRow(SpCharacteristics::fromXToY);
        cell.forEachRow(SpCharacteristics::fromYToZ);
        cell.forEachRow(SpCharacteristics::fromZ);
        assertArrayEquals(expected, cell.right(), 1e-13);
    }
}
