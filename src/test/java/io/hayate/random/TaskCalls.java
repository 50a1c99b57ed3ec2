// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.Ompl;
import io.hayate.tasks.Region;
import io.hayate.tasks.Task;
import io.hayate.tasks.TaskException;
import io.hayate.tasks.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Task graphs, right and wrong ones. Each call has ranks of its own, which are threads, for a graph
 * is described by one thread.
 */
final class TaskCalls extends CallTable {
    private static final int BYTES = 64 << 10;
    private static final int FLAGS = 2048;
    private static final int DATA = 16 << 10;
    private static final int MOST_RANKS = 3;

    private final ExecutorService pool = Executors.newCachedThreadPool(TaskCalls::daemon);

    TaskCalls(long seed) {
        call("graph", this::graph);
        call("region", chance -> new Region(chance.offset(BYTES), chance.offset(100),
                chance.offset(BYTES)));
        call("description", this::describe);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "pool");
        thread.setDaemon(true);
        return thread;
    }

    // ---- descriptions

    private void describe(Chance chance) {
        Hayate job = Hayate.initThreads(1).get(0);
        Hayate other = Hayate.initThreads(1).get(0);
        Ompl ompl = Ompl.open(job, BYTES);
        try {
            TaskGraph graph = new TaskGraph(chance.of(job, job, other, null), chance.orNull(ompl),
                    chance.oneIn(2) ? chance.offset(BYTES) : 0);
            for (int i = chance.below(5); i > 0; i--) {
                tryTask(graph, chance);
            }
            graph.trace();
            graph.run(chance.orNull(Runnable::run));
            graph.run(Runnable::run);
        } finally {
            ompl.close();
            job.close();
            other.close();
        }
    }

    private static void tryTask(TaskGraph graph, Chance chance) {
        try {
            Task task = graph.task(chance.of("a", "b", "", null, "n".repeat(401), "\ud800"),
                    chance.orNull(() -> { }));
            Region region = chance.orNull(new Region(8L * chance.below(BYTES), 8,
                    Ompl.FLAG_BYTES * (long) chance.below(BYTES)));
            switch (chance.below(4)) {
                case 0 -> task.needs(region, chance.offset(3));
                case 1 -> task.makes(region, chance.offset(3), chance.index(2));
                case 2 -> task.makes(region, 1, chance.orNull(new int[] {0, 0}));
                default -> task.after(chance.of(task, null));
            }
        } catch (TaskException refused) {
            // the rest goes on without it
        }
    }

    // ---- graphs

    /** What is wrong with a graph. */
    private enum Fault { NOTHING, CYCLE, UNKNOWN, TWICE, THROWS, LEAVES, CLOSES }

    /** A graph, as all its ranks draw it. Task i makes region i, on one rank, for some. */
    private static final class Drawing {
        final int ranks;
        final int tasks;
        final Fault fault;
        final int faulty;
        final int[] rank;
        final int[] parts; // bits of ranks
        final List<List<Integer>> needs = new ArrayList<>();
        final AtomicInteger ran = new AtomicInteger();

        Drawing(Chance chance) {
            ranks = 1 + chance.below(MOST_RANKS);
            tasks = 1 + chance.below(12);
            fault = chance.oneIn(2) ? Fault.NOTHING : chance.of(Fault.values());
            faulty = chance.below(tasks);
            rank = new int[tasks];
            parts = new int[tasks];
            for (int i = 0; i < tasks; i++) {
                rank[i] = chance.below(ranks);
                parts[i] = chance.below(1 << ranks) | 1 << rank[i];
                List<Integer> mine = new ArrayList<>();
                for (int j = 0; j < i; j++) {
                    if (chance.oneIn(2) && (parts[j] >> rank[i] & 1) != 0) {
                        mine.add(j);
                    }
                }
                needs.add(mine);
            }
        }

        Region region(int task) {
            return new Region(DATA + 8L * task, 8, FLAGS + (long) Ompl.FLAG_BYTES * task);
        }

        int[] receivers(int task) {
            return java.util.stream.IntStream.range(0, ranks)
                    .filter(each -> (parts[task] >> each & 1) != 0).toArray();
        }

        long value(int task) {
            long sum = task + 1;
            for (int need : needs.get(task)) {
                sum += value(need);
            }
            return sum;
        }
    }

    /** Worse than any reason. */
    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String toString() {
            throw new IllegalStateException("not even this");
        }
    }

    private void graph(Chance chance) throws Exception {
        Drawing drawing = new Drawing(chance);
        Thread.currentThread().setName(drawing.fault.name());
        int kind = chance.below(4);
        List<Hayate> jobs = Hayate.initThreads(drawing.ranks);
        try {
            List<Future<Throwable>> ends = new ArrayList<>();
            for (Hayate job : jobs) {
                Callable<Throwable> rank = () -> run(job, drawing, kind);
                ends.add(pool.submit(rank));
            }
            for (Future<Throwable> end : ends) {
                check(drawing, end.get());
            }
        } finally {
            jobs.forEach(Hayate::close);
        }
        boolean refused = drawing.fault == Fault.CYCLE || drawing.fault == Fault.UNKNOWN
                || drawing.fault == Fault.TWICE;
        if (refused && drawing.ran.get() > 0) {
            throw new AssertionError(drawing.ran + " tasks of a graph with " + drawing.fault);
        }
    }

    private static void check(Drawing drawing, Throwable end) {
        boolean right = switch (drawing.fault) {
            case NOTHING -> end == null;
            case CYCLE, UNKNOWN, TWICE, THROWS -> end instanceof TaskException;
            default -> end instanceof TaskException || end instanceof HayateException
                    || end == null;
        };
        if (!right) {
            throw new AssertionError(drawing.fault + " in a graph of " + drawing.tasks
                    + " tasks of " + drawing.ranks + " ranks", end);
        }
    }

    /** How it ended. */
    private Throwable run(Hayate job, Drawing drawing, int kind) {
        try {
            Ompl ompl = Ompl.open(job, BYTES);
            TaskGraph graph = describe(job, ompl, drawing, kind);
            graph.run(pool);
            for (int task = 0; task < drawing.tasks; task++) {
                long seen = ompl.memory().getLong(drawing.region(task).at());
                if ((drawing.parts[task] >> job.rank() & 1) != 0 && seen != drawing.value(task)) {
                    return new AssertionError("task " + task + " made " + drawing.value(task)
                            + ", rank " + job.rank() + " has " + seen);
                }
            }
            if (graph.trace().size() > drawing.tasks) {
                return new AssertionError("traces: " + graph.trace());
            }
            return null;
        } catch (Throwable thrown) {
            job.close(); // the others may wait for this rank
            return thrown;
        }
    }

    private static TaskGraph describe(Hayate job, Ompl ompl, Drawing drawing, int kind) {
        TaskGraph graph = new TaskGraph(job, ompl, 0);
        for (int i = 0; i < drawing.tasks; i++) {
            if (drawing.rank[i] != job.rank()) {
                continue;
            }
            int number = i;
            Task task = graph.task("task " + i, () -> work(job, ompl, drawing, number, kind))
                    .makes(drawing.region(i), 1, drawing.receivers(i));
            for (int need : drawing.needs.get(i)) {
                task.needs(drawing.region(need), 1);
            }
            if (i == drawing.faulty) {
                spoil(task, drawing, number);
            }
        }
        return graph;
    }

    private static void spoil(Task task, Drawing drawing, int number) {
        switch (drawing.fault) {
            case CYCLE -> task.after(task);
            case UNKNOWN -> task.needs(drawing.region(number), 9);
            case TWICE -> task.makes(drawing.region(number), 1);
            default -> { }
        }
    }

    private static void work(Hayate job, Ompl ompl, Drawing drawing, int number, int kind)
            throws Exception {
        drawing.ran.incrementAndGet();
        long sum = number + 1;
        for (int need : drawing.needs.get(number)) {
            sum += ompl.memory().getLong(drawing.region(need).at());
        }
        ompl.memory().putLong(drawing.region(number).at(), sum);
        if (number != drawing.faulty) {
            return;
        }
        switch (drawing.fault) {
            case THROWS -> fail(kind);
            case LEAVES -> job.close();
            case CLOSES -> ompl.close();
            default -> { }
        }
    }

    private static void fail(int kind) throws Exception {
        switch (kind) {
            case 0 -> throw new Exception("on purpose");
            case 1 -> throw new OutOfMemoryError("on purpose");
            case 2 -> throw new Unspeakable();
            default -> throw new AssertionError();
        }
    }

    @Override
    void close() {
        // each call closes what it has
    }
}
