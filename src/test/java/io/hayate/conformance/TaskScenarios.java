// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;

import io.hayate.Ompl;
import io.hayate.tasks.Region;
import io.hayate.tasks.Task;
import io.hayate.tasks.TaskException;
import io.hayate.tasks.TaskGraph;
import io.hayate.tasks.TaskTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Tasks of many ranks over one space. */
final class TaskScenarios {
    private static final int BYTES = 1 << 16;
    private static final int AREA = 1024;

    private interface Use {
        void run(Ompl ompl) throws Exception;
    }

    private static void with(Rank rank, Use use) throws Exception {
        try (Ompl ompl = Ompl.open(rank.job, BYTES)) {
            use.run(ompl);
            rank.fmpl.barrier();
        }
    }

    private interface Pool {
        void use(Executor executor) throws Exception;
    }

    private static void onThreads(int threads, Pool pool) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            pool.use(executor);
        } finally {
            executor.shutdownNow();
        }
    }

    private static Region region(int number) {
        return new Region(4096 + number * 128L, 64, 4096 + number * 128L + 64);
    }

    private static long at(int number) {
        return region(number).at();
    }

    /** A token goes round all ranks, and each adds to it: a chain through every rank. */
    private static void ring(Rank rank, Ompl ompl, Executor pool, int rounds, int area) {
        TaskGraph graph = new TaskGraph(rank.job, ompl, area * (long) AREA);
        int base = area * 200;
        for (int round = 0; round < rounds; round++) {
            int hop = base + round * rank.size + rank.me;
            Task task = graph.task("hop " + (hop - base), () -> {
                long before = hop == base ? 0 : ompl.memory().getLong(at(hop - 1));
                ompl.memory().putLong(at(hop), before + rank.me + 1);
            });
            if (hop > base) {
                task.needs(region(hop - 1), 1);
            }
            task.makes(region(hop), 1, rank.right());
        }
        graph.run(pool);
        int last = base + rounds * rank.size - 1;
        if (rank.me == rank.size - 1) {
            equal(rounds * rank.size * (rank.size + 1L) / 2, ompl.memory().getLong(at(last)),
                    "the token in the end");
        }
        equal(rounds, graph.trace().size(), "tasks that ran");
        for (TaskTrace one : graph.trace()) {
            check(one.ready() <= one.start() && one.start() <= one.end(), one.toString());
            int number = Integer.parseInt(one.task().substring(4));
            check(one.waited().equals(number == 0 ? "" : "hop " + (number - 1)),
                    one + ": waited for another");
            equal(number == 0 ? -1 : rank.left(), one.waitedRank(), "whose");
        }
    }

    @Scenario
    static void should_run_a_chain_through_all_ranks(Rank rank) throws Exception {
        with(rank, ompl -> onThreads(2, pool -> ring(rank, ompl, pool, 10, 0)));
    }

    /** Two graphs, one after the other, each in an area of its own; the caller's own thread. */
    @Scenario
    static void should_run_graphs_one_after_the_other(Rank rank) throws Exception {
        with(rank, ompl -> {
            ring(rank, ompl, Runnable::run, 3, 0);
            ring(rank, ompl, Runnable::run, 3, 1);
        });
    }

    @Scenario(java = 21)
    static void should_run_tasks_in_virtual_threads(Rank rank) throws Exception {
        with(rank, ompl -> ring(rank, ompl, Threads::virtual, 20, 0));
    }

    /** Many inputs of many ranks, versions in place, and a task behind all. */
    @Scenario
    static void should_start_a_task_when_all_it_needs_is_there(Rank rank) throws Exception {
        with(rank, ompl -> onThreads(3, pool -> {
            int[] everyone = new int[rank.size];
            TaskGraph graph = new TaskGraph(rank.job, ompl, 0);
            for (int i = 0; i < rank.size; i++) {
                everyone[i] = i;
            }
            Region mine = region(rank.me);
            graph.task("give", () -> ompl.memory().putLong(mine.at(), 10 + rank.me))
                    .makes(mine, 1, everyone);
            AtomicInteger order = new AtomicInteger();
            Region sum = region(100);
            Task first = graph.task("sum", () -> {
                long all = 0;
                for (int i = 0; i < rank.size; i++) {
                    all += ompl.memory().getLong(at(i));
                }
                ompl.memory().putLong(sum.at(), all);
                equal(0, order.getAndIncrement(), "order of sum");
            }).makes(sum, 1);
            for (int i = 0; i < rank.size; i++) {
                first.needs(region(i), 1);
            }
            Task second = graph.task("double", () -> {
                ompl.memory().putLong(sum.at(), 2 * ompl.memory().getLong(sum.at()));
                equal(1, order.getAndIncrement(), "order of double");
            }).needs(sum, 1).makes(sum, 2);
            graph.task("last", () -> equal(2, order.getAndIncrement(), "order of last"))
                    .after(second).needs(region(99), 0);
            graph.run(pool);
            equal(rank.size * (10L + 10 + rank.size - 1), ompl.memory().getLong(sum.at()), "sum");
            equal(3, order.get(), "tasks in order");
            equal(2, ompl.load(sum.flag()), "version");
        }));
    }

    @Scenario
    static void should_run_a_graph_without_tasks(Rank rank) throws Exception {
        with(rank, ompl -> {
            TaskGraph graph = new TaskGraph(rank.job, ompl, 0);
            graph.run(Runnable::run);
            check(graph.trace().isEmpty(), "a trace of nothing");
            refused("again", "has been run", () -> graph.run(Runnable::run));
        });
    }

    // ---- what cannot be run

    private static TaskException refused(String what, String words, Rank.Action action) {
        try {
            action.run();
        } catch (TaskException told) {
            check(told.getMessage().contains(words), what + ": " + told.getMessage());
            return told;
        } catch (Exception other) {
            throw new AssertionError(what, other);
        }
        throw new AssertionError(what + ": was accepted");
    }

    /** Each rank waits for the one before it, all in a circle; none sees that alone. */
    @Scenario
    static void should_refuse_a_cycle_through_all_ranks(Rank rank) throws Exception {
        with(rank, ompl -> {
            TaskGraph graph = new TaskGraph(rank.job, ompl, 0);
            AtomicInteger ran = new AtomicInteger();
            graph.task("free", ran::incrementAndGet);
            graph.task("turn", ran::incrementAndGet)
                    .needs(region(rank.size == 1 ? 0 : rank.left()), 1)
                    .makes(region(rank.me), 1, rank.right());
            TaskException told = refused("cycle", "wait for each other in a cycle: turn (rank 0)",
                    () -> graph.run(Runnable::run));
            for (int i = 0; i < rank.size; i++) {
                check(told.getMessage().contains("turn (rank " + i + ")"), told.getMessage());
            }
            equal(0, ran.get(), "tasks that ran");
        });
    }

    @Scenario
    static void should_refuse_an_input_that_nobody_makes(Rank rank) throws Exception {
        with(rank, ompl -> {
            boolean last = rank.me == rank.size - 1;
            TaskGraph graph = new TaskGraph(rank.job, ompl, 0);
            Task task = graph.task("eater", () -> { });
            if (last) {
                task.needs(region(3), 2);
            }
            graph.task("maker", () -> { }).makes(region(3), 1);
            refused("input", "task eater (rank " + (rank.size - 1) + ") needs version 2",
                    () -> graph.run(Runnable::run));
        });
    }

    @Scenario
    static void should_refuse_a_version_that_two_make(Rank rank) throws Exception {
        with(rank, ompl -> {
            TaskGraph graph = new TaskGraph(rank.job, ompl, 0);
            graph.task("one", () -> { }).makes(region(1), 1, 0);
            graph.task("two", () -> { }).makes(region(1), 1, 0);
            refused("made twice", "both make version 1", () -> graph.run(Runnable::run));
        });
    }

    @Scenario
    static void should_refuse_what_is_no_task(Rank rank) throws Exception {
        with(rank, ompl -> {
            TaskGraph graph = new TaskGraph(rank.job, ompl, 0);
            Task task = graph.task("task", () -> { });
            TaskGraph other = new TaskGraph(rank.job, ompl, AREA);
            refused("no name", "a name", () -> graph.task(null, () -> { }));
            refused("no body", "a body", () -> graph.task("x", null));
            refused("no region", "version 1 of null", () -> task.needs(null, 1));
            refused("version", "version -1", () -> task.needs(region(0), -1));
            refused("version 0", "version 0", () -> task.makes(region(0), 0));
            refused("rank", "output for rank " + rank.size, () -> task.makes(region(0), 1,
                    rank.size));
            refused("after", "expected a task of this graph",
                    () -> task.after(other.task("x", () -> { })));
            refused("outside", "inside", () -> task.makes(new Region(0, BYTES + 1, 0), 1));
            refused("flag outside", "inside", () -> task.needs(new Region(0, 1, BYTES), 1));
            refused("flag", "multiple", () -> new Region(0, 1, 8));
            refused("bytes", "at least 1 byte", () -> new Region(0, 0, 0));
            refused("control", "control at", () -> new TaskGraph(rank.job, ompl, BYTES - 64));
            refused("control", "control at 8", () -> new TaskGraph(rank.job, ompl, 8));
            refused("no space", "null", () -> new TaskGraph(rank.job, null, 0));
            refused("no pool", "pool", () -> graph.run(null));
        });
    }

    // ---- what fails

    /** The last rank's task throws while those of the others wait for it for ever. */
    @Scenario
    static void should_end_on_all_ranks_when_a_task_throws(Rank rank) throws Exception {
        with(rank, ompl -> onThreads(2, pool -> {
            int culprit = rank.size - 1;
            TaskGraph graph = new TaskGraph(rank.job, ompl, 0);
            AtomicInteger ran = new AtomicInteger();
            if (rank.me == culprit) {
                graph.task("culprit", () -> {
                    throw new java.io.IOException("no such tile");
                }).makes(region(0), 1, 0);
            }
            int[] all = rank.me == culprit ? new int[] {0} : new int[0];
            if (rank.me == 0) {
                graph.task("waits", ran::incrementAndGet).needs(region(0), 1);
            }
            graph.task("other", () -> check(all.length < 2, "never"));
            TaskException told = refused("a task that throws", "no such tile",
                    () -> graph.run(pool));
            equal(culprit, told.rank(), "rank");
            check("culprit".equals(told.task()), told.task());
            check(rank.me == culprit == told.getCause() instanceof java.io.IOException,
                    "cause " + told.getCause());
            equal(0, ran.get(), "tasks that waited for it and ran");
        }));
    }

    @Scenario
    static void should_end_on_all_ranks_when_a_pool_refuses(Rank rank) throws Exception {
        refuse(rank, "pool is shut", task -> {
            throw new java.util.concurrent.RejectedExecutionException("pool is shut");
        });
    }

    @Scenario
    static void should_end_on_all_ranks_when_a_pool_has_no_thread(Rank rank) throws Exception {
        refuse(rank, "no native thread", task -> {
            throw new OutOfMemoryError("no native thread");
        });
    }

    private static void refuse(Rank rank, String why, java.util.concurrent.Executor pool)
            throws Exception {
        with(rank, ompl -> {
            TaskGraph graph = new TaskGraph(rank.job, ompl, 0);
            List<String> ran = new ArrayList<>();
            if (rank.me == 0) {
                graph.task("refused", () -> ran.add("refused"));
            }
            TaskException told = refused("pool", why, () -> graph.run(pool));
            equal(0, told.rank(), "rank");
            check(ran.isEmpty(), "it ran");
        });
    }
}
