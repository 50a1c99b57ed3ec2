// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/** Which rank has which rows: rank r the rows starts[r] up to, not including, starts[r + 1]. */
record RowPartition(int[] starts) {
    /**
     * Blocks of rows with about the same number of nonzeros; with more ranks than rows some are
     * empty. `nonzerosBefore` tells how many stand in the rows before a row, for 0 .. rows.
     */
    static RowPartition balanced(int rows, int ranks, IntToLongFunction nonzerosBefore) {
        int[] starts = new int[ranks + 1];
        long all = nonzerosBefore.applyAsLong(rows);
        for (int rank = 1; rank < ranks; rank++) {
            long share = all / ranks * rank + all % ranks * rank / ranks;
            starts[rank] = nearest(starts[rank - 1], rows, share, nonzerosBefore);
        }
        starts[ranks] = rows;
        return new RowPartition(starts);
    }

    int ranks() {
        return starts.length - 1;
    }

    int rows() {
        return starts[ranks()];
    }

    int first(int rank) {
        return starts[rank];
    }

    int count(int rank) {
        return starts[rank + 1] - starts[rank];
    }

    /** The rank that has a row. Empty ranks have none. */
    int owner(int row) {
        int found = Arrays.binarySearch(starts, row);
        int rank = found >= 0 ? found : -found - 2;
        while (count(rank) == 0) {
            rank++;
        }
        return rank;
    }

    /** The row in low .. high before which the number of nonzeros is closest to the share. */
    private static int nearest(int low, int high, long share, IntToLongFunction nonzerosBefore) {
        int least = low;
        int most = high;
        while (least < most) {
            int middle = (least + most) >>> 1;
            if (nonzerosBefore.applyAsLong(middle) < share) {
                least = middle + 1;
            } else {
                most = middle;
            }
        }
        boolean lower = least > low && share - nonzerosBefore.applyAsLong(least - 1)
                < nonzerosBefore.applyAsLong(least) - share;
        return lower ? least - 1 : least;
    }
}
