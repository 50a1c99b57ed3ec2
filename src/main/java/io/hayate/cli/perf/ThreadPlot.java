// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.cli.draw.Svg;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

/**
 * Draws latency and rate against threads or bytes on logarithmic axes, with a curve for each
 * series.
 */
public final class ThreadPlot {
    private static final int WIDTH = 1240;
    private static final int HEIGHT = 520;
    private static final int PANEL = WIDTH / 2;
    private static final int LEFT = 90;
    private static final int RIGHT = 150;
    private static final int TOP = 100;
    private static final int BOTTOM = 60;
    private static final int STEP = 16;
    private static final int MOST_TICKS = 8;
    private static final double[] DIGITS = {1, 2, 5};
    private static final String[] COLOURS = {"d55e00", "0072b2", "009e73", "cc79a7", "e69f00",
        "56b4e9", "555555", "8a5a00"};

    /** The quantity on the horizontal axis. */
    public enum Axis {
        /** The number of threads. */
        THREADS("threads of each rank", ThreadPoint::threads),
        /** The length of a put. */
        BYTES("bytes of a put", ThreadPoint::bytes);

        private final String label;
        private final ToIntFunction<ThreadPoint> place;

        Axis(String label, ToIntFunction<ThreadPoint> place) {
            this.label = label;
            this.place = place;
        }
    }

    private final String title;
    private final Axis axis;
    private final Map<String, List<ThreadPoint>> series = new LinkedHashMap<>();
    private final Svg svg;

    /**
     * Creates a picture.
     *
     * @param title the title
     * @param subtitle the line below the title
     * @param axis the quantity on the horizontal axis
     */
    public ThreadPlot(String title, String subtitle, Axis axis) {
        this.title = title;
        this.axis = axis;
        StringBuilder looks = new StringBuilder(".curve { stroke-width: 2 }\n");
        for (int i = 0; i < COLOURS.length; i++) {
            looks.append(String.format(Locale.ROOT, ".c%d { stroke: #%s }%n.p%d { fill: #%s }%n", i,
                    COLOURS[i], i, COLOURS[i]));
        }
        svg = new Svg(WIDTH, HEIGHT, title, looks.toString());
        svg.text("title", LEFT, 26, title);
        svg.text("subtitle", LEFT, 46, subtitle);
    }

    /**
     * Adds a point.
     *
     * @param name name of its curve
     * @param point the point
     */
    public void add(String name, ThreadPoint point) {
        series.computeIfAbsent(name, key -> new ArrayList<>()).add(point);
    }

    /**
     * Draws it.
     *
     * @return an SVG file's text
     */
    public String draw() {
        new Panel(0, "half a round trip of put and flag, us", ThreadPoint::median).draw();
        new Panel(PANEL, "puts of all threads, millions per second",
                point -> point.perSecond() / 1e6).draw();
        return svg.toString();
    }

    /** The curves of one quantity, with the left end at x. */
    private final class Panel {
        private final int left;
        private final int right;
        private final String name;
        private final ToDoubleFunction<ThreadPoint> quantity;
        private final int least;
        private final int most;
        private final double low;
        private final double high;

        Panel(int x, String name, ToDoubleFunction<ThreadPoint> quantity) {
            this.left = x + LEFT;
            this.right = x + PANEL - RIGHT;
            this.name = name;
            this.quantity = quantity;
            List<ThreadPoint> all = series.values().stream().flatMap(List::stream).toList();
            least = all.stream().mapToInt(axis.place).min().orElse(1);
            most = Math.max(2 * least, all.stream().mapToInt(axis.place).max().orElse(2));
            double smallest = all.stream().mapToDouble(quantity).filter(v -> v > 0).min().orElse(1);
            low = smallest / 1.3;
            high = Math.max(2 * low, 1.3 * all.stream().mapToDouble(quantity).max().orElse(2));
        }

        private double x(double place) {
            return left + Math.log(place / least) / Math.log((double) most / least)
                    * (right - left);
        }

        private double y(double value) {
            return HEIGHT - BOTTOM - Math.log(value / low) / Math.log(high / low)
                    * (HEIGHT - TOP - BOTTOM);
        }

        void draw() {
            svg.text("subtitle", left, TOP - 14, name);
            double bottom = HEIGHT - BOTTOM;
            for (double power = Math.pow(10, Math.floor(Math.log10(low))); power < high;
                    power *= 10) {
                for (double digit : DIGITS) {
                    drawGrid(power * digit);
                }
            }
            int factor = 2;
            while (Math.log((double) most / least) / Math.log(factor) > MOST_TICKS) {
                factor *= 2;
            }
            for (long tick = least; tick <= most; tick *= factor) {
                svg.line("axis", x(tick), bottom, x(tick), bottom + 5);
                svg.text("middle", x(tick), bottom + 20, shortly(tick));
            }
            svg.line("axis", left, TOP, left, bottom).line("axis", left, bottom, right, bottom);
            svg.text("middle", (left + right) / 2.0, bottom + 42, axis.label);
            int number = 0;
            for (Map.Entry<String, List<ThreadPoint>> one : series.entrySet()) {
                drawCurve(one.getKey(), one.getValue(), number++);
            }
        }

        private void drawGrid(double value) {
            if (value >= low && value <= high) {
                svg.line("grid", left, y(value), right, y(value));
                svg.text("left", left - 8, y(value) + 4,
                        String.format(Locale.ROOT, value < 1 ? "%.2g" : "%.0f", value));
            }
        }

        private void drawCurve(String curve, List<ThreadPoint> points, int number) {
            int colour = number % COLOURS.length;
            List<ThreadPoint> seen =
                    points.stream().filter(point -> quantity.applyAsDouble(point) > 0).toList();
            svg.polyline("curve c" + colour, seen.stream().map(point -> new double[] {
                x(axis.place.applyAsInt(point)), y(quantity.applyAsDouble(point))}).toList());
            seen.forEach(point -> svg.circle("p" + colour, x(axis.place.applyAsInt(point)),
                    y(quantity.applyAsDouble(point)), 3.2, String.format(Locale.ROOT,
                            "%s, %d threads, %d bytes: %.3f", curve, point.threads(),
                            point.bytes(), quantity.applyAsDouble(point))));
            double at = TOP + 6 + number * (double) STEP;
            svg.line("curve c" + colour, right + 12, at - 4, right + 30, at - 4);
            svg.text("", right + 36, at, curve);
        }
    }

    private static String shortly(long number) {
        if (number != 0 && number % (1 << 20) == 0) {
            return (number >> 20) + "M";
        }
        return number != 0 && number % (1 << 10) == 0 ? (number >> 10) + "K"
                : Long.toString(number);
    }

    @Override
    public String toString() {
        return title;
    }
}
