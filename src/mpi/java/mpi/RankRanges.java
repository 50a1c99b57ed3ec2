// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;

/** Lists of ranks of a group as programs give them: each rank in range, and none twice. */
final class RankRanges {
    private RankRanges() {
    }

    /** Returns a copy of ranks of a group of {@code size} members. */
    static int[] check(int[] ranks, int size) {
        int[] copy = Bounds.required(ranks, "the array of ranks").clone();
        boolean[] taken = new boolean[size];
        for (int rank : copy) {
            take(rank, taken);
        }
        return copy;
    }

    /** Returns the ranks of ranges (first, last, stride), one range after the other. */
    static int[] expand(int[][] ranges, int size) {
        if (ranges == null) {
            throw new MPIException(ErrorClass.ARG, "the array of ranges is null: expected triples"
                    + " (first, last, stride)");
        }
        boolean[] taken = new boolean[size];
        int[] ranks = new int[size];
        int count = 0;
        for (int[] range : ranges) {
            checkRange(range, size);
            int steps = (range[1] - range[0]) / range[2];
            for (int i = 0; i <= steps; i++) {
                ranks[count++] = take(range[0] + i * range[2], taken);
            }
        }
        return Arrays.copyOf(ranks, count);
    }

    private static void checkRange(int[] range, int size) {
        if (range == null || range.length != 3) {
            throw new MPIException(ErrorClass.ARG, "a range is " + Arrays.toString(range)
                    + ": expected three numbers, (first, last, stride)");
        }
        checkRank(range[0], size);
        checkRank(range[1], size);
        if (range[2] == 0 || (long) (range[1] - range[0]) * range[2] < 0) {
            throw new MPIException(ErrorClass.RANK, "a range is " + Arrays.toString(range)
                    + ": expected a stride, not 0, that leads from the first rank to the last one");
        }
    }

    private static int take(int rank, boolean[] taken) {
        checkRank(rank, taken.length);
        if (taken[rank]) {
            throw new MPIException(ErrorClass.RANK,
                    "rank " + rank + " is given twice: expected each rank at most once");
        }
        taken[rank] = true;
        return rank;
    }

    /** Returns the rank if a group of {@code size} members has it. */
    static int checkRank(int rank, int size) {
        if (rank < 0 || rank >= size) {
            throw new MPIException(ErrorClass.RANK, "rank " + rank + ": "
                    + (size == 0 ? "the group has no members" : "expected 0 to " + (size - 1)));
        }
        return rank;
    }
}
