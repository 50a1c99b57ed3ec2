// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An exchange among threads of this JVM. */
final class MemoryExchange implements Exchange {
    /** What a thread does as a rank. */
    @FunctionalInterface
    interface Body<T> {
        T run(int rank, Exchange exchange) throws Exception;
    }

    private final CyclicBarrier barrier;
    private final List<List<byte[]>> rounds = new ArrayList<>();
    private List<byte[]> records;
    private final int size;

    MemoryExchange(int size) {
        this.size = size;
        barrier = new CyclicBarrier(size, this::next);
        records = new ArrayList<>();
    }

    private void next() {
        rounds.add(records);
        records = new ArrayList<>();
    }

    @Override
    public List<byte[]> allgather(byte[] record) throws InterruptedException, TimeoutException,
            BrokenBarrierException {
        int round;
        synchronized (this) {
            round = rounds.size();
            records.add(record.clone());
        }
        barrier.await(60, TimeUnit.SECONDS);
        return rounds.get(round);
    }

    /** Runs a body on each rank, each in a thread, and returns their results in order. */
    static <T> List<T> run(int size, Body<T> body) throws Exception {
        MemoryExchange exchange = new MemoryExchange(size);
        ExecutorService threads = Executors.newFixedThreadPool(size);
        try {
            List<Callable<T>> all = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                int mine = rank;
                all.add(() -> body.run(mine, exchange));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : threads.invokeAll(all)) {
                results.add(one.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    /** Runs a body as above, and returns what it threw on each rank. */
    static List<Throwable> failures(int size, Body<?> body) throws Exception {
        return Arrays.asList(run(size, (rank, exchange) -> {
            try {
                body.run(rank, exchange);
                return null;
            } catch (Throwable e) {
                return e;
            }
        }).toArray(Throwable[]::new));
    }
}
