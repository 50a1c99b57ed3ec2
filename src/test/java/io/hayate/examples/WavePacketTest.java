// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("example")
class WavePacketTest {
    private static final int POINTS = 256;

    private final WavePacket packet = new WavePacket(POINTS);

    /** i dpsi/dt = -psi''/2 + x^2 psi / 2, by differences. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void should_solve_the_equation_on_each_axis(int axis) {
        double time = 0.7;
        double dt = 1e-4;
        double h = packet.side() / POINTS;
        double[] now = packet.values(axis, time);
        double[] before = packet.values(axis, time - dt);
        double[] after = packet.values(axis, time + dt);
        double[] potential = packet.potential();
        for (int i = 4; i < 2 * POINTS - 4; i += 2) {
            double re = energy(now, potential, i, h);
            double im = energy(now, potential, i + 1, h);
            assertEquals(re, -(after[i + 1] - before[i + 1]) / (2 * dt), 2e-3);
            assertEquals(im, (after[i] - before[i]) / (2 * dt), 2e-3);
        }
    }

    @Test
    void should_have_norm_one_and_its_centre() {
        for (int axis = 0; axis < 3; axis++) {
            double norm = 0;
            double centre = 0;
            double[] values = packet.values(axis, 1.3);
            for (int i = 0; i < POINTS; i++) {
                double square = values[2 * i] * values[2 * i]
                        + values[2 * i + 1] * values[2 * i + 1];
                norm += square;
                centre += square * packet.coordinate(i);
            }
            assertEquals(1, norm, 1e-13);
            assertEquals(packet.position(axis, 1.3), centre, 1e-13);
        }
    }

    @Test
    void should_allow_errors_that_shrink_with_step_and_grid() {
        double limit = packet.errorLimit(0.01, 1);
        assertEquals(limit / 4, packet.errorLimit(0.005, 1), 1e-3 * limit);
        assertTrue(new WavePacket(16).errorLimit(0.01, 1) > limit);
        assertTrue(limit < 1e-3);
    }

    /** Fourth-order differences. */
    private static double energy(double[] psi, double[] potential, int i, double h) {
        double second = (-psi[i - 4] + 16 * psi[i - 2] - 30 * psi[i] + 16 * psi[i + 2]
                - psi[i + 4]) / (12 * h * h);
        return potential[i / 2] * psi[i] - second / 2;
    }
}
