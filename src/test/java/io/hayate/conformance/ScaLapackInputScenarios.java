// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import com.sun.jna.NativeLibrary;
import com.sun.jna.ptr.IntByReference;
import io.hayate.ArgumentException;
import io.hayate.Blacs;
import io.hayate.BlacsGrid;
import io.hayate.BusyException;
import io.hayate.ClosedException;
import io.hayate.Element;
import io.hayate.Grid;
import io.hayate.HeapSpan;
import io.hayate.scalapack.BlockCyclic;
import io.hayate.scalapack.DistributedMatrix;
import io.hayate.scalapack.MatrixMarket;
import io.hayate.scalapack.Norm;
import io.hayate.scalapack.NumericalException;
import io.hayate.scalapack.Pivots;
import io.hayate.scalapack.ScaLapack;
import io.hayate.scalapack.Transpose;
import io.hayate.scalapack.Triangle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** ScaLAPACK with matrices that have no result, with arguments that do not fit, and in threads. */
final class ScaLapackInputScenarios {
    private static final List<Element> TYPES = List.of(Element.FLOAT, Element.COMPLEX_DOUBLE);
    private static final List<Element> DOUBLE = List.of(Element.DOUBLE);

    // ---- INFO > 0 ----

    static void numerical(int info, String words, Rank.Action action) {
        NumericalException e = numerical(words, action);
        equal(info, e.info(), "INFO of " + e.getMessage());
        check(e.getMessage().contains(e.routine() + ": "), e.getMessage());
    }

    static NumericalException numerical(String words, Rank.Action action) {
        try {
            action.run();
        } catch (NumericalException e) {
            check(e.getMessage().contains(words), "'" + words + "' in " + e.getMessage());
            return e;
        } catch (Exception e) {
            throw new AssertionError("expected a NumericalException", e);
        }
        throw new AssertionError("expected a NumericalException: " + words);
    }

    @Scenario
    static void should_say_which_pivot_is_zero(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            Dense a = new Dense(9, 9, (i, j) -> j == 6 ? 0 : i == j ? 2 : 0, (i, j) -> 0);
            Dense b = lab.random(9, 2, 1);
            MatrixLab.Work db = lab.distribute(b, 2, 2);
            DistributedMatrix first = lab.distribute(a, 2, 2).matrix();
            numerical(7, "pivot 7 of 9", () -> lab.lapack.gesv(first, db.matrix()));
            lab.compare(db, () -> b, "the right-hand sides");
            DistributedMatrix second = lab.distribute(a, 4, 4).matrix();
            numerical(7, "pivot 7 of 9", () -> lab.lapack.getrf(second));
        });
    }

    @Scenario
    static void should_say_which_minor_is_not_positive(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            Dense a = new Dense(9, 9, (i, j) -> i != j ? 0 : i == 4 ? -1 : 1, (i, j) -> 0);
            for (Triangle triangle : Triangle.values()) {
                DistributedMatrix matrix = lab.distribute(a, 2, 2).matrix();
                numerical(5, "minor of order 5 of 9", () -> lab.lapack.potrf(triangle, matrix));
            }
        });
    }

    // ---- INFO < 0, and what is refused before ----

    /** Before the call: ScaLAPACK, which would write to standard output, does not see it. */
    static void refused(String words, Rank.Action action) {
        String reason = expect(ArgumentException.class, words, action).reason();
        check(reason.contains(words) && !reason.contains("INFO"), "'" + words + "' in " + reason);
    }

    @Scenario
    static void should_refuse_shapes_and_blocks_that_do_not_fit(Rank rank) {
        MatrixLab.onAllGrids(rank, DOUBLE, lab -> {
            ScaLapack lapack = lab.lapack;
            DistributedMatrix a = lab.filled(lab.grid, lab.random(6, 6, 1), 2).matrix();
            DistributedMatrix tall = lab.filled(lab.grid, lab.random(8, 6, 1), 2).matrix();
            DistributedMatrix coarse = lab.filled(lab.grid, lab.random(6, 6, 1), 3).matrix();
            DistributedMatrix flat = lab.empty(new BlockCyclic(lab.grid, 6, 6, 2, 3, 0, 0))
                    .matrix();
            DistributedMatrix b = lab.filled(lab.grid, lab.random(6, 2, 1), 2).matrix();
            refused("op(A) is 8 x 6, expected 6 x 6", () -> lapack.gemm(1, Transpose.NONE, tall,
                    Transpose.NONE, a, 0, b));
            refused("c is the same matrix", () -> lapack.gemm(1, Transpose.NONE, a,
                    Transpose.NONE, a, 0, a));
            refused("pdgesv: a is 8 x 6, expected a square", () -> lapack.gesv(tall, b));
            refused("b has 8 rows, expected 6", () -> lapack.gesv(a, tall));
            refused("b has blocks of 3 rows", () -> lapack.gesv(a, coarse));
            refused("expected square blocks", () -> lapack.gesv(flat, b));
            refused("expected square blocks", () -> lapack.getrf(flat));
            refused("b is the same matrix", () -> lapack.gesv(a, a));
            refused("expected a square", () -> lapack.potrf(Triangle.LOWER, tall));
            refused("b has 2 rows, expected 6", () -> lapack.gels(Transpose.NONE, a,
                    lab.filled(lab.grid, lab.random(2, 2, 1), 2).matrix()));
            refused("expected the layout of a", () -> lapack.syevd(Triangle.LOWER, a, coarse));
            refused("u is 6 x 2, expected 6 x 6", () -> lapack.gesvd(a, b, null));
            refused("expected blocks as a", () -> lapack.gesvd(a, coarse, null));
            refused("to is 8 x 6, expected 6 x 6", () -> lapack.copy(a, tall));
            refused("99 numbers of factors", () -> lapack.orgqr(tall, new double[99]));
            Pivots pivots = lapack.getrf(coarse);
            refused("pivots of a matrix", () -> lapack.getrs(Transpose.NONE, a, pivots, b));
            refused("local row 600: expected 0 to ", () -> pivots.row(600));
        });
    }

    /** The lengths of work arrays would overflow. */
    @Scenario
    static void should_refuse_blocks_that_are_too_large(Rank rank) {
        MatrixLab.onAllGrids(rank, DOUBLE, lab -> {
            for (int block : new int[] {40000, 1 << 30, Integer.MAX_VALUE}) {
                BlockCyclic layout = BlockCyclic.of(lab.grid, 6, 6, block);
                String words = "has blocks of " + block;
                try (DistributedMatrix a = DistributedMatrix.allocate(rank.job, layout,
                        Element.DOUBLE)) {
                    refused(words, () -> lab.lapack.getrf(a));
                    refused(words, () -> lab.lapack.geqrf(a));
                    refused(words, () -> lab.lapack.norm(Norm.INFINITY, a));
                }
            }
        });
    }

    /** A grid of the program's own, with a context that the BLACS do not know. */
    private record OwnGrid(int context, int rows, int columns, int row, int column)
            implements Grid {
    }

    @Scenario
    static void should_refuse_a_grid_that_the_blacs_do_not_know(Rank rank) {
        MatrixLab.onAllGrids(rank, DOUBLE, lab -> {
            Grid real = lab.grid;
            Grid own = new OwnGrid(4242, real.rows(), real.columns(), real.row(), real.column());
            DistributedMatrix a = lab.filled(lab.grid, lab.random(6, 6, 1), 2).matrix();
            DistributedMatrix b = lab.filled(own, lab.random(6, 6, 1), 2).matrix();
            refused("not one of the BLACS", () -> ScaLapack.on(own));
            refused("not one of the BLACS", () -> lab.lapack.copy(a, b));
            refused("not one of the BLACS", () -> lab.lapack.copy(b, a));
        });
    }

    @Scenario
    static void should_refuse_nulls_and_other_types(Rank rank) {
        MatrixLab.onAllGrids(rank, DOUBLE, lab -> {
            ScaLapack lapack = lab.lapack;
            DistributedMatrix a = lab.filled(lab.grid, lab.random(6, 6, 1), 2).matrix();
            refused("a is null", () -> lapack.getrf(null));
            refused("b is null", () -> lapack.gesv(a, null));
            refused("z is null", () -> lapack.syevd(Triangle.LOWER, a, null));
            refused("norm is null", () -> lapack.norm(null, a));
            refused("grid is null", () -> ScaLapack.on(null));
            try (MatrixLab complex = new MatrixLab(rank, lab.grid, Element.COMPLEX_DOUBLE);
                    MatrixLab ints = new MatrixLab(rank, lab.grid, Element.INT)) {
                DistributedMatrix z = complex.filled(lab.grid, lab.random(6, 6, 1), 2).matrix();
                DistributedMatrix i = ints.filled(lab.grid, lab.random(6, 6, 1), 2).matrix();
                refused("b has elements COMPLEX_DOUBLE, the first matrix DOUBLE",
                        () -> lapack.gesv(a, z));
                refused("has elements INT", () -> lapack.getrf(i));
            }
        });
    }

    /** LAPACK would end the process. The other triangle is ignored, whatever it contains. */
    @Scenario
    static void should_refuse_values_that_are_not_finite(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            ScaLapack lapack = lab.lapack;
            String words = "a has elements that are not finite numbers";
            for (double bad : new double[] {Double.NaN, Double.NEGATIVE_INFINITY}) {
                Dense values = new Dense(6, 6, (i, j) -> i > j + 3 ? bad : i == j ? i + 1 : 0,
                        (i, j) -> 0);
                DistributedMatrix a = lab.distribute(values, 2, 2).matrix();
                DistributedMatrix z = lab.distribute(new Dense(6, 6), 2, 2).matrix();
                refused(words, () -> lapack.syev(Triangle.LOWER, a, null));
                refused(words, () -> lapack.syevd(Triangle.LOWER, a, z));
                refused(words, () -> lapack.gesvd(a, null, null));
                double[] eigenvalues = lapack.syevd(Triangle.UPPER, a, z);
                lab.near(6, eigenvalues[5], "the largest eigenvalue");
            }
        });
    }

    /** The processes describe matrices of different sizes: ScaLAPACK itself compares them. */
    @Scenario(ranks = 2)
    static void should_name_the_argument_that_differs_between_processes(Rank rank) {
        MatrixLab.onAllGrids(rank, DOUBLE, lab -> {
            int order = rank.me == 0 ? 12 : 11;
            DistributedMatrix a = lab.filled(lab.grid, lab.random(order, order, 1), 3).matrix();
            String reason = expect(ArgumentException.class, "sizes that differ",
                    () -> lab.lapack.getrf(a)).reason();
            check(reason.contains("pdgetrf refused argument ") && reason.contains("INFO = -"),
                    reason);
        });
    }

    @Scenario(ranks = 2)
    static void should_refuse_the_wrong_grid(Rank rank) {
        MatrixLab.onTwoGrids(rank, (lab, few) -> {
            DistributedMatrix there = lab.filled(few, lab.random(6, 6, 1), 2).matrix();
            DistributedMatrix here = lab.filled(lab.grid, lab.random(6, 6, 1), 2).matrix();
            refused("over another grid", () -> lab.lapack.getrf(there));
            refused("over another grid", () -> lab.lapack.gesv(here, there));
            refused("over another grid", () -> lab.lapack.gather(there));
            if (few.row() < 0) {
                refused("this process is not in the grid", () -> ScaLapack.on(few));
            }
        });
    }

    // ---- closed ----

    @Scenario
    static void should_refuse_what_is_closed(Rank rank) {
        Blacs blacs = Blacs.open(rank.job);
        BlacsGrid grid = blacs.grid(1, rank.size);
        BlockCyclic layout = BlockCyclic.of(grid, 6, 6, 2);
        HeapSpan memory = rank.job.allocate(6 * 6 * 8);
        DistributedMatrix a = DistributedMatrix.of(layout, Element.DOUBLE, memory);
        ScaLapack lapack = ScaLapack.on(grid);
        a.fill((i, j) -> i == j ? 2 : 1);
        check(lapack.norm(Norm.ONE, a) == 7, "the norm");
        memory.close();
        expect(ClosedException.class, "memory closed", () -> lapack.norm(Norm.ONE, a));
        expect(ClosedException.class, "memory closed", () -> a.fill((i, j) -> 1));
        DistributedMatrix b = DistributedMatrix.allocate(rank.job, layout, Element.DOUBLE);
        DistributedMatrix c = DistributedMatrix.allocate(rank.job, layout, Element.DOUBLE);
        b.close();
        b.close();
        expect(ClosedException.class, "matrix closed", () -> lapack.getrf(b));
        expect(ClosedException.class, "matrix closed", () -> b.set(0, 0, 1));
        grid.close();
        grid.close();
        expect(ClosedException.class, "grid closed", () -> lapack.norm(Norm.ONE, c));
        expect(ClosedException.class, "grid closed", () -> lapack.gather(c));
        expect(ClosedException.class, "grid closed", () -> ScaLapack.on(grid));
        c.set(0, 0, 1);
        c.close();
        blacs.close();
    }

    // ---- threads ----

    /** One thread of a process at a time; on one rank, where calls wait for nobody. */
    @Scenario
    static void should_refuse_a_second_thread(Rank rank) throws Exception {
        if (rank.size > 1) {
            return;
        }
        try (Blacs blacs = Blacs.open(rank.job);
                BlacsGrid grid = blacs.grid(1, 1);
                MatrixLab lab = new MatrixLab(rank, grid, Element.DOUBLE)) {
            DistributedMatrix large = lab.filled(grid, lab.random(300, 300, 1), 32).matrix();
            DistributedMatrix small = lab.filled(grid, lab.random(3, 3, 1), 1).matrix();
            AtomicReference<Throwable> refused = new AtomicReference<>();
            Thread second = new Thread(() -> {
                while (refused.get() == null) {
                    try {
                        lab.lapack.norm(Norm.MAX, small);
                    } catch (Throwable e) {
                        refused.set(e);
                    }
                }
            });
            second.start();
            int busy = 0;
            while (second.isAlive()) {
                try {
                    lab.lapack.getrf(large);
                } catch (BusyException e) {
                    busy++;
                }
            }
            check(refused.get() instanceof BusyException, refused + ", and " + busy + " here");
            lab.lapack.norm(Norm.MAX, small);
        }
    }

    /** The grid is closed between two calls: during one, ScaLAPACK would end the process. */
    @Scenario
    static void should_not_close_a_grid_during_a_call(Rank rank) throws Exception {
        if (rank.size > 1) {
            return;
        }
        try (Blacs blacs = Blacs.open(rank.job);
                BlacsGrid grid = blacs.grid(1, 1);
                MatrixLab lab = new MatrixLab(rank, grid, Element.DOUBLE)) {
            DistributedMatrix matrix = lab.filled(grid, lab.random(300, 300, 1), 32).matrix();
            AtomicReference<Throwable> end = new AtomicReference<>();
            CountDownLatch begun = new CountDownLatch(1);
            Thread caller = new Thread(() -> {
                try {
                    while (true) {
                        lab.lapack.getrf(matrix);
                        begun.countDown();
                    }
                } catch (Throwable e) {
                    end.set(e);
                }
            });
            caller.start();
            begun.await();
            while (!isClosed(grid)) {
                Thread.onSpinWait();
            }
            caller.join();
            check(end.get() instanceof ClosedException, String.valueOf(end));
        }
    }

    private static boolean isClosed(BlacsGrid grid) {
        try {
            grid.close();
            return true;
        } catch (BusyException during) {
            return false;
        }
    }

    /** A virtual thread gets the same results and exceptions. */
    @Scenario(java = 21)
    static void should_run_in_a_virtual_thread(Rank rank) throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Runnable body = () -> {
            try {
                ScaLapackScenarios.should_solve_linear_systems(rank);
                should_say_which_pivot_is_zero(rank);
            } catch (Throwable e) {
                thrown.set(e);
            }
        };
        ((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body))
                .join();
        check(thrown.get() == null, "in a virtual thread: " + thrown.get());
    }

    // ---- MPI ----

    /** The library that MPI's BLACS would have initialised is loaded, and nobody has called it. */
    @Scenario
    static void should_not_initialise_mpi(Rank rank) {
        MatrixLab.onAllGrids(rank, DOUBLE, lab -> {
            Dense a = lab.random(6, 6, 1);
            lab.lapack.gesv(lab.distribute(a, 2, 2).matrix(), lab.distribute(a, 2, 2).matrix());
            IntByReference initialised = new IntByReference(-1);
            NativeLibrary.getInstance(loadedMpi()).getFunction("MPI_Initialized")
                    .invokeInt(new Object[] {initialised});
            equal(0, initialised.getValue(), "MPI_Initialized");
        });
    }

    /** The path of the MPI library in this process. */
    private static String loadedMpi() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.matches(".*/libmpi[^/]*\\.so[^/]*"))
                    .map(line -> line.substring(line.indexOf('/'))).findFirst().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- files ----

    @Scenario
    static void should_read_a_file_on_all_processes(Rank rank) throws Exception {
        Path file = Files.createTempFile("matrix", ".mtx");
        Files.writeString(file, "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n"
                + "7 7 3\n1 1 2.5\n7 2 -1\n4 3 8e-1\n");
        try {
            MatrixLab.onAllGrids(rank, DOUBLE, lab -> {
                MatrixLab.Work work = lab.filled(lab.grid, lab.random(7, 7, 1), 2);
                work.matrix().read(MatrixMarket.of(file));
                Dense expected = new Dense(7, 7, (i, j) -> i == 0 && j == 0 ? 2.5
                        : i + j == 7 && i * j == 6 ? -1 : i + j == 5 && i * j == 6 ? 0.8 : 0,
                        (i, j) -> 0);
                lab.compare(work, () -> expected, "the matrix of the file");
            });
        } finally {
            Files.delete(file);
        }
    }
}
