// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.nio.file.Path;
import java.util.Set;

/** The options of {@link DenseSolve} on the command line; `matrix` may be null. */
record DenseOptions(Path matrix, int rows, int block, int gridRows, int repeat, boolean json,
        boolean help) {
    static final String USAGE = """
            Usage: DenseSolve [--matrix FILE.mtx | --rows N] [options]
            Solves a dense linear system by ScaLAPACK's pdgesv on all ranks of a job, and checks
            the solution as ScaLAPACK's own test does.
              --matrix FILE.mtx     Matrix Market format, which all ranks can read
              --rows N              a matrix of random numbers (default 1000)
              --block NB            rows and columns of a block (default 64)
              --grid-rows P         rows of the grid of ranks (default: as square as possible)
              --repeat R            solves so many times, and shows the fastest (default 1)
              --json                prints one JSON object instead of text
            Exit code: 0 right, 1 wrong, singular, failed or not readable, 2 wrong usage.""";

    private static final int MOST_ROWS = 200_000;
    private static final int MOST_BLOCK = 10_000;
    private static final int MOST_RANKS = 1 << 20;
    private static final int MOST_REPEAT = 1000;
    private static final Set<String> VALUED =
            Set.of("--matrix", "--rows", "--block", "--grid-rows", "--repeat");
    private static final Set<String> FLAGS = Set.of("--json", "--help", "-h");

    static DenseOptions parse(String... args) throws UsageException {
        CommandLine line = new CommandLine(VALUED, FLAGS, args);
        if (line.has("--matrix") && line.has("--rows")) {
            throw new UsageException("--matrix and --rows exclude each other");
        }
        return new DenseOptions(line.path("--matrix"), line.integer("--rows", MOST_ROWS, 1000),
                line.integer("--block", MOST_BLOCK, 64),
                line.integer("--grid-rows", MOST_RANKS, 0),
                line.integer("--repeat", MOST_REPEAT, 1), line.has("--json"),
                line.has("--help") || line.has("-h"));
    }

    String problem() {
        return matrix == null ? "random" : String.valueOf(matrix.getFileName());
    }
}
