// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.internal.ErrorBinding;
import io.hayate.internal.WaitsBinding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the ranks of a node wait for at one moment, and which of them wait for each other.
 *
 * @param waits the waits, by rank
 * @param cycles ranks that wait for each other
 */
record JobWaits(List<Wait> waits, List<Cycle> cycles) {
    /**
     * A wait of a thread.
     *
     * @param rank its rank
     * @param thread its number in the kernel; of a virtual thread, in Java
     * @param virtual whether it is a virtual thread
     * @param kind the operation
     * @param collective the name of the collective, or null
     * @param peer the rank for which it waits; -1: for none in particular
     * @param place the mai or the communicator
     * @param bytes its length
     * @param number the number of the collective
     * @param nanos for how long it has waited without getting further
     * @param text all of this in a line
     */
    record Wait(int rank, long thread, boolean virtual, String kind, String collective, int peer,
            long place, long bytes, long number, long nanos, String text) {
    }

    /**
     * Ranks each of which waits for the next, and the last for the first.
     *
     * @param certain whether it is a deadlock, whatever the program does
     * @param ranks their numbers
     * @param text this in a line
     */
    record Cycle(boolean certain, List<Integer> ranks, String text) {
    }

    /** Looks at the job, twice if ranks seem to wait for each other. */
    static JobWaits of(long stat) {
        long look = WaitsBinding.waitsLook(stat);
        if (look < 0) {
            throw new CommandFailure(ErrorBinding.text());
        }
        try {
            return new JobWaits(waits(look), cycles(look));
        } finally {
            WaitsBinding.waitsFree(look);
        }
    }

    private static List<Wait> waits(long look) {
        List<Wait> waits = new ArrayList<>();
        long[] n = new long[WaitsBinding.NUMBERS];
        for (int i = 0; i < WaitsBinding.waitsCount(look); i++) {
            WaitsBinding.waitsRead(look, i, n);
            waits.add(new Wait((int) n[0], n[1], n[2] != 0, WaitsBinding.waitsKind(look, i),
                    WaitsBinding.waitsCollective(look, i), (int) n[3], n[4], n[5], n[6], n[7],
                    WaitsBinding.text(look, i)));
        }
        return waits;
    }

    private static List<Cycle> cycles(long look) {
        List<Cycle> cycles = new ArrayList<>();
        int[] ranks = new int[WaitsBinding.CYCLE];
        int length;
        while ((length = WaitsBinding.waitsCycle(look, cycles.size(), ranks, ranks.length)) > 0) {
            int index = cycles.size();
            cycles.add(new Cycle(WaitsBinding.waitsIsCertain(look, index) != 0,
                    Arrays.stream(ranks, 0, length).boxed().toList(),
                    WaitsBinding.cycleText(look, index)));
        }
        return cycles;
    }

    /** Returns whether a thread of this rank waits. */
    boolean has(int rank) {
        return waits.stream().anyMatch(wait -> wait.rank() == rank);
    }
}
