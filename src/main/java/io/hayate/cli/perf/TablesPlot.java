// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.cli.draw.Svg;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * Draws what a process and a node keep, and the time of a lookup, against the number of ranks, on
 * logarithmic axes; flat tables are dashed.
 */
public final class TablesPlot {
    private static final int WIDTH = 1500;
    private static final int HEIGHT = 520;
    private static final int PANELS = 3;
    private static final int PANEL = WIDTH / PANELS;
    private static final int LEFT = 80;
    private static final int RIGHT = 110;
    private static final int TOP = 100;
    private static final int BOTTOM = 60;
    private static final int STEP = 16;
    private static final int TEN = 10;
    private static final int[] DIGITS = {1, 2, 5};
    private static final String[] COLOURS = {"0072b2", "d55e00", "009e73", "cc79a7"};

    private final List<TablesPoint> points;
    private final Svg svg;

    /**
     * Creates a picture.
     *
     * @param subtitle the line below the title
     * @param points at least one
     */
    public TablesPlot(String subtitle, List<TablesPoint> points) {
        this.points = points;
        StringBuilder looks = new StringBuilder(
                ".curve { stroke-width: 2 }\n.flat { stroke-dasharray: 6 4 }\n");
        for (int i = 0; i < COLOURS.length; i++) {
            looks.append(String.format(Locale.ROOT, ".c%d { stroke: #%s }%n.p%d { fill: #%s }%n", i,
                    COLOURS[i], i, COLOURS[i]));
        }
        String title = "Tables of a job against its ranks: hierarchical, and flat (dashed)";
        svg = new Svg(WIDTH, HEIGHT, title, looks.toString());
        svg.text("title", LEFT, 26, title);
        svg.text("subtitle", LEFT, 46, subtitle);
    }

    /**
     * Draws it.
     *
     * @return an SVG file's text
     */
    public String draw() {
        new Panel(0, "bytes of a process", TablesPoint::processBytes,
                TablesPoint::flatProcessBytes).draw();
        new Panel(1, "bytes of a node", TablesPoint::nodeBytes, TablesPoint::flatNodeBytes).draw();
        new Panel(2, "ns of a lookup of node, domain and part", TablesPoint::nanos,
                TablesPoint::flatNanos).draw();
        return svg.toString();
    }

    private record Curve(String name, String look, List<TablesPoint> points,
            ToDoubleFunction<TablesPoint> quantity) {
    }

    /** The curves of one quantity. */
    private final class Panel {
        private final int left;
        private final int right;
        private final String name;
        private final List<Curve> curves = new ArrayList<>();
        private final double least;
        private final double most;
        private final double low;
        private final double high;

        Panel(int number, String name, ToDoubleFunction<TablesPoint> quantity,
                ToDoubleFunction<TablesPoint> flat) {
            this.left = number * PANEL + LEFT;
            this.right = (number + 1) * PANEL - RIGHT;
            this.name = name;
            Map<TablesPoint.Layout, List<TablesPoint>> layouts = new LinkedHashMap<>();
            points.forEach(point -> layouts.computeIfAbsent(point.layout(),
                    key -> new ArrayList<>()).add(point));
            layouts.forEach((layout, its) -> curves.add(
                    new Curve(layout.toString(), "c" + layout.ordinal(), its, quantity)));
            curves.add(new Curve("flat", "flat", layouts.values().iterator().next(), flat));
            least = points.stream().mapToInt(TablesPoint::ranks).min().orElse(1);
            most = Math.max(2 * least,
                    points.stream().mapToInt(TablesPoint::ranks).max().orElse(2));
            low = values().min().orElse(1) / 1.3;
            high = Math.max(2 * low, 1.3 * values().max().orElse(2));
        }

        private DoubleStream values() {
            return curves.stream().flatMapToDouble(
                    curve -> curve.points().stream().mapToDouble(curve.quantity()));
        }

        private double x(double ranks) {
            return left + Math.log(ranks / least) / Math.log(most / least) * (right - left);
        }

        private double y(double value) {
            return HEIGHT - BOTTOM - Math.log(value / low) / Math.log(high / low)
                    * (HEIGHT - TOP - BOTTOM);
        }

        void draw() {
            double bottom = HEIGHT - BOTTOM;
            svg.text("subtitle", left, TOP - 14, name);
            drawGrid();
            points.stream().mapToInt(TablesPoint::ranks).distinct().forEach(ranks -> {
                svg.line("axis", x(ranks), bottom, x(ranks), bottom + 5);
                svg.text("middle", x(ranks), bottom + 20, String.valueOf(ranks));
            });
            svg.line("axis", left, TOP, left, bottom).line("axis", left, bottom, right, bottom);
            svg.text("middle", (left + right) / 2.0, bottom + 42, "ranks");
            for (int i = 0; i < curves.size(); i++) {
                drawCurve(curves.get(i), i);
            }
        }

        /** A line for each power of ten, or for 1, 2 and 5 if there are few powers. */
        private void drawGrid() {
            boolean few = high / low < TEN * TEN;
            for (double power = Math.pow(TEN, Math.floor(Math.log10(low))); power < high;
                    power *= TEN) {
                for (int digit : DIGITS) {
                    double value = power * digit;
                    if ((few || digit == 1) && value >= low && value <= high) {
                        svg.line("grid", left, y(value), right, y(value));
                        svg.text("left", left - 8, y(value) + 4, shortly(value));
                    }
                }
            }
        }

        private void drawCurve(Curve curve, int number) {
            boolean flat = curve.look().equals("flat");
            String look = flat ? "axis flat curve" : "curve " + curve.look();
            svg.polyline(look, curve.points().stream().map(point -> new double[] {
                x(point.ranks()), y(curve.quantity().applyAsDouble(point))}).toList());
            curve.points().forEach(point -> svg.circle(flat ? "" : "p" + point.layout().ordinal(),
                    x(point.ranks()), y(curve.quantity().applyAsDouble(point)), 3.2,
                    String.format(Locale.ROOT, "%s, %d ranks: %.1f", curve.name(), point.ranks(),
                            curve.quantity().applyAsDouble(point))));
            double at = TOP + 6 + number * (double) STEP;
            svg.line(look, right + 12, at - 4, right + 30, at - 4);
            svg.text("", right + 36, at, curve.name());
        }
    }

    private static String shortly(double value) {
        String[] units = {"", "K", "M", "G", "T"};
        int unit = 0;
        double left = value;
        while (left >= 1000 && unit < units.length - 1) {
            left /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, left < 1 ? "%.1f%s" : "%.0f%s", left, units[unit]);
    }
}
