// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An algorithm on a number of ranks. Times in microseconds, NaN when there is none.
 *
 * @param algorithm its name
 * @param ranks simulated
 * @param formula closed
 * @param micros predicted by simulation
 * @param load of a run; null when it was not simulated
 * @param ownSteps of a rank's own part, -1: not asked for
 * @param generate to make a rank's own part
 * @param simulate how long the simulation took
 * @param reason why it was not simulated; "" when it was
 */
public record Scale(String algorithm, int ranks, double formula, double micros, Run.Load load,
        long ownSteps, double generate, double simulate, String reason) {
    static Scale of(String text) {
        Fields f = new Fields(text.stripTrailing());
        if (f.text().equals("scale")) {
            return new Scale(f.text(), f.count(), f.micros(), f.micros(), Run.Load.of(f),
                    f.numberOrNone(), f.micros(), f.micros(), "");
        }
        return new Scale(f.text(), f.count(), f.micros(), Double.NaN, null, -1, Double.NaN,
                Double.NaN, f.text());
    }

    /**
     * Was it simulated?
     *
     * @return false: there is a reason
     */
    public boolean isSimulated() {
        return load != null;
    }

    /**
     * As JSON.
     *
     * @return names and values in their order
     */
    public Map<String, Object> json() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("algorithm", algorithm);
        map.put("ranks", ranks);
        map.put("us", micros);
        map.put("formula_us", formula);
        if (isSimulated()) {
            load.addTo(map);
            map.put("own_steps", ownSteps < 0 ? null : ownSteps);
            map.put("generate_us", generate);
            map.put("simulation_us", simulate);
        } else {
            map.put("reason", reason);
        }
        return map;
    }
}
