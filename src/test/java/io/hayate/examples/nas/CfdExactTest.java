// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("example")
class CfdExactTest {
    @Test
    void should_be_the_constants_in_one_corner_and_all_factors_in_the_other() {
        assertArrayEquals(new double[] {2, 1, 2, 2, 5}, at(0, 0, 0));
        assertArrayEquals(new double[] {15.76, 8.26, 10.32, 9.72, 15.52}, at(1, 1, 1), 1e-13);
    }

    /** The polynomial of y of the first component: 3 y^2 + 0.01 y^3 + 0.4 y^4. */
    @Test
    void should_be_a_polynomial_along_an_axis() {
        assertEquals(2 + 3 * 0.25 + 0.01 * 0.125 + 0.4 * 0.0625, at(0, 0.5, 0)[0], 1e-14);
    }

    /** At the beginning the solution is exact on the boundary, and between its faces inside. */
    @Test
    void should_be_met_on_the_boundary_and_be_blended_inside() {
        int points = 5;
        CfdCell cell = new CfdCell(points, 1, new int[3], 0);
        CfdStart.begin(cell);
        assertArrayEquals(at(0.25, 1, 0.5), solution(cell, 1, 4, 2), 1e-14);
        double[] inside = solution(cell, 1, 2, 3);
        for (int m = 0; m < CfdExact.COMPONENTS; m++) {
            double x = 0.75 * at(0, 0.5, 0.75)[m] + 0.25 * at(1, 0.5, 0.75)[m];
            double y = 0.5 * at(0.25, 0, 0.75)[m] + 0.5 * at(0.25, 1, 0.75)[m];
            double z = 0.25 * at(0.25, 0.5, 0)[m] + 0.75 * at(0.25, 0.5, 1)[m];
            assertEquals(x + y + z - x * y - y * z - z * x + x * y * z, inside[m], 1e-10);
        }
    }

    private static double[] at(double x, double y, double z) {
        double[] exact = new double[CfdExact.COMPONENTS];
        CfdExact.put(x, y, z, exact, 0);
        return exact;
    }

    private static double[] solution(CfdCell cell, int i, int j, int k) {
        double[] components = new double[CfdExact.COMPONENTS];
        System.arraycopy(cell.solution(), CfdExact.COMPONENTS * cell.at(i, j, k), components, 0,
                CfdExact.COMPONENTS);
        return components;
    }
}
