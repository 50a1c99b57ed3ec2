// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.CollOptions;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Runs {@code hayate perf overlap} between two nodes, for each kind of progress and collector. */
final class OverlapJobs {
    private static final String DELEGATED =
            OverlapCommand.word(CollOptions.Progress.DELEGATED);
    /** The kinds of progress: only the last one has delegatees. */
    static final List<String> PROGRESS =
            List.of(OverlapCommand.word(CollOptions.Progress.CALLER),
                    OverlapCommand.word(CollOptions.Progress.THREAD), DELEGATED);

    private static final int ENOUGH_CPUS = 4;
    private static final List<String> COLLECTORS = List.of("Serial", "G1");
    private static final List<String> TEXTS = List.of("progress", "operation", "work");
    private static final List<String> NUMBERS =
            List.of("bytes", "window", "busy", "pure_ms", "work_ms", "both_ms", "overlap");

    private final List<String> arguments;
    private final PrintWriter out;
    private final boolean json;
    private final List<String> waits;
    private final List<String> progress;
    private final int cpus;
    private final Columns table = new Columns().add("ranks wait", "collector", "progress",
            "operation", "while", "alone ms", "work ms", "both ms", "hidden");

    OverlapJobs(List<String> arguments, PrintWriter out, boolean json, List<String> waits,
            List<String> progress, int cpus) {
        this.arguments = arguments;
        this.out = out;
        this.json = json;
        this.waits = waits;
        this.progress = progress == null ? PROGRESS : progress;
        this.cpus = cpus;
    }

    /** The second collector is for collections only: the other work does not depend on it. */
    int run() {
        for (String wait : waits) {
            for (String collector : COLLECTORS) {
                for (String word : progress) {
                    run(wait, collector, word);
                }
            }
        }
        if (!json) {
            out.printf("overlap, 2 nodes on this machine, %d of 2 ranks busy%n%s%n%n%s", busy(),
                    DelegationCommand.places(cpus), table);
        }
        out.flush();
        return 0;
    }

    private int busy() {
        return cpus < ENOUGH_CPUS ? 1 : 2;
    }

    private void run(String wait, String collector, String word) {
        boolean delegated = word.equals(DELEGATED);
        String works = collector.equals(COLLECTORS.get(0))
                ? String.join(",", OverlapCommand.WORKS) : "gc";
        TwoNodes nodes = new TwoNodes(OwnCommand.instead(arguments,
                List.of("-XX:+Use" + collector + "GC"), List.of("perf", "overlap", "--json",
                        "--while", works, "--busy", String.valueOf(busy()), "--progress", word)));
        nodes.run(delegated, DelegationCommand.environment(delegated ? "adaptive" : "none", wait),
                line -> add(wait, collector, line));
    }

    private void add(String wait, String collector, String line) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("impl", "hayate-java");
        values.put("bench", "delegation overlap");
        values.put("wait", wait);
        values.put("collector", collector);
        TEXTS.forEach(name -> values.put(name, JsonNumbers.text(line, name)));
        NUMBERS.forEach(name -> values.put(name, JsonNumbers.of(line, name)));
        if (json) {
            out.print(Json.of(DelegationCommand.withCpus(values, cpus)) + "\n");
            out.flush();
            return;
        }
        table.add(wait, collector, values.get("progress"), values.get("operation"),
                values.get("work"), millis(values.get("pure_ms")), millis(values.get("work_ms")),
                millis(values.get("both_ms")),
                String.format(Locale.ROOT, "%.0f%%", 100 * (Double) values.get("overlap")));
    }

    private static String millis(Object value) {
        return String.format(Locale.ROOT, "%.2f", (Double) value);
    }
}
