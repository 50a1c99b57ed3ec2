// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.Cartesian;
import io.hayate.Fmpl;
import io.hayate.HaloExchange;
import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.Reduction;
import io.hayate.Span;
import java.util.Set;

/**
 * Solves the heat equation on a square whose edges are cold, on a grid of ranks: each has a block
 * of the temperatures with a halo of one point, and computes the inside of its block while the halo
 * arrives. Run it by {@code hayate run -n P -- java ...}, or alone.
 */
public final class Heat {
    static final String USAGE = """
            Usage: Heat [--points N] [--steps S]
            Lets a square of N x N points (default 200) cool down in S steps (default 500), and
            compares the temperatures with the exact solution of the difference equation.
            Exit code: 0 right, 1 wrong, 2 wrong usage.""";

    static final double LIMIT = 1e-12;

    private static final double RATIO = 0.25; // time step by the square of the distance, at most
    private static final int ENTRIES = 4; // of a halo exchange in two dimensions

    private final int points;
    private final Cartesian grid;
    private final int[] first = new int[2]; // global index of the first own point
    private final int[] extents = new int[2];
    private final int width; // of a row in memory, with halo
    private double[] now;
    private double[] next;

    private Heat(Cartesian grid, int points) throws UsageException {
        this.grid = grid;
        this.points = points;
        for (int d = 0; d < 2; d++) {
            int ranks = grid.extent(d);
            if (points < ranks) {
                throw new UsageException("--points " + points + ": expected at least " + ranks
                        + ", one for each rank");
            }
            int at = grid.coordinates()[d];
            first[d] = (int) ((long) points * at / ranks);
            extents[d] = (int) ((long) points * (at + 1) / ranks) - first[d];
        }
        width = extents[1] + 2;
        now = new double[Math.multiplyExact(extents[0] + 2, width)];
        next = new double[now.length];
        for (int i = 1; i <= extents[0]; i++) {
            for (int j = 1; j <= extents[1]; j++) {
                now[i * width + j] = start(i, j);
            }
        }
    }

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Every rank ends with the same code, after rank 0 has printed. */
    static int run(String... args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            int code = run(job.rank() == 0, fmpl, args);
            fmpl.barrier();
            return code;
        } catch (HayateException e) {
            System.err.println("Heat: " + e.getMessage());
            return 1;
        }
    }

    private static int run(boolean speaks, Fmpl fmpl, String... args) {
        try {
            CommandLine line = new CommandLine(Set.of("--points", "--steps"), Set.of(), args);
            int steps = line.integer("--steps", 1_000_000, 500);
            Cartesian grid = Cartesian.of(fmpl.world(), new int[2]);
            double error = new Heat(grid, line.integer("--points", 20_000, 200)).solve(fmpl, steps);
            if (speaks) {
                System.out.println(grid.extent(0) + " x " + grid.extent(1) + " ranks, " + steps
                        + " steps, largest error " + error);
            }
            return error <= LIMIT ? 0 : 1;
        } catch (UsageException e) {
            if (speaks) {
                System.err.println("Heat: " + e.getMessage() + System.lineSeparator() + USAGE);
            }
            return 2;
        }
    }

    /** Solves it on the ranks of an FMPL, and returns the largest error of all ranks. */
    static double solve(Fmpl fmpl, int points, int steps) throws UsageException {
        return new Heat(Cartesian.of(fmpl.world(), new int[2]), points).solve(fmpl, steps);
    }

    private double solve(Fmpl fmpl, int steps) {
        double[] error = new double[1];
        try (HaloExchange even = HaloExchange.ofFaces(
                        grid, Span.of(now), Double.BYTES, extents, 1, 0);
                HaloExchange odd = HaloExchange.ofFaces(
                        grid, Span.of(next), Double.BYTES, extents, 1, ENTRIES)) {
            for (int step = 0; step < steps; step++) {
                HaloExchange halo = step % 2 == 0 ? even : odd;
                halo.start();
                advance(2, extents[0] - 1, 2, extents[1] - 1);
                halo.await();
                advanceAtTheEdges();
                double[] old = now;
                now = next;
                next = old;
            }
            error[0] = error(steps);
            fmpl.allreduce(Span.of(error), Reduction.DOUBLE_MAX);
        }
        return error[0];
    }

    private void advanceAtTheEdges() {
        int rows = extents[0];
        int columns = extents[1];
        advance(1, 1, 1, columns);
        advance(Math.max(rows, 2), rows, 1, columns);
        advance(2, rows - 1, 1, 1);
        advance(2, rows - 1, Math.max(columns, 2), columns);
    }

    /** Computes the next temperatures of some rows and columns, ends included. */
    private void advance(int top, int bottom, int left, int right) {
        for (int i = top; i <= bottom; i++) {
            for (int j = left; j <= right; j++) {
                int at = i * width + j;
                next[at] = now[at] + RATIO * (now[at - width] + now[at + width] + now[at - 1]
                        + now[at + 1] - 4 * now[at]);
            }
        }
    }

    /** One wave in each direction, which keeps its form. */
    private double start(int i, int j) {
        return sine(first[0] + i) * sine(first[1] + j);
    }

    private double sine(int index) {
        return Math.sin(Math.PI * index / (points + 1));
    }

    /** Each step multiplies the wave by the same factor. */
    private double error(int steps) {
        double factor = 1 - 4 * RATIO * (1 - Math.cos(Math.PI / (points + 1)));
        double cooled = Math.pow(factor, steps);
        double largest = 0;
        for (int i = 1; i <= extents[0]; i++) {
            for (int j = 1; j <= extents[1]; j++) {
                double wrong = Math.abs(now[i * width + j] - cooled * start(i, j));
                largest = Math.max(largest, wrong); // NaN stays
            }
        }
        return largest;
    }
}
