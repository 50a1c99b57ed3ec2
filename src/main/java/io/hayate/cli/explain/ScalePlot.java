// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import io.hayate.cli.draw.LogPlot;
import java.util.List;

/** Draws time against processes, both simulated and by closed formulas (dashed). */
public final class ScalePlot {
    private ScalePlot() { }

    /**
     * Draws it.
     *
     * @param title the title
     * @param subtitle the text below the title
     * @param points the points of all algorithms, simulated or not
     * @return an SVG file's text
     */
    public static String of(String title, String subtitle, List<Scale> points) {
        LogPlot plot = new LogPlot(title, subtitle, "processes", List.of("time, us"));
        for (Scale point : points) {
            plot.add(0, point.algorithm(), point.ranks(), point.micros(),
                    tip(point, "simulated", point.micros()));
        }
        for (Scale point : points) {
            String formula = point.algorithm() + ", formula";
            plot.dash(formula, point.algorithm());
            plot.add(0, formula, point.ranks(), point.formula(),
                    tip(point, "closed formula", point.formula()));
        }
        return plot.draw();
    }

    private static String tip(Scale point, String what, double micros) {
        return point.algorithm() + ", " + point.ranks() + " processes: " + what + " "
                + Micros.text(micros);
    }
}
