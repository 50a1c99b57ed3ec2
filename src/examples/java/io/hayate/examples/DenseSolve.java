// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.Blacs;
import io.hayate.BlacsGrid;
import io.hayate.Element;
import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.Scope;
import io.hayate.scalapack.BlockCyclic;
import io.hayate.scalapack.DistributedMatrix;
import io.hayate.scalapack.MatrixMarket;
import io.hayate.scalapack.Norm;
import io.hayate.scalapack.NumericalException;
import io.hayate.scalapack.ScaLapack;
import io.hayate.scalapack.Transpose;

/**
 * Solves a dense linear system on all ranks of a job by ScaLAPACK, and times it like HPL. The
 * matrix is a file, or random numbers that every rank makes itself.
 * Run it by {@code hayate run -n P -- java ...}, or alone.
 */
public final class DenseSolve {
    private static final int GOOD = 0;
    private static final int BAD = 1;
    private static final int WRONG_USAGE = 2;
    private static final double NANOS = 1e9;
    private static final RandomEntries MATRIX = new RandomEntries(1);
    private static final RandomEntries RIGHT_SIDE = new RandomEntries(2);

    private final Hayate job;
    private final DenseOptions options;
    private final BlacsGrid grid;
    private final ScaLapack lapack;
    private final MatrixMarket file; // null: random numbers
    private final int rows;

    private DenseSolve(Hayate job, DenseOptions options, BlacsGrid grid) {
        this.job = job;
        this.options = options;
        this.grid = grid;
        lapack = ScaLapack.on(grid);
        file = options.matrix() == null ? null : MatrixMarket.of(options.matrix());
        rows = file == null ? options.rows() : file.rows();
    }

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Every rank ends with the same code; rank 0 prints. */
    static int run(String... args) {
        try (Hayate job = Hayate.init()) {
            return solve(job, args);
        } catch (HayateException | NumericalException e) {
            System.err.println("DenseSolve: " + e.getMessage());
            return BAD;
        }
    }

    private static int solve(Hayate job, String... args) {
        boolean speaks = job.rank() == 0;
        try {
            DenseOptions options = DenseOptions.parse(args);
            if (options.help()) {
                print(speaks, DenseOptions.USAGE);
                return GOOD;
            }
            GridShape shape = GridShape.of(job.size(), options.gridRows());
            try (Blacs blacs = Blacs.open(job); BlacsGrid grid = shape.open(blacs)) {
                DenseReport report = new DenseSolve(job, options, grid).solve(shape);
                print(speaks, options.json() ? report.json() : report.text());
                complain(speaks && !report.isRight(), report.verdict());
                grid.barrier(Scope.ALL);
                return report.isRight() ? GOOD : BAD;
            }
        } catch (UsageException e) {
            complain(speaks, e.getMessage() + System.lineSeparator() + DenseOptions.USAGE);
            return WRONG_USAGE;
        }
    }

    private DistributedMatrix matrix(int columns) {
        BlockCyclic layout = BlockCyclic.of(grid, rows, columns, options.block());
        return DistributedMatrix.allocate(job, layout, Element.DOUBLE);
    }

    private DenseReport solve(GridShape shape) {
        try (DistributedMatrix a = matrix(file == null ? rows : file.columns());
                DistributedMatrix factors = matrix(file == null ? rows : file.columns());
                DistributedMatrix b = matrix(1);
                DistributedMatrix x = matrix(1)) {
            if (file == null) {
                a.fill(MATRIX::at);
            } else {
                a.read(file);
            }
            b.fill(RIGHT_SIDE::at);
            double seconds = Double.POSITIVE_INFINITY;
            for (int i = 0; i < options.repeat(); i++) {
                lapack.copy(a, factors);
                lapack.copy(b, x);
                seconds = Math.min(seconds, timed(factors, x));
            }
            return new DenseReport(options, rows, shape, seconds, residual(a, x, b));
        }
    }

    private double timed(DistributedMatrix factors, DistributedMatrix x) {
        grid.barrier(Scope.ALL);
        long begun = System.nanoTime();
        lapack.gesv(factors, x);
        grid.barrier(Scope.ALL);
        return (System.nanoTime() - begun) / NANOS;
    }

    /** As ScaLAPACK's test: |Ax - b| / (|A| |x| eps n); b becomes the difference. */
    private double residual(DistributedMatrix a, DistributedMatrix x, DistributedMatrix b) {
        lapack.gemm(1, Transpose.NONE, a, Transpose.NONE, x, -1, b);
        double scale = lapack.norm(Norm.INFINITY, a) * lapack.norm(Norm.INFINITY, x)
                * Math.ulp(1.0) / 2 * rows;
        return lapack.norm(Norm.INFINITY, b) / scale;
    }

    private static void print(boolean speaks, String text) {
        if (speaks) {
            System.out.println(text);
        }
    }

    private static void complain(boolean speaks, String text) {
        if (speaks) {
            System.err.println("DenseSolve: " + text);
        }
    }
}
