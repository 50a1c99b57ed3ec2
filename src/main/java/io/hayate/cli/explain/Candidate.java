// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An algorithm with a transfer method. Times are in microseconds, NaN if unknown.
 *
 * @param index its number; 0 is the choice
 * @param algorithm its name
 * @param way the transfer method, such as "get straight counters"
 * @param title a description
 * @param micros predicted time of a repeated run
 * @param simulated whether that is a simulation; otherwise it is the closed formula
 * @param first predicted time of the first run
 * @param formula time of the closed formula
 * @param paperPut time of put by the formula of the paper
 * @param paperGet time of get by the formula of the paper
 */
public record Candidate(int index, String algorithm, String way, String title, double micros,
        boolean simulated, double first, double formula, double paperPut, double paperGet) {
    static Candidate of(Fields f) {
        return new Candidate(f.count(), f.text(), f.text(), f.text(), f.micros(),
                f.text().equals("simulated"), f.micros(), f.micros(), f.micros(), f.micros());
    }

    /**
     * Returns whether the formulas of the paper apply.
     *
     * @return true for binomial broadcasts
     */
    public boolean inPaper() {
        return !Double.isNaN(paperPut);
    }

    Map<String, Object> json() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("algorithm", algorithm);
        map.put("way", way);
        map.put("title", title);
        map.put("us", micros);
        map.put("by", simulated ? "simulation" : "formula");
        map.put("first_us", first);
        map.put("formula_us", formula);
        if (inPaper()) {
            map.put("paper_put_us", paperPut);
            map.put("paper_get_us", paperGet);
        }
        return map;
    }
}
