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
record JobWaits(List<WaitsBinding.View> waits, List<Cycle> cycles) {
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
            return new JobWaits(WaitsBinding.waits(look), cycles(look));
        } finally {
            WaitsBinding.waitsFree(look);
        }
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
