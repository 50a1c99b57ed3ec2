// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("example")
class CfdPartitionTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void should_deal_out_each_cell_once(int side) {
        Set<String> dealt = new HashSet<>();
        for (int rank = 0; rank < side * side; rank++) {
            CfdPartition partition = CfdPartition.of(rank, side * side);
            for (int cell = 0; cell < side; cell++) {
                int[] place = partition.place(cell);
                assertTrue(Arrays.stream(place).allMatch(at -> at >= 0 && at < side));
                assertTrue(dealt.add(Arrays.toString(place)));
            }
        }
        assertEquals(side * side * side, dealt.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void should_have_a_cell_of_each_rank_in_each_plane(int side) {
        for (int rank = 0; rank < side * side; rank++) {
            CfdPartition partition = CfdPartition.of(rank, side * side);
            for (int axis = 0; axis < CfdCell.AXES; axis++) {
                for (int plane = 0; plane < side; plane++) {
                    assertEquals(plane, partition.place(partition.cell(axis, plane))[axis]);
                }
            }
        }
    }

    /** A cell and the next one along an axis differ in their place on it, and in nothing else. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void should_have_all_next_cells_at_one_neighbour(int side) {
        for (int rank = 0; rank < side * side; rank++) {
            CfdPartition partition = CfdPartition.of(rank, side * side);
            for (int axis = 0; axis < CfdCell.AXES; axis++) {
                int next = partition.neighbour(axis, 1);
                CfdPartition other = CfdPartition.of(next, side * side);
                assertEquals(rank, other.neighbour(axis, -1));
                for (int plane = 0; plane + 1 < side; plane++) {
                    int[] place = partition.place(partition.cell(axis, plane));
                    place[axis]++;
                    assertEquals(Arrays.toString(place),
                            Arrays.toString(other.place(other.cell(axis, plane + 1))));
                }
            }
        }
    }

    /** Of 12 points, 5 cells get unequal shares. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void should_cover_the_grid_and_its_interior_once(int side) {
        int points = 12;
        int[] seen = new int[points * points * points];
        int[] interior = new int[points * points * points];
        for (int rank = 0; rank < side * side; rank++) {
            CfdPartition partition = CfdPartition.of(rank, side * side);
            for (int number = 0; number < side; number++) {
                CfdCell cell = new CfdCell(points, side, partition.place(number), 0);
                count(cell, points, seen, interior);
            }
        }
        for (int at = 0; at < seen.length; at++) {
            assertEquals(1, seen[at]);
            assertEquals(isInside(at % points, points) && isInside(at / points % points, points)
                    && isInside(at / points / points, points) ? 1 : 0, interior[at]);
        }
    }

    private static boolean isInside(int i, int points) {
        return i > 0 && i < points - 1;
    }

    private static void count(CfdCell cell, int points, int[] seen, int[] interior) {
        for (int k = 0; k < cell.own(2); k++) {
            for (int j = 0; j < cell.own(1); j++) {
                for (int i = 0; i < cell.own(0); i++) {
                    seen[global(cell, points, i, j, k)]++;
                }
            }
        }
        cell.forEachRow((each, j, k) -> {
            for (int i = each.begin(0); i < each.begin(0) + each.rowLength(); i++) {
                interior[global(each, points, i, j, k)]++;
            }
        });
    }

    private static int global(CfdCell cell, int points, int i, int j, int k) {
        int intervals = points - 1;
        long x = Math.round(cell.coordinate(0, i) * intervals);
        long y = Math.round(cell.coordinate(1, j) * intervals);
        long z = Math.round(cell.coordinate(2, k) * intervals);
        return (int) ((z * points + y) * points + x);
    }
}
