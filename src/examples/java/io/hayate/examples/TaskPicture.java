// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.tasks.TaskTrace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Tasks of all ranks over time, as SVG: a lane for each that run at once on a rank, a bar a task in
 * the colour of its kind, its first word; grey from when a lane is free until the next task of it
 * was ready, that is, waited; a line from the task of another rank that came last.
 */
final class TaskPicture {
    private static final int WIDTH = 1400;
    private static final int LEFT = 90;
    private static final int RIGHT = 20;
    private static final int TOP = 96;
    private static final int LANE = 26;
    private static final int GAP = 14;
    private static final int TICKS = 8;
    private static final int MOST_LINES = 400;
    private static final String[] COLOURS = {"#d55e00", "#0072b2", "#009e73", "#cc79a7"};
    private static final double MICROS = 1e3;

    private record Bar(TaskTrace trace, double y, long before) {
    }

    private final String title;
    private final String subtitle;
    private final List<TaskTrace> traces;
    private final long begin;
    private final long end;
    private final List<Bar> bars = new ArrayList<>();
    private final Map<String, Bar> byName = new HashMap<>();
    private final Map<String, String> colours = new LinkedHashMap<>();
    private final StringBuilder out = new StringBuilder();
    private int bottom = TOP;

    TaskPicture(String title, String subtitle, List<TaskTrace> traces) {
        this.title = title;
        this.subtitle = subtitle;
        this.traces = traces.stream().sorted(Comparator.comparingLong(TaskTrace::start)).toList();
        begin = traces.stream().mapToLong(TaskTrace::ready).min().orElse(0);
        end = Math.max(begin + 1, traces.stream().mapToLong(TaskTrace::end).max().orElse(1));
    }

    String draw() {
        int ranks = 1 + traces.stream().mapToInt(TaskTrace::rank).max().orElse(0);
        StringBuilder names = new StringBuilder();
        for (int rank = 0; rank < ranks; rank++) {
            int top = bottom;
            place(rank);
            names.append(text(LEFT - 12, (top + bottom) / 2.0 - GAP / 2.0 + 4, "end",
                    "rank " + rank));
        }
        int height = bottom + 40;
        out.append(String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\""
                + " width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans,"
                + " sans-serif\" font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\""
                + " fill=\"#fff\"/>%n", WIDTH, height, WIDTH, height));
        out.append(text(LEFT, 26, "start", title)).append(text(LEFT, 46, "start", subtitle));
        out.append(names);
        axis();
        bars.forEach(this::bar);
        lines();
        legend();
        return out.append("</svg>\n").toString();
    }

    /** Each task in the first lane of its rank that is free. */
    private void place(int rank) {
        List<Long> lanes = new ArrayList<>();
        for (TaskTrace one : traces) {
            if (one.rank() != rank) {
                continue;
            }
            int lane = 0;
            while (lane < lanes.size() && lanes.get(lane) > one.start()) {
                lane++;
            }
            long before = lane < lanes.size() ? lanes.get(lane) : begin;
            if (lane == lanes.size()) {
                lanes.add(0L);
            }
            lanes.set(lane, one.end());
            Bar bar = new Bar(one, bottom + lane * (double) LANE, before);
            bars.add(bar);
            byName.put(rank + " " + one.task(), bar);
        }
        bottom += Math.max(1, lanes.size()) * LANE + GAP;
    }

    private double x(long nanos) {
        return LEFT + (nanos - begin) * (double) (WIDTH - LEFT - RIGHT) / (end - begin);
    }

    private static String kind(TaskTrace one) {
        return one.task().split(" ")[0];
    }

    private String colour(String kind) {
        return colours.computeIfAbsent(kind, key -> COLOURS[colours.size() % COLOURS.length]);
    }

    private void bar(Bar bar) {
        TaskTrace one = bar.trace;
        long ready = Math.min(one.ready(), one.start());
        if (ready > bar.before) {
            rect(bar.before, ready, bar.y + LANE * 0.35, LANE * 0.2, "#d9d9d9",
                    "waited for " + one.waited() + " of rank " + one.waitedRank());
        }
        rect(one.start(), one.end(), bar.y + 2, LANE - 6, colour(kind(one)),
                String.format(Locale.ROOT, "%s: %.1f us, %.1f us after it was ready, behind %s of"
                + " rank %d", one.task(), (one.end() - one.start()) / MICROS,
                (one.start() - one.ready()) / MICROS, one.waited(), one.waitedRank()));
    }

    /** When there are too many, those of the longest waits. */
    private void lines() {
        bars.stream().filter(bar -> bar.trace.waitedRank() >= 0
                        && bar.trace.waitedRank() != bar.trace.rank())
                .sorted(Comparator.comparingLong(bar -> bar.before - bar.trace.ready()))
                .limit(MOST_LINES).forEach(this::line);
    }

    private void line(Bar bar) {
        Bar from = byName.get(bar.trace.waitedRank() + " " + bar.trace.waited());
        if (from != null) {
            out.append(String.format(Locale.ROOT, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\""
                    + " y2=\"%.1f\" stroke=\"#000\" stroke-opacity=\"0.35\" stroke-width=\"0.8\""
                    + "/>%n", x(from.trace.end()), from.y + LANE / 2.0, x(bar.trace.start()),
                    bar.y + LANE / 2.0));
        }
    }

    private void axis() {
        for (int i = 0; i <= TICKS; i++) {
            long at = begin + (end - begin) * i / TICKS;
            out.append(String.format(Locale.ROOT, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d"
                    + "\" stroke=\"#e5e5e5\"/>%n", x(at), TOP - 6, x(at), bottom));
            out.append(text(x(at), bottom + 18, i == TICKS ? "end" : "middle",
                    String.format(Locale.ROOT, "%.2f ms", (at - begin) / 1e6)));
        }
    }

    private void legend() {
        double at = LEFT;
        for (Map.Entry<String, String> one : colours.entrySet()) {
            out.append(String.format(Locale.ROOT, "<rect x=\"%.1f\" y=\"60\" width=\"14\" height="
                    + "\"14\" fill=\"%s\"/>%n", at, one.getValue()));
            out.append(text(at + 20, 72, "start", one.getKey()));
            at += 110;
        }
        out.append(String.format(Locale.ROOT, "<rect x=\"%.1f\" y=\"64\" width=\"14\" height=\"5\""
                + " fill=\"#d9d9d9\"/>%n", at));
        out.append(text(at + 20, 72, "start", "waited for an input"));
    }

    private void rect(long from, long to, double y, double height, String colour, String tip) {
        out.append(String.format(Locale.ROOT, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height="
                + "\"%.1f\" fill=\"%s\"><title>%s</title></rect>%n", x(from), y,
                Math.max(0.4, x(to) - x(from)), height, colour, escaped(tip)));
    }

    private static String text(double x, double y, String anchor, String text) {
        return String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>"
                + "%n", x, y, anchor, escaped(text));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
