// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import java.util.List;

/**
 * What to measure.
 *
 * @param bench which operation
 * @param bytes sizes, one case each
 * @param buffers where the data lie
 * @param nanos least time of a case
 * @param iterations turns of a case; 0: as many as the time allows
 * @param threads of each rank, for {@link Bench#RATE}
 * @param breakdown also take messages apart
 */
public record Plan(Bench bench, List<Integer> bytes, Buffers buffers, long nanos, long iterations,
        int threads, boolean breakdown) {
    /** Bytes of a buffer that serves all cases. */
    int room() {
        return bytes.stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}
