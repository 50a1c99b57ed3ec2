// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.Fmpl;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("example")
class LuRanksTest {
    @ParameterizedTest
    @CsvSource({"1,12", "2,12", "4,12", "8,12", "16,12", "4,33", "8,33", "16,33"})
    void should_deal_out_each_column_once(int size, int points) {
        int[] owners = new int[points * points];
        for (int rank = 0; rank < size; rank++) {
            LuBox box = LuRanks.of(rank, size).box(points);
            assertEquals(points, box.z().own());
            for (int j = 0; j < box.y().own(); j++) {
                for (int i = 0; i < box.x().own(); i++) {
                    owners[(box.y().first() + j) * points + box.x().first() + i]++;
                }
            }
        }
        int[] expected = new int[points * points];
        Arrays.fill(expected, 1);
        assertArrayEquals(expected, owners);
    }

    @ParameterizedTest
    @CsvSource({"1,12", "2,12", "8,12", "16,12", "16,33"})
    void should_relax_all_points_but_those_on_the_boundary(int size, int points) {
        for (int rank = 0; rank < size; rank++) {
            LuBox box = LuRanks.of(rank, size).box(points);
            for (int axis = 0; axis < 3; axis++) {
                LuAxis own = box.axis(axis);
                for (int i = LuAxis.GHOSTS; i < LuAxis.GHOSTS + own.own(); i++) {
                    assertEquals(own.isOnBoundary(i), i < own.begin() || i >= own.end());
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1,12", "2,12", "4,12", "8,12", "16,33"})
    void should_have_neighbours_whose_points_are_next(int size, int points) {
        for (int rank = 0; rank < size; rank++) {
            LuRanks ranks = LuRanks.of(rank, size);
            for (int axis = 0; axis < 2; axis++) {
                LuAxis own = ranks.box(points).axis(axis);
                int upper = ranks.neighbour(axis, 1);
                assertEquals(own.first() + own.own() == points, upper == Fmpl.NO_RANK);
                assertEquals(own.first() == 0, ranks.neighbour(axis, -1) == Fmpl.NO_RANK);
                if (upper != Fmpl.NO_RANK) {
                    LuRanks other = LuRanks.of(upper, size);
                    assertEquals(own.first() + own.own(), other.box(points).axis(axis).first());
                    assertEquals(ranks.box(points).axis(1 - axis),
                            other.box(points).axis(1 - axis));
                    assertEquals(rank, other.neighbour(axis, -1));
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"12,16", "33,256", "64,1024"})
    void should_fit_as_many_as_have_two_layers_for_their_neighbours(int points, int most) {
        assertEquals(most, LuRanks.most(points));
        assertTrue(LuRanks.of(0, most).fit(points));
        assertFalse(LuRanks.of(0, 2 * most).fit(points));
        for (int rank = 0; rank < most; rank++) {
            LuBox box = LuRanks.of(rank, most).box(points);
            assertTrue(Math.min(box.x().own(), box.y().own()) >= LuAxis.GHOSTS);
        }
    }
}
