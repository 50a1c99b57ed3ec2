// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.Locale;

/**
 * CG of the NAS Parallel Benchmarks: the smallest eigenvalue of a sparse random matrix by the
 * inverse power method and conjugate gradients, on a grid of ranks: long messages between pairs of
 * ranks, and sums of a number or two over the rows of the grid.
 * Run it by {@code hayate run -n P -- java ...}, or alone.
 */
public final class Cg implements Benchmark {
    static final NasProgram.Kind KIND =
            new NasProgram.Kind("CG", RankCount.POWER_OF_TWO, Cg::new);

    private final NasJob job;
    private final CgProblem problem;
    private final CgIteration iteration;
    private double zeta;

    Cg(NasJob job) {
        this.job = job;
        problem = CgProblem.of(job.options().problem());
        CgGrid grid = CgGrid.of(job.size(), job.rank());
        NasLibrary.Members row = job.library().split(grid.rows(), grid.row());
        CgMatrix matrix = new CgMatrix(problem, grid);
        if (job.isDamaged()) {
            matrix.damage();
        }
        CgProduct product = new CgProduct(job, grid, matrix, problem.rows());
        iteration = new CgIteration(job, row, product, problem, matrix.columns());
    }

    public static void main(String[] args) {
        System.exit(NasProgram.run(KIND, args));
    }

    @Override
    public Work work() {
        return new Work(Integer.toString(problem.rows()), problem.iterations(),
                problem.operations(), "floating point");
    }

    @Override
    public void prepare() {
        iteration.begin();
        iteration.improve();
        iteration.begin();
    }

    @Override
    public void run() {
        for (int i = 0; i < problem.iterations(); i++) {
            zeta = iteration.improve();
        }
    }

    @Override
    public Verification verify() {
        double own = Math.abs(zeta - problem.zeta()) / problem.zeta();
        double error = job.library().maximum(Double.isNaN(own) ? Double.POSITIVE_INFINITY : own);
        return new Verification(error <= CgProblem.TOLERANCE, String.format(Locale.ROOT,
                "zeta is %.13e, %.13e expected, relative error %.1e, residual %.1e", zeta,
                problem.zeta(), error, iteration.residualNorm()));
    }

    @Override
    public void close() {
        iteration.close();
    }
}
