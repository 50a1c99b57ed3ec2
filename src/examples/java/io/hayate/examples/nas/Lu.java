// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.Locale;

/**
 * LU of the NAS Parallel Benchmarks: a compressible flow in a cube by SSOR, whose sweeps go through
 * a rectangle of ranks plane by plane: a wavefront, in messages that are many and short.
 * Run it by {@code hayate run -n P -- java ...}, or alone.
 */
public final class Lu implements Benchmark {
    static final NasProgram.Kind KIND =
            new NasProgram.Kind("LU", RankCount.POWER_OF_TWO, Lu::new);

    private final NasJob job;
    private final LuProblem problem;
    private final LuFlow flow;
    private final LuSolver solver;
    private final LuNorms norms;
    private final double[] residuals = new double[CfdExact.COMPONENTS];
    private final double[] errors = new double[CfdExact.COMPONENTS];

    Lu(NasJob job) throws UsageException {
        this.job = job;
        problem = LuProblem.of(job.options().problem());
        LuRanks ranks = LuRanks.of(job.rank(), job.size());
        if (!ranks.fit(problem.points())) {
            throw new UsageException(job.size() + " ranks: class " + job.options().problem()
                    + " has points for at most " + LuRanks.most(problem.points()));
        }
        flow = new LuFlow(ranks.box(problem.points()));
        solver = new LuSolver(job, ranks, flow, problem.timeStep());
        norms = new LuNorms(job, flow.box());
    }

    public static void main(String[] args) {
        System.exit(NasProgram.run(KIND, args));
    }

    @Override
    public Work work() {
        return new Work(String.format(Locale.ROOT, "%1$d x %1$d x %1$d", problem.points()),
                problem.steps(), problem.operations(), "floating point");
    }

    @Override
    public void prepare() {
        solver.begin();
        solver.step();
        solver.begin();
    }

    @Override
    public void run() {
        for (int i = 0; i < problem.steps(); i++) {
            solver.step();
        }
        norms.compute(solver.residual(), residuals);
    }

    @Override
    public Verification verify() {
        norms.compute(flow.difference(), errors);
        double surface = job.library().sum(new LuSurface(flow).integral());
        double worst = relative(surface, problem.surface());
        for (int m = 0; m < residuals.length; m++) {
            worst = Math.max(worst, relative(residuals[m], problem.residuals()[m]));
            worst = Math.max(worst, relative(errors[m], problem.errors()[m]));
        }
        return new Verification(worst <= LuProblem.TOLERANCE, String.format(Locale.ROOT,
                "norm of the density's residual is %.13e, %.13e expected; of its error %.13e, "
                + "%.13e expected; surface integral %.13e, %.13e expected; largest relative error "
                + "of these and the other components' norms %.1e", residuals[0],
                problem.residuals()[0], errors[0], problem.errors()[0], surface, problem.surface(),
                worst));
    }

    private static double relative(double value, double expected) {
        return Math.abs((value - expected) / expected);
    }

    @Override
    public void close() {
        norms.close();
    }
}
