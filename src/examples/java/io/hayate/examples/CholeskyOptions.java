// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.nio.file.Path;
import java.util.Set;

/** The options of the factorisation on the command line; `matrix` and `picture` may be null. */
record CholeskyOptions(Path matrix, int rows, int tile, int threads, boolean virtual, Path picture,
        boolean json, boolean help) {
    static final String USAGE = """
            Usage: TiledCholesky [--matrix FILE.mtx | --rows N] [options]
            Factors a symmetric positive definite matrix, A = L L^T, in tiles, by tasks on all
            ranks of a job and several threads of each, which start when their tiles are there.
              --matrix FILE.mtx     Matrix Market coordinate format, taken as dense
              --rows N              a matrix that is made up (default 768)
              --tile B              rows of a tile (default 64, or fewer)
              --threads T           of each rank (default 2)
              --virtual             a virtual thread for each task instead (JDK 21)
              --picture FILE.svg    who computed what when, and waited for what
              --json                prints one JSON object instead of text
            Exit code: 0 right, 1 wrong, failed or not readable, 2 wrong usage.""";

    private static final int MOST_ROWS = 20_000;
    private static final int MOST_TILE = 1024;
    private static final int MOST_THREADS = 256;
    private static final int VIRTUAL_SINCE = 21;
    private static final Set<String> VALUED =
            Set.of("--matrix", "--rows", "--tile", "--threads", "--picture");
    private static final Set<String> FLAGS = Set.of("--virtual", "--json", "--help", "-h");

    static CholeskyOptions parse(String... args) throws UsageException {
        CommandLine line = new CommandLine(VALUED, FLAGS, args);
        if (line.has("--matrix") && line.has("--rows")) {
            throw new UsageException("--matrix and --rows exclude each other");
        }
        boolean virtual = line.has("--virtual");
        if (virtual && Runtime.version().feature() < VIRTUAL_SINCE) {
            throw new UsageException("--virtual: this Java has no virtual threads, expected JDK "
                    + VIRTUAL_SINCE + " or newer");
        }
        Path picture = line.path("--picture");
        if (picture != null && !picture.toString().endsWith(".svg")) {
            throw new UsageException("--picture " + picture + ": expected a name ending in .svg");
        }
        return new CholeskyOptions(line.path("--matrix"), line.integer("--rows", MOST_ROWS, 768),
                line.integer("--tile", MOST_TILE, 64), line.integer("--threads", MOST_THREADS, 2),
                virtual, picture, line.has("--json"), line.has("--help") || line.has("-h"));
    }

    SpdMatrix read() throws MatrixMarketException {
        return matrix == null ? SpdMatrix.generated(rows) : SpdMatrix.of(MatrixMarket.read(matrix));
    }

    String problem() {
        return matrix == null ? "generated" : String.valueOf(matrix.getFileName());
    }
}
