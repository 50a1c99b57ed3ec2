// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.draw;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Draws curves over one quantity on logarithmic axes: panels side by side, each for one result, in
 * all of which a curve has the same colour. Points that are not above 0 are left out.
 */
public final class LogPlot {
    private static final int WIDTH = 380; // of a panel, between its axes
    private static final int HEIGHT = 360; // of a panel
    private static final int LEFT = 90;
    private static final int RIGHT = 50; // and the longest name of a curve
    private static final int LETTER = 7;
    private static final int TOP = 100; // with one line of subtitle
    private static final int LINE = 16;
    private static final int BOTTOM = 60;
    private static final int MOST_TICKS = 10;
    private static final double FEW = 1e4; // a range in which 1, 2 and 5 have grid lines
    private static final double[] DIGITS = {1, 2, 5};
    private static final double NARROW = 4; // a range in which there are more
    private static final double[] TENTHS = {1, 1.1, 1.2, 1.3, 1.5, 1.7, 2, 2.5, 3, 4, 5, 6, 7, 8,
        9};
    private static final String[] UNITS = {"", "K", "M", "G", "T"};
    private static final String[] COLOURS = {"d55e00", "0072b2", "009e73", "cc79a7", "e69f00",
        "56b4e9", "555555", "8a5a00"};

    private record Point(double x, double y, String tip) {
    }

    private final String title;
    private final String subtitle;
    private final String axis;
    private int top;
    private int bottom;
    private final List<String> names;
    private final List<Map<String, List<Point>>> panels = new ArrayList<>();
    private final Map<String, String> dashed = new HashMap<>();

    /**
     * Creates a picture without points.
     *
     * @param title the title
     * @param subtitle the text below the title, which is broken if it is long
     * @param axis the name of the quantity on the horizontal axes
     * @param panels the names of the quantities on the vertical axes, one for each panel
     */
    public LogPlot(String title, String subtitle, String axis, List<String> panels) {
        this.title = title;
        this.subtitle = subtitle;
        this.axis = axis;
        this.names = List.copyOf(panels);
        panels.forEach(panel -> this.panels.add(new LinkedHashMap<>()));
    }

    /**
     * Adds a point.
     *
     * @param panel the number of the panel, from 0
     * @param curve the name of the curve
     * @param x the quantity on the horizontal axis
     * @param y the quantity on the vertical axis
     * @param tip text that a viewer shows
     */
    public void add(int panel, String curve, double x, double y, String tip) {
        List<Point> points =
                panels.get(panel).computeIfAbsent(curve, key -> new ArrayList<>());
        if (x > 0 && y > 0) {
            points.add(new Point(x, y, tip));
        }
    }

    /**
     * Lets a curve be dashed, and have the colour of another one.
     *
     * @param curve the name of the curve
     * @param like the name of the other curve
     */
    public void dash(String curve, String like) {
        dashed.put(curve, like);
    }

    /**
     * Draws it.
     *
     * @return an SVG file's text
     */
    public String draw() {
        Set<String> curves = new LinkedHashSet<>();
        panels.forEach(panel -> curves.addAll(panel.keySet()));
        StringBuilder looks = new StringBuilder(".curve { stroke-width: 2 }\n"
                + ".dashed { stroke-dasharray: 6 4 }\n");
        for (int i = 0; i < COLOURS.length; i++) {
            looks.append(String.format(Locale.ROOT, ".c%d { stroke: #%s }%n.p%d { fill: #%s }%n", i,
                    COLOURS[i], i, COLOURS[i]));
        }
        int longest = curves.stream().mapToInt(String::length).max().orElse(0);
        int panel = LEFT + WIDTH + RIGHT + LETTER * longest;
        List<String> lines = Svg.lines(subtitle, panel * panels.size() - LEFT);
        top = TOP + LINE * (lines.size() - 1);
        bottom = top + HEIGHT;
        Svg svg = new Svg(panel * panels.size(), bottom + BOTTOM, title, looks.toString());
        svg.text("title", LEFT, 26, title);
        for (int i = 0; i < lines.size(); i++) {
            svg.text("subtitle", LEFT, 46 + LINE * i, lines.get(i));
        }
        for (int i = 0; i < panels.size(); i++) {
            new Panel(svg, i, i * panel + LEFT, List.copyOf(curves)).draw();
        }
        return svg.toString();
    }

    private final class Panel {
        private final Svg svg;
        private final String name;
        private final Map<String, List<Point>> points;
        private final List<String> curves;
        private final int left;
        private final int right;
        private final List<Double> places;
        private final double least;
        private final double most;
        private final double low;
        private final double high;

        Panel(Svg svg, int number, int left, List<String> curves) {
            this.svg = svg;
            this.name = names.get(number);
            this.points = panels.get(number);
            this.curves = curves;
            this.left = left;
            this.right = left + WIDTH;
            List<Point> all = points.values().stream().flatMap(List::stream).toList();
            places = all.stream().map(Point::x).distinct().sorted().toList();
            least = all.stream().mapToDouble(Point::x).min().orElse(1);
            most = Math.max(2 * least, all.stream().mapToDouble(Point::x).max().orElse(2));
            low = all.stream().mapToDouble(Point::y).min().orElse(1) / 1.3;
            high = Math.max(2 * low, 1.3 * all.stream().mapToDouble(Point::y).max().orElse(2));
        }

        private double x(double place) {
            return left + Math.log(place / least) / Math.log(most / least) * (right - left);
        }

        private double y(double value) {
            return bottom - Math.log(value / low) / Math.log(high / low) * HEIGHT;
        }

        void draw() {
            svg.text("subtitle", left, top - 14, name);
            for (double power = Math.pow(10, Math.floor(Math.log10(low))); power < high;
                    power *= 10) {
                for (double digit : high / low < NARROW ? TENTHS : DIGITS) {
                    drawGrid(power * digit, digit == 1 || high / low < FEW);
                }
            }
            for (double tick : ticks()) {
                svg.line("axis", x(tick), bottom, x(tick), bottom + 5);
                svg.text("middle", x(tick), bottom + 20, exactly((long) tick));
            }
            svg.line("axis", left, top, left, bottom).line("axis", left, bottom, right, bottom);
            svg.text("middle", (left + right) / 2.0, bottom + 42, axis);
            int row = 0;
            for (int i = 0; i < curves.size(); i++) {
                List<Point> seen = points.getOrDefault(curves.get(i), List.of());
                if (!seen.isEmpty()) {
                    drawCurve(curves.get(i), i, seen, row++);
                }
            }
        }

        /** The places of points, or powers of two if there are many places. */
        private List<Double> ticks() {
            if (places.size() <= MOST_TICKS) {
                return places;
            }
            double factor = 2;
            while (Math.log(most / least) / Math.log(factor) > MOST_TICKS) {
                factor *= 2;
            }
            List<Double> ticks = new ArrayList<>();
            for (double tick = least; tick <= most; tick *= factor) {
                ticks.add(tick);
            }
            return ticks;
        }

        private void drawGrid(double value, boolean wanted) {
            if (wanted && value >= low && value <= high) {
                svg.line("grid", left, y(value), right, y(value));
                svg.text("left", left - 8, y(value) + 4, rounded(value));
            }
        }

        private void drawCurve(String curve, int number, List<Point> seen, int row) {
            int like = curves.indexOf(dashed.getOrDefault(curve, curve));
            int colour = (like < 0 ? number : like) % COLOURS.length;
            String look = (dashed.containsKey(curve) ? "curve dashed c" : "curve c") + colour;
            svg.polyline(look, seen.stream()
                    .map(point -> new double[] {x(point.x), y(point.y)}).toList());
            seen.forEach(point -> svg.circle("p" + colour, x(point.x), y(point.y), 3.2,
                    point.tip));
            double at = top + 6 + row * (double) LINE;
            svg.line(look, right + 12, at - 4, right + 30, at - 4);
            svg.text("", right + 36, at, curve);
        }
    }

    /** Formats a round number of the grid with a decimal unit. */
    private static String rounded(double value) {
        int unit = 0;
        double left = value;
        while (left >= 1000 && unit < UNITS.length - 1) {
            left /= 1000;
            unit++;
        }
        String format = left < 1 ? "%.1g%s" : left % 1 < 0.05 || left > 10 ? "%.0f%s" : "%.1f%s";
        return String.format(Locale.ROOT, format, left, UNITS[unit]);
    }

    /** Formats a number with a binary unit where that is exact. */
    private static String exactly(long number) {
        int unit = 0;
        long left = number;
        while (left != 0 && left % 1024 == 0 && unit < UNITS.length - 1) {
            left /= 1024;
            unit++;
        }
        return left + UNITS[unit];
    }
}
