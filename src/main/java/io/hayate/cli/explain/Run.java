// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A simulated run.
 *
 * @param micros time of one run: the first if it is the only one, otherwise the mean of the others
 * @param first time of the first run
 * @param load the load of one run
 */
public record Run(double micros, double first, Load load) {
    /**
     * The load of one run.
     *
     * @param signals signals of all ranks
     * @param bytes bytes that all ranks move
     * @param rankSignals signals of the rank with the most
     * @param rankBytes bytes of the rank with the most
     * @param rankSteps steps of the rank with the most
     * @param rankMemory bytes that the runtime needs on the rank with the most
     * @param alike whether only rank 0 was simulated, because all ranks are alike
     * @param rounds number of successive runs
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
