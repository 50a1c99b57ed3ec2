// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.cli.draw.LogPlot;
import java.util.List;
import java.util.Locale;

/**
 * Draws what a process and a node keep, and the time of a lookup, against the number of ranks; flat
 * tables are dashed.
 */
public final class TablesPlot {
    private static final String FLAT = "flat";

    private final List<TablesPoint> points;
    private final LogPlot plot;

    /**
     * Creates a picture.
     *
     * @param subtitle the line below the title
     * @param points at least one
     */
    public TablesPlot(String subtitle, List<TablesPoint> points) {
        this.points = points;
        plot = new LogPlot("Tables of a job against its ranks: hierarchical, and flat (dashed)",
                subtitle, "ranks", List.of("bytes of a process", "bytes of a node",
                        "ns of a lookup of node and part"));
        plot.dash(FLAT, FLAT);
    }

    /**
     * Draws it.
     *
     * @return an SVG file's text
     */
    public String draw() {
        points.forEach(point -> add(point.layout().toString(), point.ranks(),
                point.processBytes(), point.nodeBytes(), point.nanos()));
        points.stream().filter(point -> point.layout() == points.get(0).layout())
                .forEach(point -> add(FLAT, point.ranks(), point.flatProcessBytes(),
                        point.flatNodeBytes(), point.flatNanos()));
        return plot.draw();
    }

    private void add(String curve, int ranks, double... quantities) {
        for (int panel = 0; panel < quantities.length; panel++) {
            plot.add(panel, curve, ranks, quantities[panel], String.format(Locale.ROOT,
                    "%s, %d ranks: %.1f", curve, ranks, quantities[panel]));
        }
    }
}
