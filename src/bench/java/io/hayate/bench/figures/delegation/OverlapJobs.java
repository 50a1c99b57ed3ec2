// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.delegation;

import com.google.gson.JsonObject;
import io.hayate.CollOptions;
import io.hayate.bench.figures.Ranks;
import io.hayate.bench.figures.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs {@code overlap} between two nodes, for each kind of progress and collector. */
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

    private final Report report;
    private final List<String> waits;
    private final List<String> progress;
    private final List<String> places;
    private final int cpus;
    private final Map<Case, List<JsonObject>> rounds = new LinkedHashMap<>();

    /** progress: null for all. */
    OverlapJobs(Report report, List<String> waits, List<String> progress, List<String> places,
            int cpus) {
        this.report = report;
        this.waits = waits;
        this.progress = progress == null ? PROGRESS : progress;
        this.places = places;
        this.cpus = cpus;
    }

    /** Where the processes run if nothing else is said. */
    static List<String> places(int cpus) {
        return cpus > 1 ? PLACES : List.of(ANY);
    }

    /** What the places mean, in a line each. */
    static String explain(List<String> places, int cpus) {
        return (places.contains(ANY) ? "\nany: " + DelegationCommand.places(cpus, 2) + ", "
                + busy(ANY, cpus) + " of 2 ranks busy" : "")
                + (places.contains(APART) ? "\napart: one CPU carries rank 0, which is busy;"
                        + " another one carries rank 1 and the delegatees" : "") + "\n";
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
        rounds.forEach((of, all) -> report.add(line(of, all), of.place, of.waiting, of.collector,
                of.progress, of.operation, of.work, median(all, "pure_ms"),
                median(all, "work_ms"), median(all, "both_ms"),
                OverlapCommand.percent(median(all, "overlap"))));
        return 0;
    }

    private static int busy(String place, int cpus) {
        return place.equals(APART) || cpus < ENOUGH_CPUS ? 1 : 2;
    }

    private void run(String place, String waiting, String collector, String word) {
        boolean delegated = word.equals(DELEGATED);
        String works = collector.equals(COLLECTORS.get(0))
                ? String.join(",", OverlapCommand.WORKS) : "gc";
        LocalNodes nodes = new LocalNodes(Ranks.figure(
                List.of("-XX:+Use" + collector + "GC"), List.of("overlap", "--json", "--while",
                        works, "--busy", String.valueOf(busy(place, cpus)), "--samples",
                        String.valueOf(SAMPLES), "--progress", word)),
                place.equals(APART) ? LocalNodes.Split.here() : null);
        String mode = delegated ? "adaptive" : DelegationCommand.NONE;
        nodes.run(delegated, DelegationCommand.environment(mode, waiting), line -> {
            JsonObject values = Report.read(line, NUMBERS.toArray(String[]::new));
            rounds.computeIfAbsent(new Case(place, waiting, collector, word,
                    values.get("operation").getAsString(), values.get("work").getAsString()),
                    key -> new ArrayList<>()).add(values);
        });
    }

    private static double median(List<JsonObject> all, String name) {
        return DelegationPoint.median(all.stream()
                .mapToDouble(one -> one.get(name).getAsDouble()).toArray());
    }

    private Map<String, Object> line(Case of, List<JsonObject> all) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("impl", "hayate-java");
        values.put("bench", "delegation overlap");
        values.put("place", of.place);
        values.put("wait", of.waiting);
        values.put("collector", of.collector);
        values.put("progress", of.progress);
        values.put("operation", of.operation);
        values.put("work", of.work);
        values.put("busy", busy(of.place, cpus));
        NUMBERS.forEach(name -> values.put(name, median(all, name)));
        values.put("rounds", all.size());
        values.put("cpus", cpus);
        return values;
    }
}
