// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Threads that all execute their part of a batch and then wait for the next batch. */
public final class Team {
    /** The part of one thread. */
    public interface Work {
        /** Executes {@code turns} turns of a thread. */
        void run(int thread, int turns);
    }

    private static final int NONE = -1;

    private final Work work;
    private final CyclicBarrier begin;
    private final CyclicBarrier end;
    private volatile int turns;

    /** Starts the threads. */
    public Team(int threads, Work work) {
        this.work = work;
        this.begin = new CyclicBarrier(threads + 1);
        this.end = new CyclicBarrier(threads + 1);
        for (int i = 0; i < threads; i++) {
            int number = i;
            Thread thread = new Thread(() -> serve(number), "rate-" + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Runs one batch on all threads. */
    public void run(int batch) {
        turns = batch;
        meet(begin);
        meet(end);
    }

    /** Ends the threads after the last batch. */
    public void end() {
        turns = NONE;
        meet(begin);
    }

    /**
     * The failure of a thread ends the process, and the launcher then ends the other ranks;
     * otherwise the other threads and the peer would wait forever.
     */
    private void serve(int number) {
        try {
            while (true) {
                meet(begin);
                if (turns == NONE) {
                    return;
                }
                work.run(number, turns);
                meet(end);
            }
        } catch (RuntimeException e) {
            System.err.println("hayate perf: thread " + number + ": " + e.getMessage());
            Runtime.getRuntime().halt(1);
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }
}
