/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The results as a Markdown table: one row for each bench, size and number of ranks. */
final class Table {
    static final List<String> SERIES = List.of(
            "hayate-java heap", "hayate-java direct", "hayate-java array", "hayate-c heap",
            "hayate-c direct", "openmpi-c", "openmpi-java direct", "openmpi-java array", "mpich-c",
            "ucx tag", "ucx put");
    private static final List<String> BENCHES =
            List.of("pingpong", "bcast", "reduce", "allreduce", "barrier");

    private final Results results;

    Table(Results results) {
        this.results = results;
    }

    String markdown(Map<String, String> environment) {
        StringBuilder text = new StringBuilder("# Hayate beside its peers\n\n");
        text.append(machine(environment));
        text.append("Microseconds: the median of the fastest of ")
                .append(environment.getOrDefault("rounds", "?"))
                .append(" rounds; ping-pong is half a round trip. *limit* is a cache line"
                        + " handed over (8 bytes), or a plain loop of the other core that reads"
                        + " data of that size as soon as a flag tells. All times but UCX's contain"
                        + " that the data are written before and read after a message.\n");
        steadiness(text);
        messages(text);
        copies(text);
        return text.toString();
    }

    /** What was measured where, as one paragraph. */
    static String machine(Map<String, String> environment) {
        return environment.getOrDefault("cpu", "?") + ", " + environment.getOrDefault("cpus", "?")
                + " CPUs, " + environment.getOrDefault("kernel", "?") + ", "
                + environment.getOrDefault("date", "?") + ", commit "
                + environment.getOrDefault("commit", "?") + ".\n\n";
    }

    /** A machine whose own speed changes from round to round (virtual CPUs that move) is named. */
    private void steadiness(StringBuilder text) {
        Optional<Figure> line = results.limit(8);
        line.ifPresent(f -> text.append(String.format(Locale.ROOT,
                "The cache line took %.3f to %.3f us%s.%n", f.lowestMedianUs(), f.highestMedianUs(),
                f.highestMedianUs() > 1.3 * f.lowestMedianUs()
                        ? ": **this machine was not steady**; compare within a round only" : "")));
        if (results.leftOut() > 0) {
            text.append(String.format("%d of %d measurements do not count: the CPUs were nearer to"
                    + " each other, or further away, than most of the time.%n",
                    results.leftOut(), results.count()));
        }
    }

    private List<Measurement.Case> rows() {
        return results.cases().stream().filter(c -> BENCHES.contains(c.bench())).toList();
    }

    private void messages(StringBuilder text) {
        List<String> columns = SERIES.stream()
                .filter(s -> rows().stream().anyMatch(c -> results.figures(c).stream()
                        .anyMatch(f -> f.series().equals(s))))
                .toList();
        if (columns.isEmpty()) {
            return;
        }
        text.append("\n| bench | ranks | bytes | ").append(String.join(" | ", columns))
                .append(" | limit | Hayate / Open MPI C | Hayate / limit |\n|");
        text.append(" --- |").append(" --: |".repeat(columns.size() + 5)).append('\n');
        for (Measurement.Case row : rows()) {
            row(text, row, columns);
        }
    }

    private void row(StringBuilder text, Measurement.Case row, List<String> columns) {
        text.append("| ").append(row.bench()).append(" | ").append(row.ranks()).append(" | ")
                .append(String.format(Locale.ROOT, "%,d", row.bytes())).append(" |");
        for (String column : columns) {
            text.append(cell(find(row, column).map(f -> time(f.medianUs()))));
        }
        Optional<Figure> limit =
                row.bench().equals("pingpong") ? results.limit(row.bytes()) : Optional.empty();
        Optional<Figure> ours = find(row, "hayate-java heap").or(() -> find(row, "hayate-c heap"));
        text.append(cell(limit.map(f -> time(f.medianUs()))));
        text.append(cell(ratio(ours, find(row, "openmpi-c")))).append(cell(ratio(ours, limit)));
        text.append('\n');
    }

    private void copies(StringBuilder text) {
        if (results.sizes("memcpy").isEmpty()) {
            return;
        }
        text.append("\n| bytes | memcpy, one core, GB/s | process_vm_readv, GB/s |\n");
        text.append("| --: | --: | --: |\n");
        for (long bytes : results.sizes("memcpy")) {
            text.append("| ").append(String.format(Locale.ROOT, "%,d", bytes)).append(" |");
            text.append(cell(results.find("raw memcpy", "memcpy", bytes, 1).map(Table::rate)))
                    .append(cell(results.find("raw process_vm_readv", "cma", bytes, 1)
                            .map(Table::rate)));
            text.append('\n');
        }
    }

    private Optional<Figure> find(Measurement.Case row, String series) {
        return results.find(series, row.bench(), row.bytes(), row.ranks());
    }

    private static String rate(Figure figure) {
        return String.format(Locale.ROOT, "%.1f", figure.gigabytesPerSecond());
    }

    private static Optional<String> ratio(Optional<Figure> ours, Optional<Figure> other) {
        return Figure.compare(ours, other, (a, b) -> a / b)
                .map(r -> String.format(Locale.ROOT, "%.2f", r));
    }

    private static String cell(Optional<String> text) {
        return " " + text.orElse("") + " |";
    }

    /** Three significant digits, at least what a nanosecond shows. */
    static String time(double us) {
        int digits = us < 10 ? 3 : us < 100 ? 1 : 0;
        return String.format(Locale.ROOT, "%,." + digits + "f", us);
    }
}
