// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.cli.perf.BurstPoint;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Runs {@code hayate perf bursts} between two nodes, for each way in which a delegatee waits. */
final class BurstJobs {
    private static final String ADAPTIVE = "adaptive";

    private record Case(String waiting, String mode, int pause) {
    }

    private final PrintWriter out;
    private final boolean json;
    private final List<String> waits;
    private final List<String> modes;
    private final int cpus;
    private final LocalNodes nodes;
    private final Map<Case, List<BurstPoint>> rounds = new LinkedHashMap<>();

    /** pauses: null for the default. */
    BurstJobs(List<String> arguments, PrintWriter out, boolean json, List<String> waits,
            List<String> modes, List<String> pauses, int cpus) {
        this.out = out;
        this.json = json;
        this.waits = waits;
        this.modes = modes;
        this.cpus = cpus;
        List<String> words = new ArrayList<>(List.of("perf", "bursts", "--json"));
        if (pauses != null) {
            words.addAll(List.of("--pauses", String.join(",", pauses)));
        }
        nodes = new LocalNodes(2, OwnCommand.instead(arguments, List.of(), words));
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
        BurstPoint point = new BurstPoint((int) JsonNumbers.of(line, "pause_us"),
                (int) JsonNumbers.of(line, "bytes"), (int) JsonNumbers.of(line, "length"),
                (int) JsonNumbers.of(line, "bursts"), JsonNumbers.of(line, "median_us"),
                JsonNumbers.of(line, "p99_us"), JsonNumbers.of(line, "first_us"),
                JsonNumbers.of(line, "cpu_percent"));
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
        Columns table = new Columns().add("ranks wait", "pause us", "delegatee", "median us",
                "p99 us", "first us", "CPU", "ratio");
        List<Case> order = rounds.keySet().stream().sorted((a, b) ->
                a.waiting.equals(b.waiting) ? Integer.compare(a.pause, b.pause)
                        : waits.indexOf(a.waiting) - waits.indexOf(b.waiting)).toList();
        for (Case of : order) {
            BurstPoint point = BurstPoint.of(rounds.get(of));
            double ratio = of.mode.equals(ADAPTIVE)
                    ? toBetter(point.median(), other(of, "poll"), other(of, "interrupt")) : 0;
            if (json) {
                printJson(of, point, ratio, count);
            } else {
                table.add(of.waiting, of.pause, of.mode, number(point.median()),
                        number(point.p99()), number(point.first()),
                        BurstsCommand.percent(point.cpu()),
                        ratio > 0 ? String.format(Locale.ROOT, "%.2f", ratio) : "-");
            }
        }
        if (!json) {
            out.printf("bursts, 2 nodes on this machine, half round trips, medians of %d rounds%n"
                    + "%s%n%n%s", count, DelegationCommand.places(cpus), table);
        }
        out.flush();
    }

    private void printJson(Case of, BurstPoint point, double ratio, int count) {
        Map<String, Object> line = point.json();
        line.put("bench", "delegation bursts");
        line.put("delegatee", of.mode);
        line.put("wait", of.waiting);
        line.put("ratio", ratio > 0 ? ratio : null);
        line.put("rounds", count);
        out.print(Json.of(DelegationCommand.withCpus(line, cpus)) + "\n");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
