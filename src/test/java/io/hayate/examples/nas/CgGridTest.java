// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("example")
class CgGridTest {
    private static final int SIZE = 1403; // not a multiple of anything here

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16, 32, 64})
    void should_have_a_block_for_each_rank(int ranks) {
        for (int rank = 0; rank < ranks; rank++) {
            CgGrid grid = CgGrid.of(ranks, rank);
            assertEquals(ranks, grid.rows() * grid.columns());
            assertTrue(grid.width() == 1 || grid.width() == 2);
            assertEquals(rank, grid.rank(grid.row(), grid.column()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16, 32, 64})
    void should_pair_ranks_that_have_what_the_other_needs(int ranks) {
        for (int rank = 0; rank < ranks; rank++) {
            CgGrid own = CgGrid.of(ranks, rank);
            CgGrid mirror = CgGrid.of(ranks, own.mirror());
            assertEquals(rank, mirror.mirror());
            assertEquals(own.column(), mirror.summedColumn());
            assertEquals(mirror.column(), own.summedColumn());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16, 32, 64})
    void should_divide_blocks_of_rows_into_blocks_of_columns(int ranks) {
        for (int rank = 0; rank < ranks; rank++) {
            CgGrid grid = CgGrid.of(ranks, rank);
            int first = grid.row() * grid.width();
            assertEquals(grid.firstRow(SIZE, grid.row()), grid.firstColumn(SIZE, first));
            assertEquals(grid.firstRow(SIZE, grid.row() + 1),
                    grid.firstColumn(SIZE, first + grid.width()));
        }
        assertEquals(SIZE, CgGrid.of(ranks, 0).firstColumn(SIZE, CgGrid.of(ranks, 0).columns()));
    }
}
