// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import io.hayate.cli.output.ByteSizes;
import io.hayate.cli.output.Columns;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats the result of {@code hayate explain} as text. */
final class ExplainText {
    private static final double PERCENT = 100;
    /** As in choose/judge.c. */
    private static final double MOST_FIRST = 3;

    private final StringBuilder out = new StringBuilder();
    private final Choice choice;

    ExplainText(Choice choice) {
        this.choice = choice;
        out.append(heading(choice));
        addCandidates();
        addReasons();
    }

    /** Formats everything except the steps. */
    static String heading(Choice choice) {
        StringBuilder head = new StringBuilder(what(choice.ask()) + ", " + choice.ask().kind()
                + ", memory " + (choice.ask().memory().equals("heap") ? "in the heap"
                        : "outside the heap") + "\n");
        head.append(model(choice.model())).append('\n');
        choice.notes().forEach(note -> head.append("note: ").append(note).append('\n'));
        return head.append('\n').toString();
    }

    /** Returns a title such as "allreduce of 64 KiB on 12 ranks". */
    static String what(Choice.Ask ask) {
        String data = ask.collective().equals("barrier") ? "" : " of " + bytes(ask.bytes())
                + (hasBlocks(ask) ? " per block" : "");
        String root = ask.root() == 0 ? "" : ", root " + ask.root();
        return ask.collective() + data + " on " + ask.ranks()
                + (ask.ranks() == 1 ? " rank" : " ranks")
                + (ask.nodes() == 1 ? "" : " of " + ask.nodes() + " nodes by " + ask.net()) + root;
    }

    /** Formats a size as "64 KiB" where that is exact. */
    private static String bytes(long bytes) {
        String text = ByteSizes.text(bytes);
        int last = text.length() - 1;
        return Character.isDigit(text.charAt(last)) ? text + " B"
                : text.substring(0, last) + " " + text.charAt(last) + "iB";
    }

    private static boolean hasBlocks(Choice.Ask ask) {
        return !List.of("bcast", "reduce", "allreduce", "scan", "exscan")
                .contains(ask.collective());
    }

    static String model(Choice.Model model) {
        String cpus = model.cpus() + (model.cpus() == 1 ? " CPU" : " CPUs");
        return model.tuned() ? "model measured on this machine, " + cpus
                : "model of a typical machine (hayate tune measures this one), " + cpus;
    }

    private void addCandidates() {
        boolean paper = choice.candidates().stream().anyMatch(Candidate::inPaper);
        Columns columns = new Columns();
        columns.add(row(paper, "us", "first us", "formula us", "algorithm", "way", "paper put us",
                "paper get us"));
        for (Candidate one : choice.candidates()) {
            columns.add(row(paper, Micros.plain(one.micros()), Micros.plain(one.first()),
                    Micros.plain(one.formula()), one.algorithm(), one.way() + mark(one),
                    Micros.plain(one.paperPut()), Micros.plain(one.paperGet())));
        }
        out.append(columns);
        int more = choice.total() - choice.candidates().size();
        out.append(more > 0 ? "and " + more + " slower candidates (--all)\n" : "");
        if (choice.candidates().stream().anyMatch(this::startsSlowly)) {
            out.append("* faster when repeated, but the first run takes more than three times as"
                    + " long as the fastest first run\n");
        }
        if (choice.candidates().stream().anyMatch(this::waitsMore)) {
            out.append("~ a little faster if all ranks come at the same time, but ranks wait longer"
                    + " for each other if they do not\n");
        }
        if (choice.candidates().stream().anyMatch(one -> !one.simulated())) {
            out.append("+ time of the closed formula: too many steps to simulate them for a"
                    + " choice\n");
        }
        out.append('\n');
    }

    private static Object[] row(boolean paper, Object... cells) {
        List<Object> row = new ArrayList<>(List.of(cells).subList(0, 3));
        if (paper) {
            row.addAll(List.of(cells).subList(5, 7));
        }
        row.addAll(List.of(cells).subList(3, 5));
        return row.toArray();
    }

    private String mark(Candidate one) {
        return (startsSlowly(one) ? " *" : waitsMore(one) ? " ~" : "")
                + (one.simulated() ? "" : " +");
    }

    /** Returns whether a candidate is ranked behind the choice because of its first run. */
    private boolean startsSlowly(Candidate one) {
        double least = choice.candidates().stream().mapToDouble(Candidate::first).min().orElse(0);
        return isFaster(one) && one.first() > MOST_FIRST * least;
    }

    /** Returns whether a candidate is ranked behind the choice because its ranks wait more. */
    private boolean waitsMore(Candidate one) {
        return isFaster(one) && !startsSlowly(one);
    }

    private boolean isFaster(Candidate one) {
        return one.micros() < choice.chosen().micros();
    }

    // ---- why ----

    private void addReasons() {
        Candidate chosen = choice.chosen();
        out.append("chosen: ").append(chosen.algorithm()).append(", ").append(chosen.way())
                .append(" (").append(chosen.title()).append(")\n");
        for (Choice.Hint hint : choice.hints()) {
            out.append("  requested: ").append(hint.text()).append(" (").append(hint.whose())
                    .append(")\n");
        }
        out.append("  ").append(byModel()).append('\n');
    }

    private String byModel() {
        if (choice.total() == 1) {
            return choice.hints().isEmpty() ? "it is the only candidate"
                    : "no other candidate matches the request";
        }
        Candidate chosen = choice.chosen();
        Candidate second = choice.candidates().get(1);
        String model = choice.model().tuned() ? "the measured model" : "the default model";
        String among = choice.hints().isEmpty() ? "" : " of the " + choice.total() + " that match";
        double less = second.micros() - chosen.micros();
        Candidate fastest = choice.candidates().stream().filter(this::waitsMore)
                .min(Comparator.comparingDouble(Candidate::micros)).orElse(null);
        if (fastest != null) {
            return String.format(Locale.ROOT, "by %s%s %.1f %% more than %s, %s, but its ranks wait"
                    + " less for each other", model, among,
                    PERCENT * (chosen.micros() / fastest.micros() - 1), fastest.algorithm(),
                    fastest.way());
        }
        if (less < 0) {
            return "the fastest by " + model + among + " that does not start too slowly";
        }
        if (less == 0) {
            return "the first of the fastest by " + model + among;
        }
        return String.format(Locale.ROOT, "the fastest by %s%s: %s (%.1f %%) less than %s, %s",
                model, among, Micros.text(less), PERCENT * less / Math.max(second.micros(), 1e-9),
                second.algorithm(), second.way());
    }

    // ---- steps ----

    ExplainText withSteps(Steps steps) {
        steps.run().ifPresentOrElse(this::addRun, () -> out.append("\ntoo many steps to simulate"
                + " them; try hayate explain --simulate\n"));
        addLoads(steps.ranks());
        addSteps(steps);
        return this;
    }

    private void addRun(Run run) {
        Run.Load load = run.load();
        out.append("\n").append(load.rounds() > 1 ? load.rounds() + " runs in a row: first "
                + Micros.text(run.first()) + ", then " + Micros.text(run.micros()) + " each"
                : "first run: " + Micros.text(run.micros())).append("\n\n");
        out.append(new Columns().add("of a run", "all ranks", "rank with most")
                .add("signals", load.signals(), load.rankSignals())
                .add("bytes moved", load.bytes(), load.rankBytes())
                .add("steps", "-", load.rankSteps())
                .add("bytes of memory", "-", load.rankMemory()));
    }

    private void addLoads(List<RankLoad> ranks) {
        Columns columns = new Columns().add("rank", "steps", "signals", "bytes moved", "TMP",
                "BOX");
        ranks.forEach(one -> columns.add(one.rank(), one.steps(), one.signals(), one.bytes(),
                one.tmp(), one.box()));
        out.append('\n').append(columns);
    }

    private void addSteps(Steps steps) {
        Map<Integer, List<Step>> all = steps.steps().stream()
                .collect(Collectors.groupingBy(Step::rank));
        for (RankLoad one : steps.ranks()) {
            List<Step> own = all.getOrDefault(one.rank(), List.of());
            out.append("\nrank ").append(one.rank()).append(one.steps() == 0
                    ? " has nothing to do\n" : "\n");
            addSteps(own);
        }
        out.append(steps.more() > 0 ? "and " + steps.more() + " more steps\n" : "");
    }

    private void addSteps(List<Step> own) {
        if (own.isEmpty()) {
            return;
        }
        Columns columns = new Columns().add("step", "begin us", "end us", "what");
        for (Step step : own) {
            columns.add(step.index(), Micros.plain(step.begin()), Micros.plain(step.end()),
                    step.text());
        }
        out.append(columns);
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
