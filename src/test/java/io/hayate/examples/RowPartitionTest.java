// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("example")
class RowPartitionTest {
    @Test
    void should_give_every_row_to_exactly_one_rank() {
        Random random = new Random(7);
        for (int round = 0; round < 500; round++) {
            int[] before = before(1 + random.nextInt(40), random, 9);
            RowPartition partition = partition(before, 1 + random.nextInt(12));
            assertEquals(before.length - 1, partition.rows());
            int row = 0;
            for (int rank = 0; rank < partition.ranks(); rank++) {
                assertEquals(row, partition.first(rank));
                assertTrue(partition.count(rank) >= 0);
                for (int i = 0; i < partition.count(rank); i++) {
                    assertEquals(rank, partition.owner(row++));
                }
            }
        }
    }

    @Test
    void should_balance_nonzeros_to_within_a_row() {
        Random random = new Random(8);
        int[] before = before(5000, random, 60);
        for (int ranks : new int[] {2, 3, 4, 7, 64}) {
            RowPartition partition = partition(before, ranks);
            double share = (double) before[5000] / ranks;
            for (int rank = 0; rank < ranks; rank++) {
                int first = partition.first(rank);
                int nonzeros = before[first + partition.count(rank)] - before[first];
                assertEquals(share, nonzeros, 61);
            }
        }
    }

    @Test
    void should_not_let_one_heavy_row_starve_the_rest() {
        int[] before = {0, 1, 2, 1002, 1003, 1004};
        RowPartition partition = partition(before, 3);
        assertEquals(2, partition.owner(4));
        assertEquals(5, partition.rows());
    }

    @Test
    void should_leave_ranks_empty_when_there_are_more_than_rows() {
        RowPartition partition = partition(new int[] {0, 3, 6}, 7);
        int rows = 0;
        for (int rank = 0; rank < 7; rank++) {
            rows += partition.count(rank);
        }
        assertEquals(2, rows);
    }

    private static RowPartition partition(int[] before, int ranks) {
        return RowPartition.balanced(before.length - 1, ranks, row -> before[row]);
    }

    private static int[] before(int rows, Random random, int most) {
        int[] before = new int[rows + 1];
        for (int row = 0; row < rows; row++) {
            before[row + 1] = before[row] + 1 + random.nextInt(most);
        }
        return before;
    }
}
