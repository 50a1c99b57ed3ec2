// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.DoubleBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("example")
class LuPatchTest {
    private static final int BEFORE = 3; // numbers of another message

    private final LuPatch patch = new LuPatch(2, 20, 3, 4);

    @Test
    void should_move_lines_of_points_and_nothing_else() {
        double[][] from = fields(0);
        double[][] to = fields(1000);
        double[][] expected = fields(1000);
        for (int m = 0; m < expected.length; m++) {
            for (int point : new int[] {0, 4, 8, 20, 24, 28}) {
                expected[m][2 + point] = from[m][5 + point];
            }
        }
        DoubleBuffer message = DoubleBuffer.allocate(BEFORE + patch.count());
        patch.pack(from, 5, message, BEFORE);
        patch.unpack(message, BEFORE, to, 2);
        assertArrayEquals(expected, to);
        assertEquals(0, message.get(BEFORE - 1));
    }

    private static double[][] fields(int first) {
        double[][] fields = new double[CfdExact.COMPONENTS][40];
        for (int m = 0; m < fields.length; m++) {
            for (int i = 0; i < fields[m].length; i++) {
                fields[m][i] = first + 100 * m + i;
            }
        }
        return fields;
    }
}
