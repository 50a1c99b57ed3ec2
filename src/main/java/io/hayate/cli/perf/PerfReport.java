// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Breakdown;
import io.hayate.cli.output.ByteSizes;
import io.hayate.cli.output.Json;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints each result as soon as it is known. */
final class PerfReport {
    private final PrintWriter out;
    private final boolean json;
    private boolean begun;

    PerfReport(PrintWriter out, boolean json) {
        this.out = out;
        this.json = json;
    }

    void add(Result result) {
        if (json) {
            out.print(Json.of(result.json()) + "\n");
        } else {
            addRow(result);
        }
        out.flush();
    }

    private void addRow(Result result) {
        Plan plan = result.plan();
        boolean rate = plan.bench() == Bench.RATE;
        if (!begun) {
            out.print(heading(result) + "\n");
            out.printf("%9s  %-14s %10s %10s %10s %10s %12s%n", "bytes", "path", "min us",
                    "median us", "p99 us", "work us", rate ? "messages/s" : "MB/s");
            begun = true;
        }
        out.printf(Locale.ROOT, "%9s  %-14s %10.3f %10.3f %10.3f %10.3f %12.1f%n",
                ByteSizes.text(result.bytes()), result.path(), result.min(), result.median(),
                result.p99(), result.work(),
                rate ? result.perSecond() : result.megabytesPerSecond());
        if (result.breakdown() != null) {
            addBreakdown(result.breakdown());
        }
    }

    /** What was measured, in one line. */
    static String heading(Result result) {
        Plan plan = result.plan();
        boolean rate = plan.bench() == Bench.RATE;
        return plan.bench() + ", " + result.ranks() + " ranks, buffers: " + plan.buffers()
                + (plan.threads() > 1 ? ", " + plan.threads() + " threads per rank" : "")
                + (plan.bench().isPointToPoint() && !rate
                        ? ", half round trips" : "")
                + (plan.stale() ? ", stale data" : "");
    }

    private void addBreakdown(Breakdown parts) {
        out.printf(Locale.ROOT, "%11ssend: set-up %.0f, header %.0f, data %.0f ns;  receive: set-up"
                + " %.0f, header %.0f, data %.0f ns (medians of %d)%n", "", parts.sendSetup(),
                parts.sendHeader(), parts.sendData(), parts.receiveSetup(), parts.receiveHeader(),
                parts.receiveData(), parts.samples());
    }
}
