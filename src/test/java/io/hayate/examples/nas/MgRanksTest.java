// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("example")
class MgRanksTest {
    @ParameterizedTest
    @CsvSource({"1,32", "2,32", "8,8", "8,4", "8,2", "16,2"})
    void should_deal_out_each_point_of_an_axis_once(int ranks, int points) {
        int next = 0;
        for (int place = 0; place < ranks; place++) {
            MgAxis axis = new MgAxis(ranks, place);
            assertEquals(next, axis.first(points));
            assertEquals(axis.own(points) > 0, axis.isAwake(points));
            next += axis.own(points);
        }
        assertEquals(points, next);
    }

    @ParameterizedTest
    @CsvSource({"1,32", "2,32", "8,8", "8,4", "8,2", "16,2"})
    void should_have_neighbours_that_are_awake_and_neighbours_in_turn(int ranks, int points) {
        for (int place = 0; place < ranks; place++) {
            MgAxis axis = new MgAxis(ranks, place);
            if (axis.isAwake(points)) {
                MgAxis upper = new MgAxis(ranks, axis.neighbour(points, 1));
                assertTrue(upper.isAwake(points));
                assertEquals((axis.first(points) + axis.own(points)) % points, upper.first(points));
                assertEquals(place, upper.neighbour(points, -1));
            }
        }
    }

    /** Who sleeps one level down has, on this one, a lower neighbour that does not. */
    @ParameterizedTest
    @CsvSource({"8,8", "8,4", "16,4"})
    void should_have_somebody_below_who_can_wake_it(int ranks, int points) {
        for (int place = 0; place < ranks; place++) {
            MgAxis axis = new MgAxis(ranks, place);
            if (axis.isAwake(points) && !axis.isAwake(points / 2)) {
                int lower = axis.neighbour(points, -1);
                assertTrue(new MgAxis(ranks, lower).isAwake(points / 2));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16, 64})
    void should_be_a_box_in_which_everybody_has_a_place(int size) {
        boolean[][][] seen = new boolean[size][size][size];
        for (int rank = 0; rank < size; rank++) {
            MgRanks ranks = MgRanks.of(rank, size);
            int[] place = ranks.axes().stream().mapToInt(MgAxis::place).toArray();
            assertEquals(size, ranks.axes().stream().mapToInt(MgAxis::ranks)
                    .reduce(1, (a, b) -> a * b));
            assertEquals(false, seen[place[0]][place[1]][place[2]]);
            seen[place[0]][place[1]][place[2]] = true;
        }
    }

    @ParameterizedTest
    @CsvSource({"2,32", "8,32", "64,32", "64,2", "128,2"})
    void should_reach_the_neighbour_by_changing_one_place(int size, int points) {
        for (int rank = 0; rank < size; rank++) {
            MgRanks ranks = MgRanks.of(rank, size);
            for (int axis = 0; axis < MgRanks.AXES; axis++) {
                MgRanks other = MgRanks.of(ranks.neighbour(axis, points, 1), size);
                for (int each = 0; each < MgRanks.AXES; each++) {
                    int expected = each == axis ? ranks.axis(each).neighbour(points, 1)
                            : ranks.axis(each).place();
                    assertEquals(expected, other.axis(each).place());
                }
            }
        }
    }
}
