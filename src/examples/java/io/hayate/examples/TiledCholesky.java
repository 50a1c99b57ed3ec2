// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.Ompl;
import io.hayate.tasks.TaskException;
import io.hayate.tasks.TaskGraph;
import io.hayate.tasks.TaskTrace;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A tiled Cholesky factorisation in the multi-task PGAS model: tasks on many threads of many ranks
 * write tiles into each other's part of a global space, and start when theirs are there.
 * Run it by {@code hayate run -n P -- java ...}, or alone.
 */
public final class TiledCholesky {
    private static final int GOOD = 0;
    private static final int BAD = 1;
    private static final int WRONG_USAGE = 2;
    private static final double NANOS = 1e9;

    private final Hayate job;
    private final Fmpl fmpl;
    private final CholeskyOptions options;

    private TiledCholesky(Hayate job, Fmpl fmpl, CholeskyOptions options) {
        this.job = job;
        this.fmpl = fmpl;
        this.options = options;
    }

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Every rank ends with the same code; rank 0 prints. */
    static int run(String... args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            int code = solve(job, fmpl, args);
            fmpl.barrier();
            return code;
        } catch (HayateException e) {
            System.err.println("TiledCholesky: " + e.getMessage());
            return BAD;
        }
    }

    private static int solve(Hayate job, Fmpl fmpl, String... args) {
        boolean speaks = job.rank() == 0;
        try {
            CholeskyOptions options = CholeskyOptions.parse(args);
            if (options.help()) {
                print(speaks, CholeskyOptions.USAGE);
                return GOOD;
            }
            return new TiledCholesky(job, fmpl, options).solve(options.read());
        } catch (UsageException e) {
            complain(speaks, e.getMessage() + System.lineSeparator() + CholeskyOptions.USAGE);
            return WRONG_USAGE;
        } catch (MatrixMarketException | TaskException | IOException e) {
            complain(speaks, e.getMessage());
            return BAD;
        }
    }

    private int solve(SpdMatrix matrix) throws IOException {
        int tile = Math.min(options.tile(), matrix.rows());
        CholeskyTiles tiles = new CholeskyTiles(matrix.rows(), tile, job.size());
        try (Ompl ompl = Ompl.open(job, tiles.bytes())) {
            TaskGraph graph = new TaskGraph(job, ompl, 0);
            CholeskyTasks tasks = new CholeskyTasks(tiles, ompl.memory(), job.rank(), graph);
            tasks.fill(matrix);
            tasks.describe();
            fmpl.barrier();
            double seconds = run(graph);
            double residual =
                    new CholeskyCheck(tiles, tasks, ompl.memory(), fmpl).residual(matrix);
            List<TaskTrace> trace = TraceGathering.all(fmpl, graph.trace());
            if (job.rank() == 0) {
                show(new CholeskyReport(options, tiles, job.size(), seconds, residual, trace));
            }
            fmpl.barrier(); // nobody addresses this rank any more
            return residual < CholeskyCheck.LIMIT ? GOOD : BAD;
        }
    }

    private double run(TaskGraph graph) {
        ExecutorService pool = options.virtual() ? virtualThreads()
                : Executors.newFixedThreadPool(options.threads());
        try {
            long begun = System.nanoTime();
            graph.run(pool);
            return (System.nanoTime() - begun) / NANOS;
        } finally {
            pool.shutdown();
        }
    }

    /** By reflection, as this is compiled for Java 17. */
    private static ExecutorService virtualThreads() {
        try {
            return (ExecutorService) Executors.class
                    .getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("no virtual threads", e);
        }
    }

    private void show(CholeskyReport report) throws IOException {
        System.out.println(options.json() ? report.json() : report.text());
        if (!report.isRight()) {
            complain(true, report.verdict());
        }
        if (options.picture() != null) {
            Files.writeString(options.picture(),
                    new TaskPicture(report.title(), report.subtitle(), report.trace()).draw());
        }
    }

    private static void print(boolean speaks, String text) {
        if (speaks) {
            System.out.println(text);
        }
    }

    private static void complain(boolean speaks, String text) {
        if (speaks) {
            System.err.println("TiledCholesky: " + text);
        }
    }
}
