/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes table.md, targets.md, summary.json and the plots out of the results.jsonl and
 * environment.txt that scripts/bench.sh leaves in a folder.
 */
public final class Summary {
    private Summary() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            System.err.println("usage: Summary FOLDER");
            System.exit(2);
        }
        Path folder = Path.of(args[0]);
        Results results = Results.read(folder.resolve("results.jsonl"));
        if (results.isEmpty()) {
            throw new IOException(folder.resolve("results.jsonl") + " has no measurements");
        }
        Map<String, String> environment = environment(folder.resolve("environment.txt"));
        Targets targets = new Targets(results);
        List<String> plots = new Plots(results, folder).write();
        Files.writeString(folder.resolve("table.md"), new Table(results).markdown(environment)
                + notes(folder) + pictures(plots) + microBenchmarks(folder));
        Files.writeString(folder.resolve("targets.md"), targets.markdown());
        Files.writeString(
                folder.resolve("summary.json"), json(results, targets, environment, folder));
    }

    static Map<String, String> environment(Path file) throws IOException {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                environment.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return environment;
    }

    static List<String> lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    static String notes(Path folder) throws IOException {
        StringBuilder text = new StringBuilder("\n");
        for (String line : lines(folder.resolve("skipped.txt"))) {
            text.append("- skipped: ").append(line).append('\n');
        }
        for (String line : lines(folder.resolve("failed.txt"))) {
            text.append("- FAILED: ").append(line).append('\n');
        }
        return text.toString();
    }

    static String pictures(List<String> plots) {
        StringBuilder text = new StringBuilder("\n");
        plots.forEach(p -> text.append("![").append(p).append("](").append(p).append(".png)\n"));
        return text.toString();
    }

    /** The result table of JMH, which begins with its heading and goes to the end. */
    private static String microBenchmarks(Path folder) throws IOException {
        List<String> lines = lines(folder.resolve("jmh.txt"));
        int heading = -1;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("Benchmark ")) {
                heading = i;
            }
        }
        return heading < 0
                ? ""
                : "\n```\n" + String.join("\n", lines.subList(heading, lines.size())) + "\n```\n";
    }

    private static String json(
            Results results, Targets targets, Map<String, String> environment, Path folder)
            throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("environment", environment);
        all.put("skipped", lines(folder.resolve("skipped.txt")));
        all.put("failed", lines(folder.resolve("failed.txt")));
        all.put("targets", targets.all());
        all.put("figures", results.cases().stream()
                .flatMap(c -> results.figures(c).stream()).map(Summary::json).toList());
        return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(all)
                + "\n";
    }

    private static Map<String, Object> json(Figure figure) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("bench", figure.what().bench());
        one.put("bytes", figure.what().bytes());
        one.put("ranks", figure.what().ranks());
        one.put("series", figure.series());
        one.put("rounds", figure.medians().size());
        one.put("min_us", figure.minUs());
        one.put("median_us", figure.medianUs());
        one.put("highest_median_us", figure.highestMedianUs());
        one.put("p99_us", figure.p99Us());
        one.put("mb_per_s", figure.gigabytesPerSecond() * 1000);
        if (figure.cpuPercent() != null) {
            one.put("cpu_percent", figure.cpuPercent());
        }
        return one;
    }
}
