// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** What the command line asks for; `matrix` and `plot` may be null. */
record Options(Path matrix, int grid, double tolerance, int maxIterations, Path plot,
        boolean json, boolean help) {
    static final String USAGE = """
            Usage: ConjugateGradient [--matrix FILE.mtx | --grid N] [options]
            Solves A x = b by conjugate gradients with Jacobi preconditioning on all ranks of a job.
              --matrix FILE.mtx     symmetric positive definite, Matrix Market coordinate format
              --grid N              27-point Poisson matrix of N^3 points (default 48)
              --tolerance T         relative residual to reach (default 1e-10)
              --max-iterations K    default 1000 + 10 for each row, 100000 at most
              --plot FILE.svg|.png  picture of the convergence
              --json                prints one JSON object instead of text
            Exit code: 0 solved, 1 not converged, wrong or not readable, 2 wrong usage.""";

    private static final int DEFAULT_GRID = 48;
    private static final int MOST_ITERATIONS = 10_000_000;

    /** The command line is wrong; the message says how. */
    static final class UsageException extends Exception {
        private static final long serialVersionUID = 1;

        UsageException(String message) {
            super(message);
        }
    }

    static Options parse(String... args) throws UsageException {
        Options options = new Options(null, 0, 1e-10, 0, null, false, false);
        for (int i = 0; i < args.length; i++) {
            if (takesValue(args[i])) {
                if (i + 1 == args.length) {
                    throw new UsageException(args[i] + " wants a value");
                }
                options = options.with(args[i], args[++i]);
            } else {
                options = options.with(args[i]);
            }
        }
        if (options.matrix != null && options.grid != 0) {
            throw new UsageException("--matrix and --grid exclude each other");
        }
        return options;
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

    private static boolean takesValue(String name) {
        return switch (name) {
            case "--matrix", "--grid", "--tolerance", "--max-iterations", "--plot" -> true;
            default -> false;
        };
    }

    private Options with(String name) throws UsageException {
        return switch (name) {
            case "--json" -> new Options(matrix, grid, tolerance, maxIterations, plot, true, help);
            case "--help", "-h" -> new Options(matrix, grid, tolerance, maxIterations, plot, json,
                    true);
            default -> throw new UsageException("unknown option " + name);
        };
    }

    private Options with(String name, String value) throws UsageException {
        return switch (name) {
            case "--matrix" -> new Options(path(name, value), grid, tolerance, maxIterations, plot,
                    json, help);
            case "--grid" -> new Options(matrix, integer(name, value, PoissonProblem.MOST_SIDE),
                    tolerance, maxIterations, plot, json, help);
            case "--tolerance" -> new Options(matrix, grid, tolerance(value), maxIterations, plot,
                    json, help);
            case "--max-iterations" -> new Options(matrix, grid, tolerance,
                    integer(name, value, MOST_ITERATIONS), plot, json, help);
            default -> new Options(matrix, grid, tolerance, maxIterations, picture(value), json,
                    help);
        };
    }

    private static int integer(String name, String value, int most) throws UsageException {
        try {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // the same answer as out of range
        }
        throw new UsageException(name + " " + value + ": expected an integer from 1 to " + most);
    }

    private static double tolerance(String value) throws UsageException {
        try {
            double number = Double.parseDouble(value);
            if (number > 0 && number < 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // the same answer as out of range
        }
        throw new UsageException("--tolerance " + value + ": expected a number between 0 and 1");
    }

    private static Path path(String name, String value) throws UsageException {
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new UsageException(name + ": " + e.getMessage());
        }
    }

    private static Path picture(String value) throws UsageException {
        Path path = path("--plot", value);
        if (!ConvergencePlot.canWrite(path)) {
            throw new UsageException(
                    "--plot " + value + ": expected a name ending in .svg or .png");
        }
        return path;
    }
}
