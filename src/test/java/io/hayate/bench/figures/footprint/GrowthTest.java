// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrowthTest {
    private static final double NEARLY = 1e-9;

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 1, 1.1, 2})
    void should_find_the_power_that_points_were_made_by(double power) {
        Growth growth = new Growth();
        for (int ranks = 2; ranks <= 128; ranks *= 2) {
            growth.add(ranks, 7 * Math.pow(ranks, power));
        }
        assertEquals(power, growth.exponent(), NEARLY);
    }

    /** Logarithms to the base 2: x 1, 2, 3 and y 0, 1, 4; the means are 2 and 5/3, the slope 2. */
    @Test
    void should_take_the_line_of_least_squares() {
        assertEquals(2, new Growth().add(2, 1).add(4, 2).add(8, 16).exponent(), NEARLY);
    }

    @Test
    void should_weigh_points_of_one_number_of_ranks_together() {
        assertEquals(1, new Growth().add(2, 1).add(2, 4).add(4, 2).add(4, 8).exponent(), NEARLY);
    }

    @Test
    void should_leave_out_what_has_no_logarithm() {
        assertEquals(1, new Growth().add(2, 2).add(4, 4).add(8, 0).add(16, -5).exponent(), NEARLY);
    }

    @Test
    void should_tell_no_power_of_one_number_of_ranks() {
        assertTrue(Double.isNaN(new Growth().add(4, 10).add(4, 20).exponent()));
        assertTrue(Double.isNaN(new Growth().exponent()));
    }
}
