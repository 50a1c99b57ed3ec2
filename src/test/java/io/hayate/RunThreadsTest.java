// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class RunThreadsTest {
    private static double sum(Hayate rank) {
        try (Fmpl fmpl = Fmpl.init(rank)) {
            double[] values = {rank.rank()};
            fmpl.allreduce(Span.of(values), Reduction.DOUBLE_SUM);
            return values[0];
        }
    }

    @Test
    void should_run_the_body_once_on_each_rank_and_close_all() {
        Set<Hayate> ranks = ConcurrentHashMap.newKeySet();
        ConcurrentLinkedQueue<Double> sums = new ConcurrentLinkedQueue<>();
        Hayate.runThreads(4, rank -> {
            ranks.add(rank);
            sums.add(sum(rank));
        });
        assertEquals(List.of(6.0, 6.0, 6.0, 6.0), List.copyOf(sums));
        assertEquals(4, ranks.size());
        ranks.forEach(rank -> assertThrows(ClosedException.class, rank::heapFree));
    }

    /** Rank 2 fails; the others wait for it in a collective, and would do so for ever. */
    @Test
    void should_name_the_rank_that_failed_and_put_consequences_last() {
        IOException why = new IOException("no file");
        RankFailedException e = assertThrows(RankFailedException.class,
                () -> Hayate.runThreads(4, rank -> {
                    if (rank.rank() == 2) {
                        throw why;
                    }
                    sum(rank);
                }));
        assertEquals("rank 2 of 4 failed: java.io.IOException: no file", e.getMessage());
        assertEquals(2, e.rank());
        assertSame(why, e.getCause());
        List<Throwable> others = Arrays.asList(e.getSuppressed());
        assertEquals(3, others.size());
        others.forEach(one -> assertInstanceOf(PeerFailedException.class, one.getCause()));
    }

    @Test
    void should_put_a_second_failure_before_the_consequences() {
        CountDownLatch first = new CountDownLatch(1);
        RankFailedException e = assertThrows(RankFailedException.class,
                () -> Hayate.runThreads(3, rank -> {
                    if (rank.rank() == 2) {
                        first.countDown();
                        throw new IllegalStateException("first");
                    } else if (rank.rank() == 0) {
                        first.await();
                        assertThrows(PeerFailedException.class, () -> sum(rank));
                        throw new AssertionError("second");
                    }
                    sum(rank);
                }));
        assertEquals("rank 2 of 3 failed: java.lang.IllegalStateException: first", e.getMessage());
        assertEquals(List.of("rank 0 of 3 failed: second",
                "rank 1 of 3"), Arrays.stream(e.getSuppressed()).map(Throwable::getMessage)
                .map(text -> text.startsWith("rank 1 of 3") ? "rank 1 of 3" : text).toList());
    }

    /** Rank 1 fails last: rank 0 learns that it has closed its FMPL, but not why. */
    @Test
    void should_name_the_rank_that_failed_even_if_a_consequence_was_recorded_before() {
        CompletableFuture<Hayate> waiting = new CompletableFuture<>();
        RankFailedException e = assertThrows(RankFailedException.class,
                () -> Hayate.runThreads(2, rank -> {
                    try (Fmpl fmpl = Fmpl.init(rank)) {
                        if (rank.rank() == 0) {
                            waiting.complete(rank);
                            fmpl.barrier();
                        }
                    }
                    while (!waiting.get().toString().contains("closed")) {
                        Thread.onSpinWait();
                    }
                    throw new IllegalStateException("no matrix");
                }));
        assertEquals("rank 1 of 2 failed: java.lang.IllegalStateException: no matrix",
                e.getMessage());
        assertInstanceOf(PeerFailedException.class, e.getSuppressed()[0].getCause());
    }

    @Test
    void should_name_the_earlier_one_of_two_failures_that_name_each_other() {
        CompletableFuture<Hayate> earlier = new CompletableFuture<>();
        RankFailedException e = assertThrows(RankFailedException.class,
                () -> Hayate.runThreads(2, rank -> {
                    if (rank.rank() == 1) {
                        earlier.complete(rank);
                    }
                    while (rank.rank() == 0 && !earlier.get().toString().contains("closed")) {
                        Thread.onSpinWait();
                    }
                    throw new PeerFailedException("of the test", 1 - rank.rank());
                }));
        assertEquals(1, e.rank());
    }

    @Test
    void should_end_all_ranks_when_the_caller_is_interrupted() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(2);
        AtomicReference<Object> result = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                Hayate.runThreads(2, rank -> {
                    inside.countDown();
                    try (Fmpl fmpl = Fmpl.init(rank)) {
                        fmpl.recv(Span.of(new byte[8]), 1 - rank.rank(), 0);
                    }
                });
            } catch (RankFailedException e) {
                result.set(e.getCause().getClass());
            }
            result.compareAndSet(ClosedException.class,
                    Thread.currentThread().isInterrupted() ? "interrupted" : "not interrupted");
            result.compareAndSet(PeerFailedException.class,
                    Thread.currentThread().isInterrupted() ? "interrupted" : "not interrupted");
        });
        caller.start();
        inside.await();
        caller.interrupt();
        caller.join();
        assertEquals("interrupted", result.get());
    }

    @Test
    void should_refuse_a_job_without_ranks_or_body() {
        assertThrows(ArgumentException.class, () -> Hayate.runThreads(0, rank -> { }));
        ArgumentException e =
                assertThrows(ArgumentException.class, () -> Hayate.runThreads(2, null));
        assertTrue(e.reason().contains("body"), e.reason());
    }
}
