// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A simulated run.
 *
 * @param micros of one run: the first when there is one only, else the mean of the others
 * @param first of the first run
 * @param load what it takes
 */
public record Run(double micros, double first, Load load) {
    /**
     * Of one run.
     *
     * @param signals of all ranks
     * @param bytes moved between ranks, of all
     * @param rankSignals of the rank with the most
     * @param rankBytes of the rank with the most
     * @param rankSteps of the rank with the most
     * @param rankMemory bytes that the run-time needs on the rank with the most
     * @param alike rank 0 was simulated for all
     * @param rounds runs in a row
     */
    public record Load(long signals, long bytes, long rankSignals, long rankBytes, long rankSteps,
            long rankMemory, boolean alike, int rounds) {
        static Load of(Fields f) {
            return new Load(f.number(), f.number(), f.number(), f.number(), f.number(),
                    f.number(), f.text().equals("alike"), f.count());
        }

        void addTo(Map<String, Object> map) {
            map.put("runs", rounds);
            map.put("signals", signals);
            map.put("bytes_moved", bytes);
            map.put("rank_signals", rankSignals);
            map.put("rank_bytes_moved", rankBytes);
            map.put("rank_steps", rankSteps);
            map.put("rank_memory", rankMemory);
        }
    }

    static Run of(Fields f) {
        return new Run(f.micros(), f.micros(), Load.of(f));
    }

    Map<String, Object> json() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("us", micros);
        map.put("first_us", first);
        load.addTo(map);
        return map;
    }
}
