// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.CollOptions;
import io.hayate.cli.perf.DelegationPoint;
import java.io.PrintWriter;
import java.util.ArrayList;
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

    private static final String ANY = "any";
    private static final String APART = "apart";
    /** Where the processes run. */
    static final List<String> PLACES = List.of(ANY, APART);

    private static final int ENOUGH_CPUS = 4;
    private static final int SAMPLES = 7; // of a round
    private static final List<String> COLLECTORS = List.of("Serial", "G1");
    private static final List<String> NUMBERS =
            List.of("bytes", "window", "pure_ms", "work_ms", "both_ms", "overlap");

    private record Case(String place, String waiting, String collector, String progress,
            String operation, String work) {
    }

    private final List<String> arguments;
    private final PrintWriter out;
    private final boolean json;
    private final List<String> waits;
    private final List<String> progress;
    private final List<String> places;
    private final int cpus;
    private final Map<Case, List<Map<String, Double>>> rounds = new LinkedHashMap<>();

    /** progress, places: null for all. */
    OverlapJobs(List<String> arguments, PrintWriter out, boolean json, List<String> waits,
            List<String> progress, List<String> places, int cpus) {
        this.arguments = arguments;
        this.out = out;
        this.json = json;
        this.waits = waits;
        this.progress = progress == null ? PROGRESS : progress;
        this.places = places != null ? places : cpus > 1 ? PLACES : List.of(ANY);
        this.cpus = cpus;
    }

    /**
     * All cases in each round, so that a change of the machine concerns all of them. The second
     * collector is for collections only: the other work does not depend on it.
     */
    int run(int count) {
        for (int round = 0; round < count; round++) {
            for (String place : places) {
                for (String wait : waits) {
                    for (String collector : COLLECTORS) {
                        for (String word : progress) {
                            run(place, wait, collector, word);
                        }
                    }
                }
            }
        }
        if (json) {
            rounds.forEach((of, all) -> out.print(Json.of(line(of, all)) + "\n"));
        } else {
            print(count);
        }
        out.flush();
        return 0;
    }

    private int busy(String place) {
        return place.equals(APART) || cpus < ENOUGH_CPUS ? 1 : 2;
    }

    private void run(String place, String waiting, String collector, String word) {
        boolean delegated = word.equals(DELEGATED);
        String works = collector.equals(COLLECTORS.get(0))
                ? String.join(",", OverlapCommand.WORKS) : "gc";
        LocalNodes nodes = new LocalNodes(OwnCommand.instead(arguments,
                List.of("-XX:+Use" + collector + "GC"), List.of("perf", "overlap", "--json",
                        "--while", works, "--busy", String.valueOf(busy(place)), "--samples",
                        String.valueOf(SAMPLES), "--progress", word)),
                place.equals(APART) ? LocalNodes.Split.here() : null);
        String mode = delegated ? "adaptive" : DelegationCommand.NONE;
        nodes.run(delegated, DelegationCommand.environment(mode, waiting), line -> {
            Map<String, Double> values = new LinkedHashMap<>();
            NUMBERS.forEach(name -> values.put(name, JsonNumbers.of(line, name)));
            rounds.computeIfAbsent(new Case(place, waiting, collector, word,
                    JsonNumbers.text(line, "operation"), JsonNumbers.text(line, "work")),
                    key -> new ArrayList<>()).add(values);
        });
    }

    private static double median(List<Map<String, Double>> all, String name) {
        return DelegationPoint.median(all.stream().mapToDouble(one -> one.get(name)).toArray());
    }

    private Map<String, Object> line(Case of, List<Map<String, Double>> all) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("impl", "hayate-java");
        values.put("bench", "delegation overlap");
        values.put("place", of.place);
        values.put("wait", of.waiting);
        values.put("collector", of.collector);
        values.put("progress", of.progress);
        values.put("operation", of.operation);
        values.put("work", of.work);
        values.put("busy", busy(of.place));
        NUMBERS.forEach(name -> values.put(name, median(all, name)));
        values.put("rounds", all.size());
        return DelegationCommand.withCpus(values, cpus);
    }

    private void print(int count) {
        Columns table = new Columns().add("processes", "ranks wait", "collector", "progress",
                "operation", "while", "alone ms", "work ms", "both ms", "hidden");
        rounds.forEach((of, all) -> table.add(of.place, of.waiting, of.collector, of.progress,
                of.operation, of.work, millis(all, "pure_ms"), millis(all, "work_ms"),
                millis(all, "both_ms"),
                String.format(Locale.ROOT, "%.0f%%", 100 * median(all, "overlap"))));
        out.printf("overlap, 2 nodes on this machine, rounds: %d, medians%n", count);
        if (places.contains(ANY)) {
            out.printf("any: %s, %d of 2 ranks busy%n", DelegationCommand.places(cpus), busy(ANY));
        }
        if (places.contains(APART)) {
            out.printf("apart: one CPU carries rank 0, which is busy; another one carries rank 1"
                    + " and the delegatees%n");
        }
        out.printf("%n%s", table);
    }

    private static String millis(List<Map<String, Double>> all, String name) {
        return String.format(Locale.ROOT, "%.2f", median(all, name));
    }
}
