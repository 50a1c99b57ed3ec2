// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import io.hayate.cli.output.ByteSizes;
import io.hayate.cli.output.Columns;
import io.hayate.cli.output.Json;
import io.hayate.cli.tune.CheckSummary.Hint;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Formats the result of {@code hayate tune --check} as text, JSON or Markdown. */
final class CheckReport {
    private static final int WORST = 10;
    private static final double MICRO = 1000;

    private final List<Cell> cells;
    private final CheckSummary summary;
    private final String model;

    /** model: a human-readable name of the model that was compared with the measurements. */
    CheckReport(List<Cell> cells, String model) {
        this.cells = cells;
        this.summary = new CheckSummary(cells);
        this.model = model;
    }

    void print(PrintWriter out, boolean json) {
        out.print(json ? json() : text());
        out.flush();
    }

    // ---- text ----

    private String text() {
        StringBuilder text = new StringBuilder();
        text.append(table(Hint.AUTO, cells)).append('\n');
        for (Hint hint : Hint.values()) {
            text.append(worst(hint));
        }
        sentences().forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    private String worst(Hint hint) {
        List<Cell> worst = summary.worst(hint).stream()
                .filter(cell -> hint.of(cell).loss() > CheckSummary.NEAR).limit(WORST).toList();
        return worst.isEmpty() ? ""
                : "the worst, " + hint.title() + ":\n" + table(hint, worst) + "\n";
    }

    private static String table(Hint hint, List<Cell> rows) {
        Columns columns = new Columns();
        columns.add("collective", "ranks", "bytes", "loss", "choice", "us", "predicted", "best",
                "us", "predicted");
        for (Cell cell : rows) {
            Cell.Verdict one = hint.of(cell);
            if (one != null) {
                columns.add(cell.collective(), cell.ranks(), ByteSizes.text(cell.bytes()),
                        number("%.2f", one.loss()), brief(one.choice()), micros(one.time()),
                        micros(one.predicted()), one.loss() > 1 ? brief(one.best()) : "the same",
                        micros(one.bestTime()), micros(one.bestPredicted()));
            }
        }
        return columns.toString();
    }

    private List<String> sentences() {
        List<String> lines = new ArrayList<>();
        for (Hint hint : Hint.values()) {
            if (summary.count(hint) > 0) {
                lines.add(sentence(hint));
            }
        }
        lines.add(number("put is faster than get by more than 10 %% in %d cells, get in %d; the"
                + " model predicts this correctly in %.1f %% of the"
                + " cells", summary.clearlyBetter(true),
                summary.clearlyBetter(false), summary.percentPutGetRight()));
        lines.add(number("predicted against measured (%s): mean error factor %.2f, rank"
                + " correlation %.2f", model, summary.meanError(), summary.rankCorrelation()));
        return lines;
    }

    private String sentence(Hint hint) {
        Cell worst = summary.worst(hint).get(0);
        return number("%s: the choice is the best or within 10 %% in %.1f %% of %d cells, and the"
                + " best in %.1f %%; worst loss %.2f (%s, %d ranks, %s)", hint.title(),
                summary.percentWithin(hint, CheckSummary.NEAR), summary.count(hint),
                summary.percentWithin(hint, 1), hint.of(worst).loss(), worst.collective(),
                worst.ranks(), ByteSizes.text(worst.bytes()));
    }

    /** Shortens the words of the options, for example to "ring put straight". */
    private static String brief(String options) {
        return options.replaceAll("(algorithm|transfer|buffers|sync)=", "")
                .replace(" counters", "").replace(" segment=none", "");
    }

    private static String number(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static String micros(double nanos) {
        return number("%.2f", nanos / MICRO);
    }

    // ---- Markdown ----

    String markdown(String machine) {
        StringBuilder text = new StringBuilder("# Predicted choices and the best ones\n\n");
        text.append(machine).append(", ").append(model).append(".\n\n");
        sentences().forEach(line -> text.append("- ").append(line).append('\n'));
        for (Hint hint : Hint.values()) {
            text.append("\n## ").append(hint.title()).append("\n\n").append("| collective | ranks"
                    + " | bytes | loss | choice | us | predicted | best | us | predicted |\n"
                    + "|---|---:|---:|---:|---|---:|---:|---|---:|---:|\n");
            cells.forEach(cell -> text.append(row(cell, hint.of(cell))));
        }
        return text.toString();
    }

    private static String row(Cell cell, Cell.Verdict one) {
        return one == null ? "" : "| " + String.join(" | ", cell.collective(), "" + cell.ranks(),
                ByteSizes.text(cell.bytes()), number("%.2f", one.loss()), brief(one.choice()),
                micros(one.time()), micros(one.predicted()), brief(one.best()),
                micros(one.bestTime()), micros(one.bestPredicted())) + " |\n";
    }

    // ---- JSON: one line for each cell, then the summary ----

    private String json() {
        StringBuilder text = new StringBuilder();
        cells.forEach(cell -> text.append(Json.of(json(cell))).append('\n'));
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("cells", cells.size());
        all.put("model", model);
        all.putAll(summary.json());
        return text.append(Json.of(all)).append('\n').toString();
    }

    private static Map<String, Object> json(Cell cell) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("collective", cell.collective());
        json.put("ranks", cell.ranks());
        json.put("bytes", cell.bytes());
        for (Hint hint : Hint.values()) {
            json.put(hint.name().toLowerCase(Locale.ROOT), json(hint.of(cell)));
        }
        json.put("put_by_get", cell.putByGet());
        json.put("candidates", cell.candidates().stream().map(CheckReport::json).toList());
        return json;
    }

    private static Map<String, Object> json(Cell.Verdict one) {
        if (one == null) {
            return null;
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("choice", one.choice());
        json.put("choice_us", one.time() / MICRO);
        json.put("choice_predicted_us", one.predicted() / MICRO);
        json.put("best", one.best());
        json.put("best_us", one.bestTime() / MICRO);
        json.put("best_predicted_us", one.bestPredicted() / MICRO);
        json.put("loss", one.loss());
        return json;
    }

    private static Map<String, Object> json(Cell.Candidate one) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("options", one.options());
        json.put("predicted_us", one.predicted() / MICRO);
        json.put("us", one.time() / MICRO);
        json.put("repetitions", one.repetitions());
        return json;
    }
}
