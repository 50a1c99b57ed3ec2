/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The figures that Hayate is meant to reach, beside what was measured. */
final class Targets {
    private static final String JAVA = "hayate-java heap";
    private static final String MPI = "openmpi-c";

    /** One figure: `measured` is empty when a part of it was not measured. */
    record Target(String what, String wanted, String measured, String verdict) {}

    private final Results results;
    private final List<Target> targets = new ArrayList<>();

    Targets(Results results) {
        this.results = results;
        smallMessages();
        everySize();
        javaOverC();
        collectives();
        idleAndLaunch();
    }

    List<Target> all() {
        return targets;
    }

    private void smallMessages() {
        atMost("8 B over the raw cache line", 1.4, us(JAVA, 8), us("raw cacheline", 8));
        atMost("8 KB double[] over direct buffer", 1.25,
                us("hayate-java array", 8192), us("hayate-java direct", 8192));
    }

    private void everySize() {
        for (long bytes : results.sizes("pingpong")) {
            String size = Plots.size(bytes);
            for (String kind : List.of("heap", "direct", "array")) {
                Optional<Figure> ours = us("hayate-java " + kind, bytes);
                String peer = "openmpi-java " + (kind.equals("array") ? "array" : "direct");
                atMost(size + " " + kind + " over Open MPI Java", 0.7, ours, us(peer, bytes));
                atMost(size + " " + kind + " over Open MPI C", 0.9, ours, us(MPI, bytes));
            }
            if (bytes >= 2048) {
                atMost(size + " heap over the limit", 1.25, us(JAVA, bytes),
                        results.limit(bytes));
            }
        }
    }

    private void javaOverC() {
        for (long bytes : new long[] {8, 128}) {
            Optional<Double> cost = Figure.compare(us(JAVA, bytes), us("hayate-c heap", bytes),
                    (java, c) -> (java - c) * 1000);
            add("Java's cost over C, " + bytes + " B", "at most 40 ns",
                    cost.map(ns -> String.format(Locale.ROOT, "%.0f ns", ns)),
                    cost.map(ns -> ns <= 40));
        }
    }

    private void collectives() {
        for (Measurement.Case one : results.cases()) {
            if (List.of("barrier", "bcast", "allreduce").contains(one.bench())) {
                String name = one.bench() + (one.bytes() > 0 ? " " + Plots.size(one.bytes()) : "");
                Optional<Double> ratio =
                        Figure.compare(find(JAVA, one), find(MPI, one), (ours, mpi) -> ours / mpi);
                add(name + ", " + one.ranks() + " ranks, over Open MPI C", "below 1.00",
                        ratio.map(Targets::number), ratio.map(r -> r < 1));
            }
        }
    }

    private void idleAndLaunch() {
        for (String series : List.of(JAVA, "hayate-c heap")) {
            Optional<Double> share =
                    results.find(series, "blocked", 0, 2).map(Figure::cpuPercent);
            add("share of a core of a rank blocked for 5 s, " + series, "below 2 %",
                    share.map(s -> String.format(Locale.ROOT, "%.2f %%", s)),
                    share.map(s -> s < 2));
        }
        Optional<Double> extra = Figure.compare(
                results.find("hayate-run", "launch", 0, 4),
                results.find("jvms-alone", "launch", 0, 4),
                (ours, alone) -> (ours - alone) / 1e6);
        add("hayate run -n 4 over the JVMs alone", "at most 0.2 s",
                extra.map(s -> String.format(Locale.ROOT, "%.3f s", s)), extra.map(s -> s <= 0.2));
    }

    private void atMost(String what, double bound, Optional<Figure> ours, Optional<Figure> other) {
        Optional<Double> ratio = Figure.compare(ours, other, (a, b) -> a / b);
        add(what, "at most " + number(bound), ratio.map(Targets::number),
                ratio.map(r -> r <= bound));
    }

    private void add(String what, String wanted, Optional<String> measured, Optional<Boolean> met) {
        targets.add(new Target(what, wanted, measured.orElse("not measured"),
                met.map(ok -> ok ? "ok" : "MISSED").orElse("-")));
    }

    private Optional<Figure> us(String series, long bytes) {
        return results.find(series, "pingpong", bytes, 2);
    }

    private Optional<Figure> find(String series, Measurement.Case one) {
        return results.find(series, one.bench(), one.bytes(), one.ranks());
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    String markdown() {
        StringBuilder text = new StringBuilder("\n# Targets\n\n");
        text.append("Java to Java, 2 ranks, heap buffers unless said.\n");
        text.append("Ratios of the medians of all rounds.\n");
        if (results.leftOut() > 0) {
            text.append(String.format("Without %d of %d measurements: the CPUs were nearer to each"
                    + " other then, or further away.%n", results.leftOut(), results.count()));
        }
        text.append('\n');
        text.append("| figure | wanted | measured | |\n| --- | --- | --: | --- |\n");
        for (Target target : targets) {
            text.append(String.format("| %s | %s | %s | %s |%n",
                    target.what(), target.wanted(), target.measured(), target.verdict()));
        }
        text.append("\n").append(count("ok")).append(" ok, ").append(count("MISSED"))
                .append(" MISSED, ").append(count("-")).append(" not measured\n");
        return text.toString();
    }

    private long count(String verdict) {
        return targets.stream().filter(t -> t.verdict().equals(verdict)).count();
    }
}
