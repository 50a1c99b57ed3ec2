// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import io.hayate.cli.output.Columns;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code hayate explain --simulate}: simulates each algorithm with its best transfer method on many
 * ranks.
 */
final class Scaling {
    private static final int MOST_CANDIDATES = 96;
    /**
     * On several nodes candidates are ordered by their formulas, so transfer methods are tried on
     * fewer ranks.
     */
    private static final int NODE_RANKS = 4096;
    private static final int TRIED_RANKS = 512;

    private final Explainer explainer;
    private final int rounds;
    private final PrintWriter progress;
    private final Choice choice;
    private final List<Candidate> candidates = new ArrayList<>();
    private final Map<Scale, Candidate> compared = new LinkedHashMap<>();
    private final List<Scale> points = new ArrayList<>();

    /** progress: a terminal for progress messages; null: none. */
    Scaling(Explainer explainer, int rounds, PrintWriter progress) {
        this.explainer = explainer;
        this.rounds = rounds;
        this.progress = System.console() == null ? null : progress;
        this.choice = explainer.choice(MOST_CANDIDATES);
        Map<String, Candidate> best = new LinkedHashMap<>();
        Map<Candidate, Double> times = new HashMap<>();
        for (Candidate one : choice.candidates()) {
            times.put(one, time(one));
            best.merge(one.algorithm(), one, (a, b) -> times.get(b) < times.get(a) ? b : a);
        }
        candidates.addAll(best.values());
    }

    private boolean isTried() {
        return choice.ask().ranks() > NODE_RANKS;
    }

    private double time(Candidate one) {
        if (!isTried()) {
            return one.index();
        }
        double micros = simulate(one, TRIED_RANKS, false).micros();
        return Double.isNaN(micros) ? Double.MAX_VALUE : micros;
    }

    /** Simulates the algorithms on a number of ranks; the fastest comes first. */
    void compare(int ranks) {
        List<Scale> scales = new ArrayList<>();
        Map<Scale, Candidate> of = new LinkedHashMap<>();
        for (Candidate one : candidates) {
            Scale scale = simulate(one, ranks, true);
            scales.add(scale);
            of.put(scale, one);
        }
        scales.sort(Comparator.comparing((Scale scale) -> !scale.isSimulated())
                .thenComparing(scale -> scale.isSimulated() ? scale.micros() : scale.formula()));
        scales.forEach(scale -> compared.put(scale, of.get(scale)));
    }

    /** Simulates 2, 4, 8 .. ranks, for the picture. */
    void follow(int most) {
        for (Candidate one : candidates) {
            for (long ranks = 2; ranks < most; ranks *= 2) {
                points.add(simulate(one, (int) ranks, false));
            }
            points.add(compared.keySet().stream().filter(scale -> scale.ranks() == most
                    && scale.algorithm().equals(one.algorithm())).findFirst()
                    .orElseGet(() -> simulate(one, most, false)));
        }
    }

    private Scale simulate(Candidate one, int ranks, boolean generate) {
        if (progress != null) {
            progress.print("\rsimulating " + one.algorithm() + " on " + ranks + " ranks ...\033[K");
            progress.flush();
        }
        Scale scale = explainer.scale(one.index(), ranks, rounds, generate);
        if (progress != null) {
            progress.print("\r\033[K");
            progress.flush();
        }
        return scale;
    }

    String picture() {
        Choice.Ask ask = choice.ask();
        String title = ExplainText.what(new Choice.Ask(ask.collective(), ask.ranks(), 0,
                ask.bytes(), ask.element(), ask.kind(), ask.memory(), 1, ask.net()));
        title = title.substring(0, title.lastIndexOf(" on ")) + ": time against processes";
        return ScalePlot.of(title, ways() + ", " + where() + "; terms of "
                + (choice.model().tuned() ? "this machine, measured" : "a typical machine")
                + (ask.nodes() == 1 ? "; its shared memory models the network"
                        : ", between nodes " + ask.net()), points);
    }

    private String ways() {
        return "each algorithm with its best transfer method on " + (isTried() ? TRIED_RANKS
                : choice.ask().ranks()) + " ranks";
    }

    private String where() {
        int cpus = choice.model().cpus();
        return cpus >= choice.ask().ranks() ? "a CPU for each rank" : cpus + " CPUs for all ranks";
    }

    Map<String, Object> json() {
        Map<String, Object> map = new LinkedHashMap<>(choice.json());
        map.put("scales", compared.entrySet().stream().map(entry ->
                json(entry.getKey(), entry.getValue())).toList());
        if (!points.isEmpty()) {
            map.put("points", points.stream().map(Scale::json).toList());
        }
        return map;
    }

    private static Map<String, Object> json(Scale scale, Candidate candidate) {
        Map<String, Object> map = new LinkedHashMap<>(scale.json());
        map.put("way", candidate.way());
        return map;
    }

    String text() {
        Columns columns = new Columns().add("us", "formula us", "algorithm", "way", "steps",
                "signals", "bytes moved", "memory", "generated in", "simulated in");
        StringBuilder reasons = new StringBuilder();
        compared.forEach((scale, candidate) -> {
            columns.add(row(scale, candidate));
            reasons.append(scale.isSimulated() ? "" : scale.algorithm() + ": " + scale.reason()
                    + "\n");
        });
        return ExplainText.heading(choice) + columns
                + "\n" + ways() + "; steps, signals, bytes moved and memory (bytes)\nare those of"
                + " the rank with the most; generated: the part of one rank, the longest of three;"
                + " terms of\none machine, "
                + where() + ", whose shared memory models the network\n" + reasons;
    }

    private static Object[] row(Scale scale, Candidate candidate) {
        if (!scale.isSimulated()) {
            return new Object[] {"-", Micros.plain(scale.formula()), scale.algorithm(),
                candidate.way(), "-", "-", "-", "-", "-", "-"};
        }
        return new Object[] {Micros.plain(scale.micros()), Micros.plain(scale.formula()),
            scale.algorithm(), candidate.way(), scale.load().rankSteps(),
            scale.load().rankSignals(), scale.load().rankBytes(), scale.load().rankMemory(),
            Micros.text(scale.generate()), Micros.text(scale.simulate())};
    }
}
