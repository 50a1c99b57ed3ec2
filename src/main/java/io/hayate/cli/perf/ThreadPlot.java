// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.cli.draw.LogPlot;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/** Draws latency and rate against threads or bytes, with a curve for each series. */
public final class ThreadPlot {
    private static final double MEGA = 1e6;

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

    private final Axis axis;
    private final LogPlot plot;

    /**
     * Creates a picture.
     *
     * @param title the title
     * @param subtitle the line below the title
     * @param axis the quantity on the horizontal axis
     */
    public ThreadPlot(String title, String subtitle, Axis axis) {
        this.axis = axis;
        this.plot = new LogPlot(title, subtitle, axis.label,
                List.of("half a round trip of put and flag, us",
                        "puts of all threads, millions per second"));
    }

    /**
     * Adds a point.
     *
     * @param name name of its curve
     * @param point the point
     */
    public void add(String name, ThreadPoint point) {
        add(0, name, point, point.median());
        add(1, name, point, point.perSecond() / MEGA);
    }

    private void add(int panel, String name, ThreadPoint point, double value) {
        plot.add(panel, name, axis.place.applyAsInt(point), value, String.format(Locale.ROOT,
                "%s, %d threads, %d bytes: %.3f", name, point.threads(), point.bytes(), value));
    }

    /**
     * Draws it.
     *
     * @return an SVG file's text
     */
    public String draw() {
        return plot.draw();
    }
}
