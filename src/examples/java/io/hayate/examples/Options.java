// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.CollOptions;
import java.nio.file.Path;
import java.util.Set;

/**
 * The options of conjugate gradients on the command line; `matrix` and `plot` may be null, `grid`
 * and `maxIterations` 0.
 */
record Options(Path matrix, int grid, double tolerance, int maxIterations, boolean persistent,
        CollOptions collective, Path plot, boolean json, boolean help) {
    static final String USAGE = """
            Usage: ConjugateGradient [--matrix FILE.mtx | --grid N] [options]
            Solves A x = b by conjugate gradients with Jacobi preconditioning on all ranks of a job.
              --matrix FILE.mtx     symmetric positive definite, Matrix Market coordinate format
              --grid N              27-point Poisson matrix of N^3 points (default 48)
              --tolerance T         relative residual to reach (default 1e-10)
              --max-iterations K    default 1000 + 10 for each row, 100000 at most
              --persistent          global sums by a collective that is prepared once
              --collective WORDS    how they are done, as "algorithm=ring transfer=get": the words
                                    of CollOptions; only with --persistent
              --plot FILE.svg|.png  picture of the convergence
              --json                prints one JSON object instead of text
            Exit code: 0 solved, 1 not converged, wrong or not readable, 2 wrong usage.""";

    private static final int DEFAULT_GRID = 48;
    private static final int MOST_ITERATIONS = 10_000_000;
    private static final Set<String> VALUED = Set.of("--matrix", "--grid", "--tolerance",
            "--max-iterations", "--collective", "--plot");
    private static final Set<String> FLAGS = Set.of("--persistent", "--json", "--help", "-h");

    static Options parse(String... args) throws UsageException {
        CommandLine line = new CommandLine(VALUED, FLAGS, args);
        if (line.has("--matrix") && line.has("--grid")) {
            throw new UsageException("--matrix and --grid exclude each other");
        }
        if (line.has("--collective") && !line.has("--persistent")) {
            throw new UsageException("--collective wants --persistent: only a collective that is"
                    + " prepared can be told how");
        }
        return new Options(line.path("--matrix"),
                line.integer("--grid", PoissonProblem.MOST_SIDE, 0),
                line.fraction("--tolerance", 1e-10),
                line.integer("--max-iterations", MOST_ITERATIONS, 0), line.has("--persistent"),
                line.collective("--collective"), picture(line), line.has("--json"),
                line.has("--help") || line.has("-h"));
    }

    /** The side of the Poisson problem when there is no matrix. */
    int side() {
        return grid == 0 ? DEFAULT_GRID : grid;
    }

    int mostIterations(int rows) {
        return maxIterations > 0 ? maxIterations : (int) Math.min(1000 + 10L * rows, 100_000);
    }

    String problem() {
        return matrix != null ? String.valueOf(matrix.getFileName())
                : "27-point Poisson " + side() + "^3";
    }

    private static Path picture(CommandLine line) throws UsageException {
        Path path = line.path("--plot");
        if (path != null && !ConvergencePlot.canWrite(path)) {
            throw new UsageException(
                    "--plot " + path + ": expected a name ending in .svg or .png");
        }
        return path;
    }
}
