// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.OmplScenarios.with;
import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.ArgumentException;
import io.hayate.Ompl;
import io.hayate.Ompl.Comparison;
import io.hayate.Span;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Flags, atomics and waits of the global space, in threads and by few endpoints. */
final class OmplFlagScenarios {
    private static final int BYTES = 1 << 20;
    private static final int FLAGS = 1 << 19;

    /** Lengths and content follow from the round; a round begins when the last one was taken. */
    private static void rounds(Rank rank, Ompl ompl, int lane, int count) {
        long slot = lane * 40_000L;
        long flag = FLAGS + lane * 64L;
        long taken = FLAGS + 8192 + lane * 64L;
        for (int round = 1; round <= count; round++) {
            int size = round % 3 == 0 ? round * 977 % 4000 * 8 : round % 25 * 8;
            BufferKind kind = round % 2 == 0 ? BufferKind.LONGS : BufferKind.DIRECT;
            try (Memory out = kind.of(rank, size).fill(rank.me + round + lane);
                    Memory in = kind.of(rank, size).clear()) {
                if (round % 5 == 0) {
                    ompl.put(out.span(), rank.right(), slot);
                    ompl.putFlag(rank.right(), flag, round, size, ~round, lane);
                } else if (round % 5 == 1) {
                    ompl.put(out.span(), rank.right(), slot);
                    equal(round - 1, ompl.fetchAdd(rank.right(), flag, 1), "flag before");
                } else {
                    ompl.putSignal(out.span(), rank.right(), slot, flag, round);
                }
                ompl.waitUntil(flag, Comparison.EQ, round);
                if (round % 5 == 0) {
                    equal(size, ompl.memory().getLong(flag + 8), "first");
                    equal(~round, ompl.memory().getLong(flag + 16), "second");
                    equal(lane, ompl.memory().getLong(flag + 24), "third");
                }
                ompl.get(in.span(), rank.me, slot);
                in.verify(rank.left() + round + lane, size);
                ompl.putFlag(rank.left(), taken, round);
                ompl.waitUntil(taken, Comparison.EQ, round);
            }
        }
    }

    @Scenario
    static void should_show_data_before_their_flag(Rank rank) throws Exception {
        with(rank, BYTES, ompl -> rounds(rank, ompl, 0, 600));
    }

    @Scenario
    static void should_show_data_before_their_flag_in_threads(Rank rank) throws Exception {
        with(rank, BYTES, ompl ->
                Threads.together(4, Threads::platform, lane -> rounds(rank, ompl, lane, 150)));
    }

    @Scenario(java = 21)
    static void should_show_data_before_their_flag_in_virtual_threads(Rank rank) throws Exception {
        with(rank, BYTES, ompl ->
                Threads.together(8, Threads::virtual, lane -> rounds(rank, ompl, lane, 60)));
    }

    private static void withEndpoints(Rank rank, int endpoints, OmplScenarios.Use use)
            throws Exception {
        try (Ompl ompl = Ompl.open(rank.job, BYTES, endpoints)) {
            equal(endpoints, ompl.endpoints(), "endpoints");
            use.run(ompl);
            rank.fmpl.barrier();
        }
    }

    @Scenario
    static void should_share_few_endpoints_among_threads(Rank rank) throws Exception {
        for (int endpoints = 1; endpoints <= 3; endpoints++) {
            withEndpoints(rank, endpoints, ompl ->
                    Threads.together(4, Threads::platform, lane -> rounds(rank, ompl, lane, 60)));
        }
    }

    @Scenario(java = 21)
    static void should_share_one_endpoint_among_virtual_threads(Rank rank) throws Exception {
        withEndpoints(rank, 1, ompl ->
                Threads.together(8, Threads::virtual, lane -> rounds(rank, ompl, lane, 40)));
    }

    /** On one carrier: a virtual thread that waits for the endpoint must leave it to the other. */
    @Scenario(java = 21)
    static void should_park_a_virtual_thread_that_finds_no_endpoint(Rank rank) throws Exception {
        withEndpoints(rank, 1, ompl -> {
            ompl.putStart(Span.of(Rank.direct(8)), rank.me, 0);
            CountDownLatch waiting = new CountDownLatch(1);
            CountDownLatch ran = new CountDownLatch(1);
            AtomicInteger done = new AtomicInteger();
            Thread first = Threads.virtual(() -> {
                waiting.countDown();
                ompl.put(Span.of(new byte[] {1}), rank.me, 100);
                equal(0, ompl.fetchAdd(rank.me, 200, 5), "before");
                done.incrementAndGet();
            });
            waiting.await();
            Threads.virtual(ran::countDown);
            check(ran.await(120, TimeUnit.SECONDS), "the carrier was held");
            equal(0, done.get(), "operations without an endpoint");
            ompl.flush();
            first.join();
            equal(1, done.get(), "operations with one");
            equal(5, ompl.load(200), "what was added");
        });
    }

    @Scenario
    static void should_refuse_a_wrong_number_of_endpoints(Rank rank) {
        for (int endpoints : new int[] {-1, Ompl.MOST_ENDPOINTS + 1, Integer.MIN_VALUE}) {
            expect(ArgumentException.class, endpoints + " endpoints",
                    () -> Ompl.open(rank.job, 4096, endpoints));
        }
    }

    @Scenario
    static void should_add_up_atomics_of_all_ranks_and_threads(Rank rank) throws Exception {
        int threads = 3;
        int adds = 500;
        with(rank, BYTES, ompl -> {
            Threads.together(threads, Threads::platform, number -> {
                long mine = (long) rank.me * threads + number;
                for (int i = 0; i < adds; i++) {
                    ompl.fetchAdd(0, 0, mine + 1);
                    long seen = ompl.fetch(0, 8);
                    for (long before = ~seen; before != seen; ) {
                        before = seen;
                        seen = ompl.compareSwap(0, 8, before, before + 3);
                    }
                }
                equal(0, ompl.fetchOr(0, 16, 1L << mine) >> mine & 1, "my bit");
            });
            rank.fmpl.barrier();
            long all = (long) rank.size * threads;
            equal(adds * all * (all + 1) / 2, ompl.fetch(0, 0), "sum");
            equal(3 * adds * all, ompl.fetch(0, 8), "swapped");
            equal((1L << all) - 1, ompl.fetch(0, 16), "bits");
            equal(0, ompl.swap(rank.me, 24, Long.MIN_VALUE), "before a swap");
            equal(Long.MIN_VALUE, ompl.fetchAnd(rank.me, 24, 7), "before an and");
            equal(0, ompl.load(24), "after an and");
        });
    }

    /** Any 64 bits come back from an atomic, also what stands for a failure inside. */
    @Scenario
    static void should_give_back_every_value(Rank rank) throws Exception {
        with(rank, 64, ompl -> {
            for (long value : new long[] {-1, -5, Long.MAX_VALUE, 0x8f1e5d3c7a96b402L, 1}) {
                ompl.swap(rank.me, 0, value);
                equal(value, ompl.load(0), "load");
                equal(value, ompl.fetch(rank.me, 0), "fetch");
            }
        });
    }

    @Scenario
    static void should_compare_unsigned_and_stop_in_time(Rank rank) throws Exception {
        with(rank, 64, ompl -> {
            ompl.swap(rank.me, 8, -5);
            boolean[] holds = {false, true, true, true, false, false};
            for (Comparison comparison : Comparison.values()) {
                check(holds[comparison.ordinal()]
                        == ompl.waitUntil(8, comparison, 5, Duration.ZERO), comparison + "");
            }
            for (int millis : new int[] {1, 30, 120}) {
                long begun = System.nanoTime();
                check(!ompl.waitUntil(0, Comparison.NE, 0, Duration.ofMillis(millis)), "time");
                check(System.nanoTime() - begun >= millis * 1_000_000L, "came back too soon");
            }
            check(!ompl.poll(0) && ompl.poll(8), "poll");
            ompl.clear(8);
            check(!ompl.poll(8), "poll of what was cleared");
        });
    }

    /** On one carrier: if one held it, the thread that is woken first would never run. */
    @Scenario(java = 21)
    static void should_park_hundreds_of_virtual_threads(Rank rank) throws Exception {
        int threads = 200;
        with(rank, BYTES, ompl -> {
            AtomicInteger started = new AtomicInteger();
            Threads.together(threads + 1, Threads::virtual, number -> {
                if (number < threads) {
                    started.incrementAndGet();
                    ompl.await(number * 32L);
                    ompl.putWord(rank.left(), FLAGS + number * 32L);
                    return;
                }
                while (started.get() < threads) {
                    Threads.pause();
                }
                for (int i = threads - 1; i >= 0; i--) {
                    ompl.putWord(rank.right(), i * 32L);
                    ompl.await(FLAGS + i * 32L);
                }
                check(!ompl.waitUntil(8, Comparison.EQ, 9, Duration.ofMillis(20)), "time");
            });
        });
    }
}
