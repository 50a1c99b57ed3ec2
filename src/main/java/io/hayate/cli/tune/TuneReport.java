// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import io.hayate.cli.output.ByteSizes;
import io.hayate.cli.output.Columns;
import io.hayate.cli.output.Json;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints the result of {@code hayate tune}. */
final class TuneReport {
    private static final double BIG = 1000;

    private final List<TunedNumber> numbers;
    private final Map<String, List<String>> refused;
    private final String before;
    private final String path;
    private final String machine;
    private final String steadiness;

    /**
     * before: describes the terms to compare with; refused: terms that were not measured, by
     * reason.
     */
    TuneReport(List<TunedNumber> numbers, Map<String, List<String>> refused, String before,
            String path, String machine, String steadiness) {
        this.numbers = numbers;
        this.refused = refused;
        this.before = before;
        this.path = path;
        this.machine = machine;
        this.steadiness = steadiness;
    }

    void print(PrintWriter out, boolean json) {
        if (json) {
            out.print(Json.of(json()) + "\n");
        } else {
            printText(out);
        }
        out.flush();
    }

    private void printText(PrintWriter out) {
        Columns columns = new Columns();
        columns.add("term", "bytes", "measured", "+-", "unit", "before", "change");
        for (TunedNumber one : numbers) {
            columns.add(one.name(), one.bytes() == 0 ? "-" : ByteSizes.text(one.bytes()),
                    text(one.value()), one.error() == 0 ? "-" : text(one.error()), one.unit(),
                    text(one.before()), change(one));
        }
        out.print(machine + "\n" + columns);
        refused.forEach((reason, terms) -> out.print("not measured, value unchanged: "
                + String.join(", ", terms) + ": " + reason + "\n"));
        out.print(steadiness + "\nbefore: " + before + "\nwritten to " + path + "\n");
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, value < 1 ? "%.3f" : value < BIG ? "%.1f" : "%.0f",
                value);
    }

    private static String change(TunedNumber one) {
        double ratio = one.ratio();
        return Math.abs(ratio - 1) < 0.005 ? "-" : String.format(Locale.ROOT, "%+.0f%%",
                100 * (ratio - 1));
    }

    private Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("machine", machine);
        json.put("file", path);
        json.put("before", before);
        json.put("steadiness", steadiness);
        List<Object> terms = new ArrayList<>();
        for (TunedNumber one : numbers) {
            Map<String, Object> term = new LinkedHashMap<>();
            term.put("term", one.name());
            term.put("bytes", one.bytes());
            term.put("unit", one.unit());
            term.put("value", one.value());
            term.put("error", one.error());
            term.put("before", one.before());
            terms.add(term);
        }
        json.put("terms", terms);
        json.put("refused", refused);
        return json;
    }
}
