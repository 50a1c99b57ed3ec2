// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("example")
class CfdAxisTest {
    private static final int POINTS = 11; // 10 intervals: second differences have the factor 100

    private final CfdAxis x = new CfdAxis(0, POINTS);
    private final CfdAxis z = new CfdAxis(2, POINTS);

    /** Away from the ends: of i^4 the fourth difference is 24, the second one 12 i^2 + 2. */
    @Test
    void should_have_diffusion_less_dissipation_as_stencil() {
        assertEquals(75 * (12 * 25 + 2) - 6, apply(x, 5, 4), 1e-9);
        assertEquals(100 * (12 * 25 + 2) - 6, apply(z, 5, 4), 1e-9);
        assertEquals(75 * 2, apply(x, 5, 2), 1e-9);
        assertEquals(0, apply(x, 5, 1), 1e-9);
    }

    /** Of constants, fourth differences without the boundary leave something there. */
    @Test
    void should_leave_the_boundary_out_of_fourth_differences() {
        double[] left = {0, -0.5, 0.25, 0, 0, 0, 0, 0, 0.25, -0.5, 0};
        for (int point = 0; point < POINTS; point++) {
            assertEquals(left[point], apply(x, point, 0), 1e-12, "at " + point);
        }
    }

    /** To the power of the distance from the beginning. */
    private static double apply(CfdAxis axis, int point, int power) {
        double sum = 0;
        for (int i = 0; i < CfdAxis.STENCIL; i++) {
            sum += axis.stencil()[CfdAxis.STENCIL * point + i] * Math.pow(point + i - 2, power);
        }
        return sum;
    }
}
