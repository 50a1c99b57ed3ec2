// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An algorithm on a number of ranks. Times are in microseconds, NaN if unknown.
 *
 * @param algorithm its name
 * @param ranks number of ranks
 * @param formula time of the closed formula
 * @param micros simulated time
 * @param load load of a run; null if it was not simulated
 * @param ownSteps steps of the part of one rank; -1: not requested
 * @param generate time to generate the part of one rank
 * @param simulate time that the simulation took
 * @param reason why it was not simulated; "" if it was
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
     * Returns whether it was simulated.
     *
     * @return false: there is a reason
     */
    public boolean isSimulated() {
        return load != null;
    }

    /** Returns the values for JSON. @return names and values in their order */
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
