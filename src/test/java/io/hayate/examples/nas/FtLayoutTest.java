// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("example")
class FtLayoutTest {
    private static final FtProblem PROBLEM = new FtProblem(4, 16, 8, new double[0]);

    /** What a rank puts into its block for another is where that one looks for it in its own. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void should_have_each_row_in_the_same_place_of_a_block_on_both_sides(int ranks) {
        for (int z = 0; z < PROBLEM.z(); z++) {
            for (int y = 0; y < PROBLEM.y(); y++) {
                FtLayout sender = new FtLayout(PROBLEM, z * ranks / PROBLEM.z(), ranks);
                FtLayout receiver = new FtLayout(PROBLEM, y * ranks / PROBLEM.y(), ranks);
                int block = sender.length() / ranks;
                int sent = sender.rowOfPlane(z - sender.firstPlane(), y);
                int received = receiver.rowOfColumn(z, y - receiver.firstRow());
                assertEquals(receiver.rank(), sent / block);
                assertEquals(sender.rank(), received / block);
                assertEquals(sent % block, received % block);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void should_have_each_row_once(int ranks) {
        FtLayout layout = new FtLayout(PROBLEM, ranks - 1, ranks);
        boolean[] seen = new boolean[layout.length() / layout.rowLength()];
        for (int plane = 0; plane < layout.planes(); plane++) {
            for (int y = 0; y < PROBLEM.y(); y++) {
                int row = layout.rowOfPlane(plane, y);
                assertEquals(0, row % layout.rowLength());
                assertEquals(false, seen[row / layout.rowLength()]);
                seen[row / layout.rowLength()] = true;
            }
        }
        assertEquals(PROBLEM.z() / ranks * PROBLEM.y(), seen.length);
    }
}
