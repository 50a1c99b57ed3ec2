// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("example")
class LuOperatorTest {
    private static final int COMPONENTS = CfdExact.COMPONENTS;

    /** Nearer to the boundary the dissipation sees it. */
    @Test
    void should_leave_a_uniform_flow_alone() {
        LuFlow flow = new LuFlow(LuRanks.of(0, 1).box(8));
        double[] uniform = {2, 0.5, -1, 0.3, 5};
        for (int m = 0; m < COMPONENTS; m++) {
            Arrays.fill(flow.state()[m], uniform[m]);
        }
        flow.derive();
        double[][] value = value(flow);
        int deep = LuAxis.GHOSTS + 3;
        int shallow = LuAxis.GHOSTS + 1;
        for (int m = 0; m < COMPONENTS; m++) {
            assertEquals(0, value[m][flow.box().row(deep, deep) + deep], 1e-12);
            assertEquals(-0.25 * 2 * uniform[m], value[m][flow.box().row(deep, deep) + shallow],
                    1e-12);
        }
    }

    /** Of a flow that is linear along an axis, with density 1: the continuity equation. */
    @ParameterizedTest
    @CsvSource({"0", "1", "2"})
    void should_have_the_divergence_of_the_momentum_for_density(int axis) {
        LuFlow flow = new LuFlow(LuRanks.of(0, 1).box(8));
        LuBox box = flow.box();
        for (int at = 0; at < box.length(); at++) {
            int index = at / box.pitch(axis) % box.axis(axis).length();
            flow.state()[1 + axis][at] = 3 * box.axis(axis).position(index);
            flow.state()[4][at] = 10;
        }
        flow.derive();
        int deep = LuAxis.GHOSTS + 3;
        assertEquals(-3, value(flow)[0][box.row(deep, deep) + deep], 1e-12);
    }

    @ParameterizedTest
    @CsvSource({"2,12", "4,13", "8,12", "16,12", "16,9"})
    void should_be_the_same_in_parts(int size, int points) {
        LuFlow whole = new LuFlow(LuRanks.of(0, 1).box(points));
        whole.setGuess();
        double[][] expected = value(whole);
        for (int rank = 0; rank < size; rank++) {
            LuFlow part = new LuFlow(LuRanks.of(rank, size).box(points));
            part.setGuess();
            assertSame(whole.box(), expected, part.box(), value(part));
        }
    }

    private static void assertSame(LuBox all, double[][] expected, LuBox box, double[][] found) {
        for (int k = box.z().begin(); k < box.z().end(); k++) {
            for (int j = box.y().begin(); j < box.y().end(); j++) {
                for (int i = box.x().begin(); i < box.x().end(); i++) {
                    int at = all.row(j + box.y().first(), k) + i + box.x().first();
                    for (int m = 0; m < COMPONENTS; m++) {
                        assertEquals(expected[m][at], found[m][box.row(j, k) + i], 1e-9);
                    }
                }
            }
        }
    }

    private static double[][] value(LuFlow flow) {
        double[][] sum = new double[COMPONENTS][flow.box().length()];
        new LuOperator(flow).addTo(sum);
        return sum;
    }
}
