// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import java.util.List;

/**
 * The parameters of a measurement.
 *
 * @param bench which operation
 * @param bytes sizes, one case each
 * @param buffers where the data are
 * @param nanos shortest time of a case
 * @param iterations turns of a case; 0: as many as the time allows
 * @param threads threads of each rank, for {@link Bench#RATE}
 * @param breakdown whether to measure the parts of messages as well
 * @param stale whether the data stay as they are: nobody writes before a message or reads after it
 */
public record Plan(Bench bench, List<Integer> bytes, Buffers buffers, long nanos, long iterations,
        int threads, boolean breakdown, boolean stale) {
    /** Returns the size of a buffer that is sufficient for all cases. */
    int room() {
        return bytes.stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}
