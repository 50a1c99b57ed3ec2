// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An algorithm in a way of moving data. Times in microseconds, NaN when there is none.
 *
 * @param index its number; 0 is taken
 * @param algorithm its name
 * @param way "get straight counters"
 * @param title what it does
 * @param micros predicted for a run that is repeated
 * @param simulated else it is by the closed formula
 * @param first predicted for the first run
 * @param formula closed
 * @param paperPut by the formula of the paper
 * @param paperGet by the formula of the paper
 */
public record Candidate(int index, String algorithm, String way, String title, double micros,
        boolean simulated, double first, double formula, double paperPut, double paperGet) {
    static Candidate of(Fields f) {
        return new Candidate(f.count(), f.text(), f.text(), f.text(), f.micros(),
                f.text().equals("simulated"), f.micros(), f.micros(), f.micros(), f.micros());
    }

    /**
     * Do the paper's formulas hold for it?
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
