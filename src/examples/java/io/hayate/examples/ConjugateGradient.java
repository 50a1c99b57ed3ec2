// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.ArgumentException;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HayateException;
import java.io.IOException;
import java.util.Locale;

/**
 * Solves a sparse symmetric system on all ranks of a job: rank 0 reads the matrix and deals out
 * blocks of rows, each rank multiplies its own, neighbours exchange what they need of each other,
 * and dot products are sums over all ranks.
 * Run it by {@code hayate run -n P -- java ...}, or alone.
 */
public final class ConjugateGradient {
    private static final int GOOD = 0;
    private static final int BAD = 1;
    private static final int WRONG_USAGE = 2;

    private final Hayate job;
    private final Fmpl fmpl;
    private final Stopwatch communication = new Stopwatch();
    private final Stopwatch setUp = new Stopwatch();
    private final Stopwatch total = new Stopwatch();

    private ConjugateGradient(Hayate job, Fmpl fmpl) {
        this.job = job;
        this.fmpl = fmpl;
    }

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Every rank ends with the same code, after rank 0 has printed. */
    static int run(String... args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            int code = new ConjugateGradient(job, fmpl).solve(args);
            fmpl.barrier();
            return code;
        } catch (HayateException e) {
            System.err.println("ConjugateGradient: " + e.getMessage());
            return BAD;
        }
    }

    private int solve(String... args) {
        try {
            Options options = Options.parse(args);
            if (options.help()) {
                print(Options.USAGE);
                return GOOD;
            }
            return solve(options);
        } catch (UsageException e) {
            complain(e.getMessage() + System.lineSeparator() + Options.USAGE);
            return WRONG_USAGE;
        } catch (MatrixMarketException e) {
            complain(e.getMessage());
            return BAD;
        }
    }

    private int solve(Options options) throws MatrixMarketException, UsageException {
        setUp.start();
        RowBlock block = options.matrix() != null
                ? new MatrixScatter(job, fmpl).read(options.matrix())
                : new PoissonProblem(options.side()).block(job.rank(), job.size());
        double[] b = SolutionCheck.rightHandSide(block);
        try (DistributedMatrix matrix = new DistributedMatrix(job, fmpl, block, communication);
                GlobalSums sums = new GlobalSums(job, fmpl, communication)) {
            prepare(options, sums);
            double[] x = matrix.vector();
            int limit = options.mostIterations(block.partition().rows());
            CgSolver solver = new CgSolver(matrix, sums, options.tolerance(), limit);
            setUp.stop();
            CgResult result = timed(solver, b, x);
            double inCommunication = communication.seconds();
            SolutionCheck check = SolutionCheck.of(
                    matrix, sums, block.firstRow(), b, x, result.condition());
            Report report = report(options, block, matrix, sums, result, check, inCommunication);
            return show(options, report);
        }
    }

    /** What the solver sums: three parts in each iteration, one for a norm. */
    private static void prepare(Options options, GlobalSums sums) throws UsageException {
        if (!options.persistent()) {
            return;
        }
        try {
            sums.prepare(CgSolver.SUMS, options.collective());
            sums.prepare(1, options.collective());
        } catch (ArgumentException e) { // the same on every rank
            throw new UsageException(e.reason());
        }
    }

    private CgResult timed(CgSolver solver, double[] b, double[] x) {
        fmpl.barrier();
        communication.reset();
        total.start();
        CgResult result = solver.solve(b, x);
        total.stop();
        return result;
    }

    private Report report(Options options, RowBlock block, DistributedMatrix matrix,
            GlobalSums sums, CgResult result, SolutionCheck check, double inCommunication) {
        double share = inCommunication / total.seconds();
        sums.set(0, share);
        sums.sum(1);
        double mean = sums.get(0) / job.size();
        sums.set(0, share);
        sums.set(1, total.seconds());
        sums.set(2, setUp.seconds());
        sums.set(3, matrix.haloSize());
        sums.max(4);
        return new Report(options.problem(), block.partition().rows(), block.allNonzeros(),
                job.size(), (int) sums.get(3), options.persistent(),
                sums.describe(CgSolver.SUMS), options.tolerance(), result, check, sums.get(2),
                sums.get(1), sums.get(0), mean);
    }

    private int show(Options options, Report report) {
        print(options.json() ? report.json() : report.text());
        if (!report.isGood()) {
            complain(report.verdict());
        }
        boolean drawn = options.plot() == null || job.rank() != 0 || draw(options, report);
        return report.isGood() && drawn ? GOOD : BAD;
    }

    private boolean draw(Options options, Report report) {
        String title = String.format(Locale.ROOT, "Conjugate gradients, %s: %d rows on %d %s",
                report.problem(), report.rows(), report.ranks(),
                report.ranks() == 1 ? "rank" : "ranks");
        try {
            ConvergencePlot.write(options.plot(), title, report.result().history(),
                    options.tolerance());
        } catch (IOException | RuntimeException | LinkageError | InternalError e) {
            // AWT and the library answer missing fonts or jars by errors; the solution stands.
            complain("cannot write the picture " + options.plot() + ": " + e);
            return false;
        }
        if (!options.json()) {
            print("picture        " + options.plot());
        }
        return true;
    }

    private void print(String text) {
        if (job.rank() == 0) {
            System.out.println(text);
        }
    }

    private void complain(String text) {
        if (job.rank() == 0) {
            System.err.println("ConjugateGradient: " + text);
        }
    }
}
