// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("example")
class LuSurfaceTest {
    /** The block leaves out 3 or 4 of the points - 1 steps, as NPB has it. */
    @ParameterizedTest
    @CsvSource({"1,12", "2,12", "8,12", "16,12", "16,33"})
    void should_be_the_area_for_a_constant_pressure(int size, int points) {
        double sum = 0;
        for (int rank = 0; rank < size; rank++) {
            LuFlow flow = new LuFlow(LuRanks.of(rank, size).box(points));
            Arrays.fill(flow.state()[4], 2.5);
            flow.derive();
            sum += new LuSurface(flow).integral();
        }
        double x = (points - 3.0) / (points - 1);
        double y = (points - 4.0) / (points - 1);
        assertEquals(2 * (x * y + y * y + y * x), sum, 1e-13);
    }
}
