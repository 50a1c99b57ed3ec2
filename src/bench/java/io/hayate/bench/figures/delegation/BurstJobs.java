// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.delegation;

import io.hayate.bench.figures.Ranks;
import io.hayate.bench.figures.Report;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs {@code bursts} between two nodes, for each way in which a delegatee waits. */
final class BurstJobs {
    private static final String ADAPTIVE = "adaptive";

    private record Case(String waiting, String mode, int pause) {
    }

    private final Report report;
    private final List<String> waits;
    private final List<String> modes;
    private final int cpus;
    private final LocalNodes nodes;
    private final Map<Case, List<BurstPoint>> rounds = new LinkedHashMap<>();

    /** pauses: null for the default. */
    BurstJobs(Report report, List<String> waits, List<String> modes, List<String> pauses,
            int cpus) {
        this.report = report;
        this.waits = waits;
        this.modes = modes;
        this.cpus = cpus;
        List<String> words = new ArrayList<>(List.of("bursts", "--json"));
        if (pauses != null) {
            words.addAll(List.of("--pauses", String.join(",", pauses)));
        }
        nodes = new LocalNodes(2, Ranks.figure(List.of(), words));
    }

    /** All modes in each round, so that a change of the machine concerns all of them. */
    int run(int count) {
        for (int round = 0; round < count; round++) {
            for (String wait : waits) {
                for (String mode : modes) {
                    nodes.run(!mode.equals(DelegationCommand.NONE),
                            DelegationCommand.environment(mode, wait), line -> add(wait, mode,
                                    line));
                }
            }
        }
        print(count);
        return 0;
    }

    private void add(String wait, String mode, String line) {
        BurstPoint point = BurstPoint.of(Report.read(line, "pause_us", "bytes", "length", "bursts",
                "median_us", "p99_us", "first_us", "cpu_percent"));
        rounds.computeIfAbsent(new Case(wait, mode, point.pause()), key -> new ArrayList<>())
                .add(point);
    }

    /** The median divided by the better one of poll and interrupt; 0: one of them is missing. */
    static double toBetter(double median, BurstPoint poll, BurstPoint interrupt) {
        return poll == null || interrupt == null ? 0
                : median / Math.min(poll.median(), interrupt.median());
    }

    private BurstPoint other(Case of, String mode) {
        List<BurstPoint> all = rounds.get(new Case(of.waiting, mode, of.pause));
        return all == null ? null : BurstPoint.of(all);
    }

    private void print(int count) {
        rounds.keySet().stream().sorted(Comparator.comparingInt((Case of) ->
                waits.indexOf(of.waiting)).thenComparingInt(Case::pause)).forEach(of -> {
                    BurstPoint point = BurstPoint.of(rounds.get(of));
                    double ratio = of.mode.equals(ADAPTIVE) ? toBetter(point.median(),
                            other(of, "poll"), other(of, "interrupt")) : 0;
                    report.add(line(of, point, ratio, count), of.waiting, of.pause, of.mode,
                            point.median(), point.p99(), point.first(),
                            BurstsCommand.percent(point.cpu()), DelegationCommand.ratio(ratio));
                });
    }

    private Map<String, Object> line(Case of, BurstPoint point, double ratio, int count) {
        Map<String, Object> line = point.json();
        line.put("bench", "delegation bursts");
        line.put("delegatee", of.mode);
        line.put("wait", of.waiting);
        line.put("ratio", ratio > 0 ? ratio : null);
        line.put("rounds", count);
        line.put("cpus", cpus);
        return line;
    }
}
