// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.CollOptions;
import java.util.Set;

/** The options of the Fourier transform on the command line; `batches` 0: a suitable number. */
record FourierOptions(int grid, int steps, int batches, CollOptions collective, boolean json,
        boolean help) {
    static final String USAGE = """
            Usage: FourierTransform [--grid N] [--steps S] [options]
            Moves a quantum wave packet through a harmonic trap on all ranks of a job, by a 3-D
            fast Fourier transform there and back in each step, and compares it with the analytic
            solution. Each rank has N/P planes, which alltoalls that are prepared once turn around.
              --grid N              N^3 points, a power of two from 16 to 512 that the number of
                                    ranks divides (default 64)
              --steps S             of 0.01 (default 100)
              --batches B           alltoalls under way at once, a power of two up to N/P; 1: all
                                    is computed before any is sent (default 4, or N/P)
              --collective WORDS    how they are done, as "algorithm=pairwise transfer=get": the
                                    words of CollOptions
              --json                prints one JSON object instead of text
            Exit code: 0 right, 1 wrong, 2 wrong usage.""";

    static final double STEP = 0.01;

    private static final int LEAST_GRID = 16;
    private static final int MOST_GRID = 512;
    private static final int MOST_STEPS = 1_000_000;
    private static final int DEFAULT_BATCHES = 4;
    private static final Set<String> VALUED =
            Set.of("--grid", "--steps", "--batches", "--collective");
    private static final Set<String> FLAGS = Set.of("--json", "--help", "-h");

    static FourierOptions parse(String... args) throws UsageException {
        CommandLine line = new CommandLine(VALUED, FLAGS, args);
        int grid = line.integer("--grid", MOST_GRID, 64);
        if (grid < LEAST_GRID || Integer.bitCount(grid) != 1) {
            throw new UsageException("--grid " + grid + ": expected a power of two from "
                    + LEAST_GRID + " to " + MOST_GRID);
        }
        return new FourierOptions(grid, line.integer("--steps", MOST_STEPS, 100),
                line.integer("--batches", MOST_GRID, 0), line.collective("--collective"),
                line.has("--json"), line.has("--help") || line.has("-h"));
    }

    /** The grid on a number of ranks. */
    Slabs slabs(int ranks) throws UsageException {
        if (grid % ranks != 0) {
            throw new UsageException("--grid " + grid + " on " + ranks
                    + " ranks: expected a number of ranks that divides the grid");
        }
        int thickness = grid / ranks;
        int wanted = batches == 0 ? Math.min(DEFAULT_BATCHES, thickness) : batches;
        if (thickness % wanted != 0) {
            throw new UsageException("--batches " + wanted + ": expected a divisor of the "
                    + thickness + " planes of each rank");
        }
        Slabs slabs = new Slabs(grid, ranks, wanted);
        if (slabs.bytes() > Integer.MAX_VALUE) {
            throw new UsageException("--grid " + grid + " on " + ranks
                    + (ranks == 1 ? " rank" : " ranks") + ": expected more ranks, a slab of "
                    + slabs.bytes() + " bytes does not fit a buffer");
        }
        return slabs;
    }
}
