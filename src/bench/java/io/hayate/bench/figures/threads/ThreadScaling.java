// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.threads;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Ompl;
import io.hayate.cli.perf.Samples;
import io.hayate.cli.perf.Team;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Measures put and flag between two ranks against the number of their threads, with one endpoint
 * for each thread and with shared free lists, as in the paper on OMPL. The method is that of
 * src/bench/README.md; because threads are woken and joined once per batch, batches are longer. One
 * of the threads is the main thread.
 */
final class ThreadScaling {
    private static final long BATCH_NANOS = 100_000;
    private static final long WOKEN_BATCH_NANOS = 3_000_000;
    private static final int MAX_BATCH = 1 << 16;
    private static final int MIN_SAMPLES = 5;
    private static final long FIRST_WARM_UP_NANOS = 1_000_000_000;
    private static final int LINE = 64;

    private final Hayate job;
    private final Fmpl fmpl;
    private final HeapSpan turns;
    private final long nanos;
    private final Samples samples = new Samples();
    private long warmUp = FIRST_WARM_UP_NANOS;

    private ThreadScaling(Hayate job, Fmpl fmpl, long nanos) {
        this.job = job;
        this.fmpl = fmpl;
        this.turns = job.allocate(LINE);
        this.nanos = nanos;
    }

    /**
     * Measures all cases. Collective over the two ranks of the job.
     *
     * @param job a job of two ranks
     * @param endpoints numbers of endpoints; 0: one per thread
     * @param threads numbers of threads
     * @param sizes sizes of a put in bytes, each at least 8
     * @param nanos shortest time of a case
     * @param sink receives the points, on rank 0
     */
    static void run(Hayate job, List<Integer> endpoints, List<Integer> threads,
            List<Integer> sizes, long nanos, Consumer<ThreadPoint> sink) {
        int most = threads.stream().mapToInt(Integer::intValue).max().orElse(1);
        try (Fmpl fmpl = Fmpl.init(job, 1)) {
            ThreadScaling scaling = new ThreadScaling(job, fmpl, nanos);
            for (int count : endpoints) {
                for (int bytes : sizes) {
                    scaling.runAll(count, threads, most, bytes, sink);
                }
            }
        }
    }

    private void runAll(int endpoints, List<Integer> threads, int most, int bytes,
            Consumer<ThreadPoint> sink) {
        try (Ompl ompl = Ompl.open(job, (long) most * ThreadLanes.stride(bytes), endpoints)) {
            ThreadLanes lanes = new ThreadLanes(ompl, job.rank(), most, bytes);
            for (int each : threads) {
                runCase(lanes, ompl.endpoints(), each, bytes, sink);
            }
            fmpl.barrier(); // no rank accesses this rank any more
        }
    }

    private void runCase(ThreadLanes lanes, int endpoints, int threads, int bytes,
            Consumer<ThreadPoint> sink) {
        measure(threads, lanes::pingPong, 2);
        lanes.check(threads);
        double min = samples.percentile(0);
        double median = samples.percentile(50);
        double p99 = samples.percentile(99);
        int count = samples.count();
        measure(threads, lanes::windows, ThreadLanes.WINDOW);
        lanes.check(threads);
        if (job.rank() == 0) {
            sink.accept(new ThreadPoint(endpoints, threads, bytes, min, median, p99,
                    threads * 1e6 / samples.percentile(50), count));
        }
    }

    private void measure(int threads, Team.Work work, int operations) {
        Team team = threads == 1 ? null : new Team(threads, work);
        IntConsumer batch = team == null ? count -> work.run(0, count) : team::run;
        samples.clear();
        if (job.rank() == 0) {
            lead(batch, team == null ? BATCH_NANOS : WOKEN_BATCH_NANOS, operations);
        } else {
            follow(batch);
        }
        if (team != null) {
            team.end();
        }
        samples.sort();
    }

    private void lead(IntConsumer batch, long least, int operations) {
        long begin = System.nanoTime();
        int count = 1;
        boolean grown = true;
        while (grown || System.nanoTime() - begin < warmUp) {
            grown = count < MAX_BATCH && Math.min(time(batch, count), time(batch, count)) < least;
            count = grown ? count * 2 : count;
        }
        warmUp = nanos / 10;
        begin = System.nanoTime();
        while (samples.count() < MIN_SAMPLES || System.nanoTime() - begin < nanos) {
            samples.add(time(batch, count), (double) count * operations);
        }
        announce(0);
    }

    private long time(IntConsumer batch, int count) {
        announce(count);
        fmpl.barrier();
        long begin = System.nanoTime();
        batch.accept(count);
        return System.nanoTime() - begin;
    }

    private void announce(int batch) {
        turns.putLong(0, batch);
        fmpl.bcast(turns, 0);
    }

    private void follow(IntConsumer batch) {
        while (true) {
            fmpl.bcast(turns, 0);
            int count = (int) turns.getLong(0);
            if (count == 0) {
                return;
            }
            fmpl.barrier();
            batch.accept(count);
        }
    }
}
