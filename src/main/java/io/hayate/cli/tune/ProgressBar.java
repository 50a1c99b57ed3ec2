// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import io.hayate.internal.bindings.TuneBinding;
import java.io.PrintWriter;

/**
 * Shows progress, the present work and the remaining time on standard error, if that is a terminal.
 */
public final class ProgressBar implements AutoCloseable {
    private static final int WIDTH = 30;
    private static final long REDRAW_NANOS = 100_000_000;
    private static final double NANOS = 1e9;
    private static final int MINUTE = 60;

    private final PrintWriter err;
    private final boolean shown;
    private long drawn;

    /** Creates a progress bar. @param err standard error @param wanted false: never shown */
    public ProgressBar(PrintWriter err, boolean wanted) {
        this.err = err;
        this.shown = wanted && TuneBinding.tuneTerminal() != 0;
        this.drawn = System.nanoTime() - REDRAW_NANOS;
    }

    /**
     * Draws the bar, not too often.
     *
     * @param share share of the work that is done, 0 to 1
     * @param secondsLeft estimate of the remaining seconds
     * @param what the present work
     */
    public void show(double share, double secondsLeft, String what) {
        long now = System.nanoTime();
        if (!shown || now - drawn < REDRAW_NANOS) {
            return;
        }
        drawn = now;
        int full = (int) Math.round(Math.min(1, Math.max(0, share)) * WIDTH);
        err.printf("\r[%s%s] %3.0f %%  %s left  %s\033[K", "#".repeat(full),
                ".".repeat(WIDTH - full), 100 * share, clock(secondsLeft), what);
        err.flush();
    }

    static String clock(double seconds) {
        long whole = Math.max(0, Math.round(seconds));
        return String.format("%d:%02d", whole / MINUTE, whole % MINUTE);
    }

    /** Formats a time as "45 s" or "14 minutes". */
    static String about(double seconds) {
        return seconds < 2 * MINUTE ? Math.round(seconds) + " s"
                : Math.round(seconds / MINUTE) + " minutes";
    }

    /** Erases the bar. */
    @Override
    public void close() {
        if (shown) {
            err.print("\r\033[K");
            err.flush();
        }
    }

    static double secondsSince(long nanoTime) {
        return (System.nanoTime() - nanoTime) / NANOS;
    }
}
