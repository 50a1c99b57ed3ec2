// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.tasks.TaskTrace;
import java.util.List;
import java.util.Locale;

/** The time of a factorisation and the error of its result. */
record CholeskyReport(CholeskyOptions options, CholeskyTiles tiles, int ranks, double seconds,
        double residual, List<TaskTrace> trace) {
    private static final double GIGA = 1e9;
    private static final double THIRD = 3;

    boolean isRight() {
        return residual < CholeskyCheck.LIMIT;
    }

    private double gigaflops() {
        return (double) tiles.rows * tiles.rows * tiles.rows / THIRD / seconds / GIGA;
    }

    /** Tasks whose last input came from another rank. */
    private long remote() {
        return trace.stream().filter(one -> one.waitedRank() >= 0
                && one.waitedRank() != one.rank()).count();
    }

    private double busySeconds() {
        return trace.stream().mapToLong(one -> one.end() - one.start()).sum() / GIGA;
    }

    private String workers() {
        return options.virtual() ? "virtual threads" : options.threads() + " threads a rank";
    }

    String title() {
        return "Cholesky, " + options.problem() + ", " + tiles.rows + " rows in tiles of "
                + tiles.tile + ": " + ranks + " ranks, " + workers();
    }

    String subtitle() {
        return String.format(Locale.ROOT, "%d tasks in %.3f s, %.2f s of work; lines: from the"
                + " task of another rank that was waited for last", trace.size(), seconds,
                busySeconds());
    }

    String verdict() {
        return "wrong: residual " + residual + ", expected less than " + CholeskyCheck.LIMIT;
    }

    String text() {
        return String.format(Locale.ROOT, "%s%ntasks      %d, %d of them started by another rank%n"
                + "time       %.4f s, %.2f GFlop/s%nwork       %.4f s in tasks%n"
                + "residual   %.3g (%s)", title(), trace.size(), remote(), seconds, gigaflops(),
                busySeconds(), residual, isRight() ? "right" : "wrong");
    }

    String json() {
        return String.format(Locale.ROOT, "{\"problem\":%s,\"rows\":%d,\"tile\":%d,\"ranks\":%d,"
                + "\"threads\":%d,\"virtual\":%b,\"tasks\":%d,\"started_by_others\":%d,"
                + "\"seconds\":%s,\"gflops\":%s,\"work_seconds\":%s,\"residual\":%s,"
                + "\"residual_limit\":%s,\"good\":%b}", Json.quoted(options.problem()),
                tiles.rows, tiles.tile, ranks, options.threads(), options.virtual(),
                trace.size(), remote(), Json.number(seconds), Json.number(gigaflops()),
                Json.number(busySeconds()), Json.number(residual),
                Json.number(CholeskyCheck.LIMIT), isRight());
    }
}
