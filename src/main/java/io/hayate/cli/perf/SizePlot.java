// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.cli.draw.LogPlot;
import java.util.List;
import java.util.Locale;

/** Draws time, and bandwidth or rate, against the size of messages. */
public final class SizePlot {
    private static final double MEGA = 1e6;

    private SizePlot() { }

    /**
     * Draws results of one bench.
     *
     * @param title the title
     * @param results one for each size, at least one
     * @return an SVG file's text
     */
    public static String of(String title, List<Result> results) {
        boolean rate = results.get(0).plan().bench() == Bench.RATE;
        LogPlot plot = new LogPlot(title, "figures of rank 0; a sample is the mean of a batch",
                "bytes", List.of("time, us", rate ? "millions per second" : "MB per second"));
        for (Result result : results) {
            add(plot, 0, "99 %", result, result.p99());
            add(plot, 0, "median", result, result.median());
            add(plot, 0, "least", result, result.min());
            add(plot, 1, "median", result, rate ? result.perSecond() / MEGA
                    : result.megabytesPerSecond());
        }
        return plot.draw();
    }

    private static void add(LogPlot plot, int panel, String curve, Result result, double value) {
        plot.add(panel, curve, result.bytes(), value, String.format(Locale.ROOT,
                "%s, %d bytes by %s: %.3f", curve, result.bytes(), result.path(), value));
    }
}
