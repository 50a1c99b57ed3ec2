// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import io.hayate.cli.draw.Svg;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Draws the steps of all ranks over time: a lane for each rank, a bar for each step, an arrow for
 * each signal.
 */
public final class Timeline {
    /** The largest number of readable lanes. */
    public static final int MOST_RANKS = 64;
    /** The largest number of readable bars. */
    public static final int MOST_STEPS = 50_000;

    private static final int WIDTH = 1280;
    private static final int LEFT = 84;
    private static final int RIGHT = 24;
    private static final int TOP = 92;
    private static final int BOTTOM = 52;
    private static final int TICKS = 10;
    private static final int ARROW_RANKS = 16;
    private static final int MOST_ARROWS = 600;
    private static final double THIN = 1.4;
    private static final String LOOKS = ".lane { stroke: #eee; stroke-width: 1 }\n"
            + ".odd { fill: #f7f7f7 }\n"
            + ".signal { fill: #000 }\n.wait { fill: #d2d2d2 }\n.put { fill: #0072b2 }\n"
            + ".get { fill: #009e73 }\n.copy { fill: #e69f00 }\n.reduce { fill: #cc79a7 }\n"
            + ".arrow { stroke: #d55e00; stroke-width: 0.9; stroke-opacity: 0.7;"
            + " marker-end: url(#head) }\n"
            + ".over { stroke: #444; stroke-width: 1; stroke-dasharray: 4 3 }\n";

    private final String title;
    private final List<String> subtitles;
    private final int ranks;
    private final Steps steps;
    private final double lane;
    private final double bar;
    private final Ticks ticks;
    private Svg svg;

    /**
     * Creates a picture.
     *
     * @param title the title
     * @param subtitles lines below the title, at most two
     * @param ranks number of lanes
     * @param steps simulated steps of all ranks
     */
    public Timeline(String title, List<String> subtitles, int ranks, Steps steps) {
        this.title = title;
        this.subtitles = subtitles;
        this.ranks = ranks;
        this.steps = steps;
        this.lane = ranks <= 8 ? 44 : ranks <= ARROW_RANKS ? 32 : ranks <= 32 ? 20 : 13;
        this.bar = lane * (ranks <= ARROW_RANKS ? 0.5 : 0.7);
        this.ticks = Ticks.of(Math.max(steps.end(), 1e-3), TICKS);
    }

    /**
     * Draws it.
     *
     * @return an SVG file's text
     */
    public String draw() {
        svg = new Svg(WIDTH, (int) (bottom() + BOTTOM), title, LOOKS);
        svg.text("title", LEFT, 26, title);
        for (int i = 0; i < subtitles.size(); i++) {
            svg.text("subtitle", LEFT, 45 + 16 * i, subtitles.get(i));
        }
        svg.arrowhead("head", "#d55e00");
        drawLanes();
        drawAxis();
        drawBars();
        boolean arrows = ranks <= ARROW_RANKS;
        List<Step[]> pairs = arrows ? pairs() : List.of();
        pairs.stream().limit(MOST_ARROWS).forEach(pair -> drawArrow(pair[0], pair[1]));
        drawLegend(arrows && !pairs.isEmpty());
        return svg.toString();
    }

    private double bottom() {
        return TOP + ranks * lane;
    }

    private double x(double micros) {
        return LEFT + micros / ticks.end() * (WIDTH - LEFT - RIGHT);
    }

    private double middle(int rank) {
        return TOP + (rank + 0.5) * lane;
    }

    private void drawLanes() {
        for (int rank = 0; rank < ranks; rank++) {
            if (rank % 2 == 1) {
                svg.rect("odd", LEFT, TOP + rank * lane, WIDTH - LEFT - RIGHT, lane, "");
            }
            svg.text("left", LEFT - 8, middle(rank) + 4, (rank == 0 || lane > 16 ? "rank " : "")
                    + rank);
        }
    }

    private void drawAxis() {
        double y = bottom();
        for (double at : ticks.values()) {
            svg.line("grid", x(at), TOP, x(at), y);
            svg.line("axis", x(at), y, x(at), y + 5);
            svg.text("middle", x(at), y + 20, ticks.text(at));
        }
        svg.line("axis", LEFT, y, WIDTH - RIGHT, y);
        svg.text("middle", (LEFT + WIDTH - RIGHT) / 2.0, y + 40, "simulated time, us");
        double end = x(steps.end());
        svg.line("over", end, TOP - 6, end, y);
        svg.text("left", end, TOP - 12, "complete after " + Micros.text(steps.end()));
    }

    /** Draws waits below and short steps on top. */
    private void drawBars() {
        steps.steps().stream().sorted(Comparator.comparing(step -> depth(step.kind())))
                .forEach(this::drawBar);
    }

    private static int depth(String kind) {
        return kind.equals("wait") ? 0 : kind.equals("signal") ? 2 : 1;
    }

    private void drawBar(Step step) {
        double width = Math.max(x(step.end()) - x(step.begin()), step.kind().equals("wait")
                ? 0 : THIN);
        String tip = "rank " + step.rank() + ", step " + step.index() + ": " + step.text() + ", "
                + Micros.plain(step.begin()) + " to " + Micros.plain(step.end()) + " us";
        svg.rect(step.kind(), x(step.begin()), middle(step.rank()) - bar / 2, width, bar, tip);
    }

    // ---- arrows ----

    private record Way(int from, int to) {
    }

    /** Pairs each signal with its wait: the signals of a pair of ranks are received in order. */
    private List<Step[]> pairs() {
        Map<Way, Deque<Step>> posted = new HashMap<>();
        List<Step[]> pairs = new ArrayList<>();
        for (Step step : steps.steps()) {
            if (step.kind().equals("signal")) {
                posted.computeIfAbsent(new Way(step.rank(), step.peer()), way ->
                        new ArrayDeque<>()).add(step);
            }
        }
        for (Step step : steps.steps()) {
            Deque<Step> signals = posted.get(new Way(step.peer(), step.rank()));
            if (step.kind().equals("wait") && signals != null && !signals.isEmpty()) {
                pairs.add(new Step[] {signals.remove(), step});
            }
        }
        return pairs;
    }

    private void drawArrow(Step signal, Step wait) {
        double side = signal.rank() < wait.rank() ? bar / 2 : -bar / 2;
        svg.line("arrow", x(signal.end()), middle(signal.rank()) + side, x(wait.end()),
                middle(wait.rank()) - side);
    }

    // ---- legend ----

    private void drawLegend(boolean arrows) {
        List<String> kinds = List.of("signal", "wait", "put", "get", "copy", "reduce");
        double x = LEFT;
        for (String kind : kinds) {
            if (steps.steps().stream().anyMatch(step -> step.kind().equals(kind))) {
                svg.rect(kind, x, TOP - 22, 12, 12, "");
                svg.text("", x + 17, TOP - 12, kind);
                x += 76;
            }
        }
        if (arrows) {
            svg.line("arrow", x, TOP - 16, x + 22, TOP - 16);
            svg.text("", x + 27, TOP - 12, "from a signal to the wait that receives it");
        }
    }
}
