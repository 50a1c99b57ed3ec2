// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Runs a body on several ranks of one process, each in a thread of its own, and collects what
 * failed. A rank is closed as soon as its body ends, so that no other rank waits for it.
 */
public final class RankThreads<R extends AutoCloseable> {
    /** How long a rank that was closed and interrupted has before its thread is left alone. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    /** What each rank does. */
    public interface Body<R> {
        void run(R rank) throws Exception;
    }

    private final List<R> ranks;
    private final ToIntFunction<R> number;
    private final Body<R> body;
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch running;
    /** Describes who waits for whom, from any rank; null: nobody asks. */
    private final Function<R, String> waits;
    /** In the order of time: a consequence comes after its cause. */
    private final List<RankFailure> failures = new ArrayList<>();

    private RankThreads(List<R> ranks, ToIntFunction<R> number, Body<R> body,
            Function<R, String> waits) {
        this.ranks = ranks;
        this.number = number;
        this.body = body;
        this.waits = waits;
        running = new CountDownLatch(ranks.size());
    }

    /**
     * Returns the failures in the order of time when all bodies have ended. If the caller is
     * interrupted, ranks whose bodies still run are closed and interrupted.
     */
    public static <R extends AutoCloseable> List<RankFailure> run(List<R> ranks,
            ToIntFunction<R> number, Body<R> body) {
        return run(ranks, number, body, null, null);
    }

    /**
     * The same with a limit, after which ranks whose bodies still run are closed and interrupted,
     * too, and count as failed.
     *
     * @param limit null: none
     * @param waits describes who waits for whom in the job of a rank
     */
    public static <R extends AutoCloseable> List<RankFailure> run(List<R> ranks,
            ToIntFunction<R> number, Body<R> body, Duration limit, Function<R, String> waits) {
        RankThreads<R> all = new RankThreads<>(ranks, number, body, waits);
        try {
            all.start();
            all.await(limit);
        } finally {
            all.closeAll(); // there may be no memory to start a thread
        }
        return all.failures();
    }

    private void start() {
        for (R rank : ranks) {
            Thread thread = new Thread(() -> runOne(rank), "rank-" + number.applyAsInt(rank));
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void runOne(R rank) {
        try {
            body.run(rank);
        } catch (Throwable thrown) {
            add(rank, thrown); // before the close tells the others
        }
        close(rank);
        running.countDown();
    }

    private synchronized void add(R rank, Throwable thrown) {
        int its = number.applyAsInt(rank);
        if (failures.stream().noneMatch(one -> one.rank() == its)) {
            failures.add(new RankFailure(its, System.nanoTime(), thrown));
        }
    }

    private synchronized List<RankFailure> failures() {
        return List.copyOf(failures);
    }

    private void close(R rank) {
        try {
            rank.close();
        } catch (Exception | Error e) {
            add(rank, e);
        }
    }

    private void await(Duration limit) {
        try {
            if (limit == null) {
                running.await();
            } else if (!running.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                recordHangs(limit);
                endAll();
            }
        } catch (InterruptedException e) {
            endAll();
            Thread.currentThread().interrupt();
        }
    }

    /** Takes all stacks, and then looks who waits for whom, before any rank is told to end. */
    private void recordHangs(Duration limit) {
        List<HangException> hangs = new ArrayList<>();
        for (int i = 0; i < threads.size(); i++) {
            if (threads.get(i).isAlive()) {
                hangs.add(new HangException(limit, threads.get(i).getStackTrace()));
                add(ranks.get(i), hangs.get(hangs.size() - 1));
            }
        }
        String lines = waits.apply(ranks.get(0));
        hangs.forEach(hang -> hang.setWaits(lines));
    }

    private void endAll() {
        closeAll();
        threads.forEach(Thread::interrupt);
        try {
            running.await(GRACE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeAll() {
        ranks.forEach(this::close);
    }
}
