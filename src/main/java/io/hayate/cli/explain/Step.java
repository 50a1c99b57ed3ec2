// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A step of a rank. Times are in microseconds from the common start, NaN if not simulated.
 *
 * @param rank the rank
 * @param round number of the run, from 0
 * @param index index in the schedule of the rank
 * @param kind "signal", "wait", "put", "get", "copy" or "reduce"
 * @param peer the other rank
 * @param bytes bytes moved
 * @param begin when the step begins; for a wait, when it was reached
 * @param end when it is complete
 * @param text a description
 */
public record Step(int rank, int round, long index, String kind, int peer, long bytes,
        double begin, double end, String text) {
    static Step of(Fields f) {
        return new Step(f.count(), f.count(), f.number(), f.text(), f.count(), f.number(),
                f.micros(), f.micros(), f.text());
    }

    Map<String, Object> json() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("rank", rank);
        map.put("run", round);
        map.put("step", index);
        map.put("kind", kind);
        map.put("peer", peer);
        map.put("bytes", bytes);
        map.put("begin_us", begin);
        map.put("end_us", end);
        map.put("text", text);
        return map;
    }
}
