// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.examples.nas.CfdCell.RowWork;
import java.util.Locale;

/**
 * SP or BT of the NAS Parallel Benchmarks: the Navier-Stokes equations of a compressible gas in a
 * cube, whose forcing is such that the steady state is known, by implicit steps in time: in each,
 * the systems of all lines along x are solved, then along y, then along z. The grid is cut by a
 * {@link CfdPartition}, so that there is a square number of ranks. Messages go to six neighbours:
 * the faces of cells before each step, and what a line knows at its ends in each sweep. The only
 * collective is a sum in verify().
 */
abstract class CfdBenchmark implements Benchmark {
    private static final RowWork ADD = CfdBenchmark::addRow;

    private final NasJob job;
    private final CfdProblem problem;
    private final CfdPartition partition;
    private final CfdAxis[] axes = new CfdAxis[CfdCell.AXES];
    private final CfdCell[] cells;
    private final CfdOperator operator;
    private final CfdHalo halo;
    private final CfdNorms norms;

    /** Cells have so many {@link CfdCell}.factors() for each point. */
    CfdBenchmark(NasJob job, CfdProblem problem, int factors) throws UsageException {
        this.job = job;
        this.problem = problem;
        partition = CfdPartition.of(job.rank(), job.size());
        requirePoints();
        for (int axis = 0; axis < axes.length; axis++) {
            axes[axis] = new CfdAxis(axis, problem.points());
        }
        cells = new CfdCell[partition.side()];
        for (int cell = 0; cell < cells.length; cell++) {
            cells[cell] = new CfdCell(problem.points(), partition.side(), partition.place(cell),
                    factors);
        }
        operator = new CfdOperator(axes, problem.dt());
        halo = new CfdHalo(job, partition, cells);
        norms = new CfdNorms(job, problem);
        makeForcing();
    }

    /** Neighbours have all ghosts of a cell. */
    private void requirePoints() throws UsageException {
        int most = problem.points() / CfdCell.GHOSTS;
        if (partition.side() > most) {
            throw new UsageException(job.size() + " ranks: class " + job.options().problem()
                    + " has points for at most " + most * most);
        }
    }

    private void makeForcing() {
        for (CfdCell cell : cells) {
            CfdStart.balance(cell, operator, problem.dt());
        }
        if (job.isDamaged()) {
            CfdCell cell = cells[0];
            cell.forcing()[CfdExact.COMPONENTS * cell.row(cell.begin(1), cell.begin(2))] += 1;
        }
    }

    /** Makes the right sides changes of the solution. Collective; allocates nothing. */
    abstract void solve();

    final double dt() {
        return problem.dt();
    }

    final CfdAxis axis(int axis) {
        return axes[axis];
    }

    final CfdSweep sweep(int axis, CfdSolver solver) {
        return new CfdSweep(job, partition, cells, axis, solver);
    }

    /** Of all cells. */
    final void forEachRow(RowWork work) {
        for (CfdCell cell : cells) {
            cell.forEachRow(work);
        }
    }

    @Override
    public Work work() {
        return new Work(String.format(Locale.ROOT, "%1$d x %1$d x %1$d", problem.points()),
                problem.steps(), problem.steps() * problem.operations(), "floating point");
    }

    @Override
    public void prepare() {
        begin();
        step();
        begin();
    }

    private void begin() {
        for (CfdCell cell : cells) {
            CfdStart.begin(cell);
        }
    }

    @Override
    public void run() {
        for (int i = 0; i < problem.steps(); i++) {
            step();
        }
    }

    private void step() {
        computeRightSides();
        solve();
        forEachRow(ADD);
    }

    private void computeRightSides() {
        halo.exchange();
        for (CfdCell cell : cells) {
            CfdFlow.derive(cell);
            operator.apply(cell);
        }
    }

    private static void addRow(CfdCell cell, int j, int k) {
        int from = CfdExact.COMPONENTS * cell.row(j, k);
        int end = from + CfdExact.COMPONENTS * cell.rowLength();
        for (int i = from; i < end; i++) {
            cell.solution()[i] += cell.right()[i];
        }
    }

    @Override
    public Verification verify() {
        computeRightSides();
        norms.compute(cells);
        double error = norms.difference();
        return new Verification(error <= CfdProblem.TOLERANCE, String.format(Locale.ROOT,
                "norms of the density: residual %.13e, error of the solution %.13e; largest "
                + "relative difference of all ten norms to the published ones %.1e",
                norms.residuals()[0], norms.errors()[0], error));
    }

    @Override
    public void close() {
        norms.close();
    }
}
