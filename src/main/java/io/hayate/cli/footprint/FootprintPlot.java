// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.footprint;

import io.hayate.cli.draw.Svg;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/**
 * Draws what ranks add against their number, on logarithmic axes: page tables, and memory together
 * with page tables.
 */
public final class FootprintPlot {
    private static final int WIDTH = 1320;
    private static final int HEIGHT = 560;
    private static final int PANEL = WIDTH / 2;
    private static final int LEFT = 84;
    private static final int RIGHT = 160;
    private static final int TOP = 92;
    private static final int BOTTOM = 64;
    private static final int LINE = 32;
    /** The ratio between two lines of the grid. */
    private static final int GRID = 4;
    private static final int DASHES = 4;
    private static final String LOOKS = ".processes { stroke: #d55e00 }\n.tasks { stroke: #0072b2 }"
            + "\n.p-processes { fill: #d55e00 }\n.p-tasks { fill: #0072b2 }\n.curve { stroke-width:"
            + " 2 }\n.d1 { stroke-dasharray: 7 4 }\n.d2 { stroke-dasharray: 2 3 }\n"
            + ".d3 { stroke-dasharray: 9 3 2 3 }\n.name { font-weight: bold }\n"
            + ".link { stroke: #aaa; stroke-width: 0.8 }\n";

    private final List<Comparison> comparisons;
    private final LongFunction<String> sizes;
    private final String title;
    private final Svg svg;

    /**
     * Creates a picture.
     *
     * @param title the title
     * @param comparisons one comparison for each size of messages, with at least one point in all
     * @param sizes formats numbers of bytes
     */
    public FootprintPlot(String title, List<Comparison> comparisons, LongFunction<String> sizes) {
        this.comparisons = comparisons;
        this.sizes = sizes;
        this.title = title;
        this.svg = new Svg(WIDTH, HEIGHT, title, LOOKS);
    }

    /**
     * Draws it.
     *
     * @return an SVG file's text
     */
    public String draw() {
        svg.text("title", LEFT, 26, title);
        svg.text("subtitle", LEFT, 46, "memory that ranks add to a launcher without ranks, each"
                + " address space once; N^x by least squares");
        new Panel(0, "page tables", MemoryUse::pageTables).draw();
        new Panel(PANEL, "memory and page tables", MemoryUse::together).draw();
        return svg.toString();
    }

    private record Curve(String name, String power, Kind kind, int dash, List<Footprint> points) {
        Footprint last() {
            return points.get(points.size() - 1);
        }
    }

    /** The curves of one quantity, with the left end at x. */
    private final class Panel {
        private final int left;
        private final int right;
        private final String name;
        private final ToLongFunction<MemoryUse> quantity;
        private final List<Curve> curves = new ArrayList<>();
        private final int least;
        private final int most;
        private final double low;
        private final double high;

        Panel(int x, String name, ToLongFunction<MemoryUse> quantity) {
            this.left = x + LEFT;
            this.right = x + PANEL - RIGHT;
            this.name = name;
            this.quantity = quantity;
            for (int i = 0; i < comparisons.size(); i++) {
                addCurve(comparisons.get(i), Kind.PROCESSES, i % DASHES);
                addCurve(comparisons.get(i), Kind.TASKS, i % DASHES);
            }
            List<Footprint> all = curves.stream().flatMap(one -> one.points().stream()).toList();
            least = all.stream().mapToInt(Footprint::ranks).min().orElse(2);
            most = Math.max(2 * least, all.stream().mapToInt(Footprint::ranks).max().orElse(2));
            low = Math.floor(power(all.stream().mapToLong(this::kib).min().orElse(1)));
            high = Math.max(low + 1, Math.ceil(power(all.stream().mapToLong(this::kib).max()
                    .orElse(1))));
        }

        private void addCurve(Comparison one, Kind kind, int dash) {
            List<Footprint> points = one.of(kind).stream().filter(point -> kib(point) > 0).toList();
            if (!points.isEmpty()) {
                double exponent = one.exponent(kind, quantity);
                curves.add(new Curve(kind + ", " + sizes.apply(one.bytes()),
                        Double.isNaN(exponent) ? ""
                        : String.format(Locale.ROOT, ", N^%.2f", exponent), kind, dash, points));
            }
        }

        private long kib(Footprint point) {
            return quantity.applyAsLong(point.added());
        }

        private static double power(double kib) {
            return Math.log(kib) / Math.log(GRID);
        }

        private double x(double ranks) {
            return left + Math.log(ranks / least) / Math.log((double) most / least)
                    * (right - left);
        }

        private double y(double kib) {
            return HEIGHT - BOTTOM - (power(kib) - low) / (high - low)
                    * (HEIGHT - TOP - BOTTOM);
        }

        void draw() {
            svg.text("name", left, TOP - 16, name);
            for (double power = low; power <= high; power++) {
                double at = Math.pow(GRID, power);
                svg.line("grid", left, y(at), right, y(at));
                svg.text("left", left - 8, y(at) + 4, text((long) at));
            }
            drawRanks();
            curves.forEach(this::drawCurve);
            drawNames();
        }

        private void drawRanks() {
            double bottom = HEIGHT - BOTTOM;
            for (long ranks = Long.highestOneBit(least); ranks <= most; ranks *= 2) {
                if (ranks >= least) {
                    svg.line("grid", x(ranks), TOP, x(ranks), bottom);
                    svg.line("axis", x(ranks), bottom, x(ranks), bottom + 5);
                    svg.text("middle", x(ranks), bottom + 20, Long.toString(ranks));
                }
            }
            svg.line("axis", left, TOP, left, bottom).line("axis", left, bottom, right, bottom);
            svg.text("middle", (left + right) / 2.0, bottom + 44, "ranks");
        }

        private void drawCurve(Curve curve) {
            svg.polyline("curve " + curve.kind() + " d" + curve.dash(), curve.points().stream()
                    .map(point -> new double[] {x(point.ranks()), y(kib(point))}).toList());
            for (Footprint point : curve.points()) {
                svg.circle("p-" + curve.kind(), x(point.ranks()), y(kib(point)), 3.2, curve.name()
                        + ", " + point.ranks() + " ranks: " + text(kib(point)));
            }
        }

        /** Places labels next to the ends of the curves, as near as there is room. */
        private void drawNames() {
            List<Curve> order = new ArrayList<>(curves);
            order.sort(Comparator.comparing((Curve one) -> kib(one.last())).reversed());
            double lowest = HEIGHT - BOTTOM - LINE * order.size();
            double at = TOP - LINE / 2.0;
            for (Curve one : order) {
                lowest += LINE;
                at = Math.min(Math.max(at, y(kib(one.last())) - LINE / 2.0), lowest);
                svg.line("link", x(one.last().ranks()) + 4, y(kib(one.last())), right + 18,
                        at + LINE / 2.0);
                svg.text("name", right + 22, at + LINE / 2.0 - 2, one.name());
                svg.text("subtitle", right + 22, at + LINE / 2.0 + 12, text(kib(one.last()))
                        + one.power());
                at += LINE;
            }
        }
    }

    private static String text(long kib) {
        return kib >= 1 << 20 ? rounded(kib, 20, " GiB") : kib >= 1 << 10
                ? rounded(kib, 10, " MiB") : kib + " KiB";
    }

    private static String rounded(long kib, int shift, String unit) {
        return kib % (1L << shift) == 0 ? (kib >> shift) + unit
                : String.format(Locale.ROOT, "%.1f%s", (double) kib / (1L << shift), unit);
    }
}
