// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.Locale;

/**
 * MG of the NAS Parallel Benchmarks: Poisson's equation on a periodic cube by multigrid V-cycles,
 * cut into a box of ranks: messages between neighbours that are long on fine and short on coarse
 * grids, where in the end some ranks have nothing to do.
 * Run it by {@code hayate run -n P -- java ...}, or alone.
 */
public final class Mg implements Benchmark {
    static final NasProgram.Kind KIND =
            new NasProgram.Kind("MG", RankCount.POWER_OF_TWO, Mg::new);

    private final NasJob job;
    private final MgProblem problem;
    private final MgCharges charges;
    private final MgCycle cycle;
    private final Doubles squares;
    private final Sum sum;
    private double firstNorm;
    private double norm;

    Mg(NasJob job) throws UsageException {
        this.job = job;
        problem = MgProblem.of(job.options().problem());
        MgRanks ranks = MgRanks.of(job.rank(), job.size());
        if (ranks.axes().stream().anyMatch(axis -> axis.isFolded(problem.points()))) {
            throw new UsageException(job.size() + " ranks: class " + job.options().problem()
                    + " has points for at most " + (long) Math.pow(problem.points(), 3));
        }
        charges = new MgCharges(job, ranks, problem.points());
        cycle = new MgCycle(job, ranks, problem);
        squares = job.doubles(1);
        sum = new Sum(job, squares.all());
    }

    public static void main(String[] args) {
        System.exit(NasProgram.run(KIND, args));
    }

    @Override
    public Work work() {
        return new Work(String.format(Locale.ROOT, "%1$d x %1$d x %1$d", problem.points()),
                problem.iterations(), problem.operations(), "floating point");
    }

    @Override
    public void prepare() {
        cycle.begin(charges, job.isDamaged());
        cycle.run();
        cycle.begin(charges, job.isDamaged());
    }

    @Override
    public void run() {
        cycle.subtract();
        firstNorm = norm();
        for (int i = 0; i < problem.iterations(); i++) {
            cycle.run();
            cycle.subtract();
        }
        norm = norm();
    }

    @Override
    public Verification verify() {
        double error = Math.abs(norm - problem.norm()) / problem.norm();
        return new Verification(error <= MgProblem.TOLERANCE, String.format(Locale.ROOT,
                "norm of the residual is %.13e, %.13e expected, relative error %.1e; it was %.1e",
                norm, problem.norm(), error, firstNorm));
    }

    /** Of the residual, as NPB has it: over the square root of the number of points. */
    private double norm() {
        squares.values().put(0, cycle.squares());
        sum.run();
        return Math.sqrt(squares.values().get(0) / Math.pow(problem.points(), 3));
    }

    @Override
    public void close() {
        sum.close();
    }
}
