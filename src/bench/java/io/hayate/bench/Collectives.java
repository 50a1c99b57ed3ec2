/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import com.google.gson.GsonBuilder;
import io.hayate.bench.CollectiveLine.Cell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the tables, collectives.json and the plots out of the collectives.jsonl and
 * environment.txt that scripts/bench/coll.sh leaves in a folder.
 */
public final class Collectives {
    private Collectives() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            System.err.println("usage: Collectives FOLDER");
            System.exit(2);
        }
        Path folder = Path.of(args[0]);
        CollectiveResults results = CollectiveResults.read(folder.resolve("collectives.jsonl"));
        if (results.isEmpty()) {
            throw new IOException(folder.resolve("collectives.jsonl") + " has no measurements");
        }
        Map<String, String> environment = Summary.environment(folder.resolve("environment.txt"));
        List<String> plots = new CollectivePlots(results, folder).write();
        String heading = heading(environment, results);
        CollectiveTable table = new CollectiveTable(results);
        Files.writeString(folder.resolve("short.md"), heading + table.inShort());
        Files.writeString(folder.resolve("collectives.md"), heading + table.markdown()
                + Summary.notes(folder) + Summary.pictures(plots));
        Files.writeString(folder.resolve("collectives.json"), json(results, environment, folder));
    }

    private static String heading(Map<String, String> environment, CollectiveResults results) {
        double[] line = results.all().stream().mapToDouble(CollectiveLine::lineUs)
                .filter(us -> us > 0).sorted().toArray();
        return "# Persistent collectives beside their peers\n\n"
                + Table.machine(environment)
                + (line.length == 0 ? "" : String.format(java.util.Locale.ROOT,
                        "A cache line took %.3f to %.3f us (median %.3f).%n%n", line[0],
                        line[line.length - 1], line[line.length / 2]));
    }

    private static String json(
            CollectiveResults results, Map<String, String> environment, Path folder)
            throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("environment", environment);
        all.put("skipped", Summary.lines(folder.resolve("skipped.txt")));
        all.put("failed", Summary.lines(folder.resolve("failed.txt")));
        all.put("figures", results.operations().stream().flatMap(o -> results.cells(o).stream())
                .flatMap(c -> results.series(c.bench()).stream()
                        .filter(s -> !results.lines(c, s).isEmpty())
                        .map(s -> figure(results, c, s)))
                .toList());
        all.put("overlap", results.all().stream().filter(CollectiveLine::isOverlap)
                .map(Collectives::overlap).toList());
        return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(all)
                + "\n";
    }

    private static Map<String, Object> figure(
            CollectiveResults results, Cell cell, String series) {
        List<CollectiveLine> lines = results.lines(cell, series);
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("bench", cell.bench());
        one.put("bytes", cell.bytes());
        one.put("ranks", cell.ranks());
        one.put("series", series);
        one.put("repetitions", lines.size());
        one.put("min_us", lines.stream().mapToDouble(CollectiveLine::minUs).min().orElseThrow());
        one.put("median_us", results.middle(cell, series, CollectiveLine::medianUs).orElseThrow());
        one.put("p99_us", results.middle(cell, series, CollectiveLine::p99Us).orElseThrow());
        one.put("choices", lines.stream().map(CollectiveLine::choice).filter(c -> c != null)
                .distinct().toList());
        if (CollectiveTable.OURS.contains(series)) {
            Map<String, Object> ratios = new LinkedHashMap<>();
            CollectiveTable.PEERS.forEach(
                    p -> results.ratio(cell, series, p).ifPresent(r -> ratios.put(p, r)));
            one.put("ratios", ratios);
        }
        return one;
    }

    private static Map<String, Object> overlap(CollectiveLine line) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("bench", line.bench());
        one.put("bytes", line.bytes());
        one.put("ranks", line.ranks());
        one.put("series", line.series());
        one.put("repetition", line.repetition());
        one.put("pure_us", line.pureUs());
        one.put("cpu_us", line.cpuUs());
        one.put("both_us", line.bothUs());
        one.put("overlap_percent", line.overlapPercent());
        one.put("turns", line.turns().length);
        return one;
    }
}
