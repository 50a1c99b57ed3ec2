// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import io.hayate.cli.draw.Svg;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** Draws time against processes on logarithmic axes, both simulated and by closed formulas. */
public final class ScalePlot {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 640;
    private static final int LEFT = 92;
    private static final int RIGHT = 250;
    private static final int TOP = 84;
    private static final int BOTTOM = 64;
    private static final double TEN = 10;
    private static final double LINE = 36;
    private static final String[] COLOURS = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
        "#56b4e9", "#000000"};

    private final String title;
    private final List<String> subtitles;
    private final Map<String, List<Scale>> curves = new LinkedHashMap<>();
    private final int most;
    private final double low;
    private final double high;
    private final Svg svg;

    /**
     * Creates a picture.
     *
     * @param title the title
     * @param subtitles lines below the title, at most two
     * @param points the points of all algorithms, simulated or not
     */
    public ScalePlot(String title, List<String> subtitles, List<Scale> points) {
        this.title = title;
        this.subtitles = subtitles;
        points.forEach(point -> curves.computeIfAbsent(point.algorithm(), name ->
                new ArrayList<>()).add(point));
        this.most = points.stream().mapToInt(Scale::ranks).max().orElse(2);
        this.low = Math.floor(Math.log10(times().min().orElse(1)));
        this.high = Math.max(low + 1, Math.ceil(Math.log10(times().max().orElse(TEN))));
        this.svg = new Svg(WIDTH, HEIGHT, title, looks());
    }

    private DoubleStream times() {
        return curves.values().stream().flatMap(List::stream)
                .flatMapToDouble(point -> DoubleStream.of(point.micros(), point.formula()))
                .filter(time -> time > 0);
    }

    private static String looks() {
        StringBuilder looks = new StringBuilder(".formula { stroke-dasharray: 6 4;"
                + " stroke-width: 1.4; stroke-opacity: 0.8 }\n.curve { stroke-width: 2 }\n"
                + ".name { font-weight: bold }\n.link { stroke: #aaa; stroke-width: 0.8 }\n");
        for (int i = 0; i < COLOURS.length; i++) {
            looks.append(String.format(".c%d { stroke: %s }%n.p%d { fill: %s }%n", i, COLOURS[i],
                    i, COLOURS[i]));
        }
        return looks.toString();
    }

    /**
     * Draws it.
     *
     * @return an SVG file's text
     */
    public String draw() {
        svg.text("title", LEFT, 26, title);
        for (int i = 0; i < subtitles.size(); i++) {
            svg.text("subtitle", LEFT, 46 + 16 * i, subtitles.get(i));
        }
        drawTimes();
        drawRanks();
        int colour = 0;
        for (List<Scale> curve : curves.values()) {
            drawCurve(curve, colour++ % COLOURS.length);
        }
        drawLegend();
        return svg.toString();
    }

    private double x(double ranks) {
        return LEFT + (Math.log(ranks / 2) / Math.log(Math.max(most, 4) / 2.0))
                * (WIDTH - LEFT - RIGHT);
    }

    private double y(double micros) {
        double part = (Math.log10(micros) - low) / (high - low);
        return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
    }

    private void drawTimes() {
        for (double power = low; power <= high; power++) {
            double at = Math.pow(TEN, power);
            svg.line("grid", LEFT, y(at), WIDTH - RIGHT, y(at));
            svg.text("left", LEFT - 8, y(at) + 4, Micros.text(at));
        }
        svg.line("axis", LEFT, TOP, LEFT, HEIGHT - BOTTOM);
    }

    private void drawRanks() {
        double bottom = HEIGHT - BOTTOM;
        int doublings = (int) (Math.log(most) / Math.log(2) + 1e-9);
        int stride = doublings > 12 ? 2 : 1;
        for (int power = 1; power <= doublings; power++) {
            double at = x(Math.pow(2, power));
            svg.line("grid", at, TOP, at, bottom);
            if (power % stride == 0 || stride == 1) {
                svg.line("axis", at, bottom, at, bottom + 5);
                svg.text("middle", at, bottom + 20, count(1L << power));
            }
        }
        svg.line("axis", LEFT, bottom, WIDTH - RIGHT, bottom);
        svg.text("middle", (LEFT + WIDTH - RIGHT) / 2.0, bottom + 44, "processes, up to " + most);
    }

    private static String count(long number) {
        return number >= 1L << 20 ? (number >> 20) + "Mi"
                : number >= 1L << 10 ? (number >> 10) + "Ki" : String.valueOf(number);
    }

    // ---- curves ----

    private void drawCurve(List<Scale> curve, int colour) {
        List<double[]> simulated = new ArrayList<>();
        List<double[]> formula = new ArrayList<>();
        for (Scale point : curve) {
            if (point.formula() > 0) {
                formula.add(new double[] {x(point.ranks()), y(point.formula())});
            }
            if (point.micros() > 0) {
                simulated.add(new double[] {x(point.ranks()), y(point.micros())});
            }
        }
        svg.polyline("formula c" + colour, formula);
        svg.polyline("curve c" + colour, simulated);
        for (Scale point : curve) {
            if (point.micros() > 0) {
                svg.circle("p" + colour, x(point.ranks()), y(point.micros()), 3.2,
                        point.algorithm() + ", " + point.ranks() + " processes: simulated "
                        + Micros.text(point.micros()) + ", closed formula "
                        + Micros.text(point.formula()));
            }
        }
    }

    // ---- legend ----

    private record Label(String name, int colour, Scale last) {
        double micros() {
            return last.isSimulated() ? last.micros() : last.formula();
        }
    }

    /** Places labels next to the ends of the curves, as near as there is room. */
    private void drawLegend() {
        List<Label> labels = new ArrayList<>();
        curves.forEach((name, curve) -> labels.add(new Label(name, labels.size()
                % COLOURS.length, curve.get(curve.size() - 1))));
        labels.removeIf(label -> !(label.micros() > 0));
        labels.sort(Comparator.comparing(Label::micros).reversed());
        double lowest = HEIGHT - BOTTOM - LINE * labels.size();
        double at = TOP;
        for (Label label : labels) {
            lowest += LINE;
            at = Math.min(Math.max(at, y(label.micros()) - LINE / 2), lowest);
            drawLabel(label, at);
            at += LINE;
        }
        double x = WIDTH - RIGHT + 30;
        svg.line("curve c6", x, TOP - 34, x + 28, TOP - 34).text("", x + 36, TOP - 30,
                "simulated");
        svg.line("formula c6", x, TOP - 16, x + 28, TOP - 16).text("", x + 36, TOP - 12,
                "closed formula");
    }

    private void drawLabel(Label label, double at) {
        double x = WIDTH - RIGHT;
        svg.line("link", x(label.last().ranks()) + 4, y(label.micros()), x + 24, at + LINE / 2);
        svg.circle("p" + label.colour(), x + 32, at + LINE / 2, 4, "");
        svg.text("name", x + 42, at + LINE / 2 - 2, label.name());
        svg.text("subtitle", x + 42, at + LINE / 2 + 13, ending(label.last()));
    }

    private static String ending(Scale last) {
        return (last.isSimulated() ? Micros.text(last.micros()) : "not simulated")
                + ", formula " + Micros.text(last.formula());
    }
}
