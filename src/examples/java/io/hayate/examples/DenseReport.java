// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.util.Locale;

/** The time of a solution, and how good it is. */
record DenseReport(DenseOptions options, int rows, GridShape grid, double seconds,
        double residual) {
    /** The threshold of ScaLAPACK's test of LU (TESTING/LU.dat). */
    static final double LIMIT = 1;
    private static final double GIGA = 1e9;

    boolean isRight() {
        return residual <= LIMIT;
    }

    /** Operations as HPL counts them. */
    private double gigaflops() {
        double n = rows;
        return (2 * n * n * n / 3 + 3 * n * n / 2) / seconds / GIGA;
    }

    String verdict() {
        return "wrong: residual " + residual + ", expected at most " + LIMIT;
    }

    String text() {
        return String.format(Locale.ROOT, "pdgesv     %s, %d rows in blocks of %d on %s ranks%n"
                + "time       %.4f s, %.2f GFlop/s%s%n"
                + "residual   %.3g = |Ax-b| / (|A| |x| eps n) (%s)", options.problem(), rows,
                options.block(), grid, seconds, gigaflops(),
                options.repeat() == 1 ? "" : ", fastest of " + options.repeat(), residual,
                isRight() ? "right" : "wrong");
    }

    String json() {
        return String.format(Locale.ROOT, "{\"problem\":%s,\"rows\":%d,\"block\":%d,"
                + "\"grid_rows\":%d,\"grid_columns\":%d,\"seconds\":%s,\"gflops\":%s,"
                + "\"residual\":%s,\"residual_limit\":%s,\"good\":%b}",
                Json.quoted(options.problem()), rows, options.block(), grid.rows(),
                grid.columns(), Json.number(seconds), Json.number(gigaflops()),
                Json.number(residual), Json.number(LIMIT), isRight());
    }
}
