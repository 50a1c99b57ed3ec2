// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import io.hayate.cli.draw.Svg;
import java.util.Comparator;
import java.util.List;

/**
 * Draws the steps of all ranks over time: a lane for each rank, a bar for each step, arrows for
 * signals.
 */
public final class Timeline {
    /** The largest number of readable lanes. */
    public static final int MOST_RANKS = 64;
    /** The largest number of readable bars. */
    public static final int MOST_STEPS = 50_000;

    private static final int WIDTH = 1280;
    private static final int LEFT = 92;
    private static final int RIGHT = 24;
    private static final int BOTTOM = 52;
    private static final int TICKS = 10;
    private static final double THIN = 1.4;
    private static final String LOOKS = ".lane { stroke: #eee; stroke-width: 1 }\n"
            + ".odd { fill: #f7f7f7 }\n"
            + ".signal { fill: #000 }\n.wait { fill: #d2d2d2 }\n.put { fill: #0072b2 }\n"
            + ".get { fill: #009e73 }\n.copy { fill: #e69f00 }\n.reduce { fill: #cc79a7 }\n"
            + ".arrow { stroke: #d55e00; stroke-width: 1.1; stroke-opacity: 0.8;"
            + " marker-end: url(#head) }\n"
            + ".over { stroke: #444; stroke-width: 1; stroke-dasharray: 4 3 }\n";

    private final String title;
    private final List<String> subtitles;
    private final Steps steps;
    private final Lanes lanes;
    private final Arrows arrows;
    private final double lane;
    private final double bar;
    private final Ticks ticks;
    private Svg svg;
    private int top;

    /**
     * Creates a picture.
     *
     * @param title the title
     * @param subtitles lines below the title; long ones are broken
     * @param ranks number of ranks
     * @param steps simulated steps of all ranks
     */
    public Timeline(String title, List<String> subtitles, int ranks, Steps steps) {
        this.title = title;
        this.subtitles = subtitles;
        this.steps = steps;
        this.ticks = Ticks.of(Math.max(steps.end(), 1e-3), TICKS);
        double pixel = ticks.end() / (WIDTH - LEFT - RIGHT);
        this.lanes = new Lanes(ranks, steps.steps(), pixel);
        this.arrows = new Arrows(steps.steps(), pixel);
        this.lane = lanes.count() <= 8 ? 44 : lanes.count() <= 16 ? 32
                : lanes.count() <= 32 ? 20 : 13;
        this.bar = lane * (lane > 20 ? 0.5 : 0.7);
    }

    /**
     * Draws it.
     *
     * @return an SVG file's text
     */
    public String draw() {
        List<String> lines = subtitles.stream()
                .flatMap(line -> Svg.lines(line, WIDTH - LEFT - RIGHT).stream()).toList();
        top = 76 + 16 * lines.size();
        svg = new Svg(WIDTH, (int) (bottom() + BOTTOM), title, LOOKS);
        svg.text("title", LEFT, 26, title);
        for (int i = 0; i < lines.size(); i++) {
            svg.text("subtitle", LEFT, 45 + 16 * i, lines.get(i));
        }
        svg.arrowhead("head", "#d55e00");
        drawLanes();
        drawAxis();
        drawBars();
        arrows.shown().forEach(this::drawArrow);
        drawLegend();
        return svg.toString();
    }

    private double bottom() {
        return top + lanes.count() * lane;
    }

    private double x(double micros) {
        return LEFT + micros / ticks.end() * (WIDTH - LEFT - RIGHT);
    }

    private double middle(int rank) {
        return top + (lanes.of(rank) + 0.5) * lane;
    }

    private void drawLanes() {
        for (int i = 0; i < lanes.count(); i++) {
            if (i % 2 == 1) {
                svg.rect("odd", LEFT, top + i * lane, WIDTH - LEFT - RIGHT, lane, "");
            }
            svg.text("left", LEFT - 8, top + (i + 0.5) * lane + 4, lanes.name(i));
        }
    }

    private void drawAxis() {
        double y = bottom();
        for (double at : ticks.values()) {
            svg.line("grid", x(at), top, x(at), y);
            svg.line("axis", x(at), y, x(at), y + 5);
            svg.text("middle", x(at), y + 20, ticks.text(at));
        }
        svg.line("axis", LEFT, y, WIDTH - RIGHT, y);
        svg.text("middle", (LEFT + WIDTH - RIGHT) / 2.0, y + 40, "simulated time, us");
        double end = x(steps.end());
        svg.line("over", end, top - 6, end, y);
        svg.text("left", end, top - 12, "complete after " + Micros.text(steps.end()));
    }

    /** Draws waits below and short steps on top. */
    private void drawBars() {
        steps.steps().stream().filter(step -> lanes.shows(step.rank()))
                .sorted(Comparator.comparing(step -> depth(step.kind())))
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

    private void drawArrow(Arrows.Arrow arrow) {
        Step signal = arrow.signal();
        Step wait = arrow.receipt();
        double side = signal.rank() < wait.rank() ? bar / 2 : -bar / 2;
        svg.line("arrow", x(signal.end()), middle(signal.rank()) + side, x(wait.end()),
                middle(wait.rank()) - side);
    }

    // ---- legend ----

    private void drawLegend() {
        List<String> kinds = List.of("signal", "wait", "put", "get", "copy", "reduce");
        double x = LEFT;
        for (String kind : kinds) {
            if (steps.steps().stream().anyMatch(step -> step.kind().equals(kind))) {
                svg.rect(kind, x, top - 22, 12, 12, "");
                svg.text("", x + 17, top - 12, kind);
                x += 76;
            }
        }
        if (!arrows.shown().isEmpty()) {
            svg.line("arrow", x, top - 16, x + 22, top - 16);
            svg.text("", x + 27, top - 12, arrows.showsAll()
                    ? "from a signal to the wait that receives it"
                    : "the signals that the end depended on, of all signals");
            x += 370;
        }
        if (lanes.folded()) {
            svg.text("", x, top - 12, "+3: three more ranks do the same");
        }
    }
}
