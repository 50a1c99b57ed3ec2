// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.job;

import io.hayate.cli.command.CommandFailure;
import io.hayate.internal.bindings.WaitsBinding;
import io.hayate.internal.errors.ErrorBinding;
import java.util.List;

/**
 * What the ranks of a node wait for at one moment, and which of them wait for each other.
 *
 * @param waits the waits, by rank
 * @param cycles ranks that wait for each other
 */
public record JobWaits(List<WaitsBinding.View> waits, List<WaitsBinding.Cycle> cycles) {
    /** Looks at the job, twice if ranks seem to wait for each other. */
    static JobWaits of(long stat) {
        long look = WaitsBinding.waitsLook(stat);
        if (look < 0) {
            throw new CommandFailure(ErrorBinding.text());
        }
        try {
            return new JobWaits(WaitsBinding.waits(look), WaitsBinding.cycles(look));
        } finally {
            WaitsBinding.waitsFree(look);
        }
    }

    /** Returns whether a thread of this rank waits. */
    public boolean has(int rank) {
        return waits.stream().anyMatch(wait -> wait.rank() == rank);
    }
}
