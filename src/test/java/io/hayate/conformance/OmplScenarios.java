// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.ArgumentException;
import io.hayate.BusyException;
import io.hayate.ClosedException;
import io.hayate.Fmpl;
import io.hayate.HeapSpan;
import io.hayate.MemoryExhaustedException;
import io.hayate.MismatchException;
import io.hayate.Ompl;
import io.hayate.Ompl.Comparison;
import io.hayate.OmplPiece;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The global space. */
final class OmplScenarios {
    private static final int BYTES = 1 << 20;
    private static final int FLAGS = 1 << 19;

    private OmplScenarios() {
    }

    private interface Use {
        void run(Ompl ompl) throws Exception;
    }

    /** No rank closes before all are through. */
    private static void with(Rank rank, long bytes, Use use) throws Exception {
        try (Ompl ompl = Ompl.open(rank.job, bytes)) {
            use.run(ompl);
            rank.fmpl.barrier();
        }
    }

    @Scenario
    static void shouldMoveEveryKindOfMemory(Rank rank) throws Exception {
        with(rank, BYTES, ompl -> {
            int seed = 0;
            for (BufferKind kind : BufferKind.values()) {
                for (int size : new int[] {0, 8, 64, 1000, 70_000, 200_000}) {
                    try (Memory out = kind.of(rank, size).fill(rank.me + ++seed);
                            Memory in = kind.of(rank, size).clear()) {
                        ompl.put(out.span(), rank.right(), 24);
                        ompl.flush(rank.right());
                        rank.fmpl.barrier();
                        ompl.get(in.span(), rank.me, 24);
                        in.verify(rank.left() + seed, size);
                        in.clear();
                        ompl.get(in.span(), rank.right(), 24);
                        in.verify(rank.me + seed, size);
                        rank.fmpl.barrier();
                    }
                }
            }
        });
    }

    @Scenario
    static void shouldCompleteByAFlushWhatWasStarted(Rank rank) throws Exception {
        with(rank, BYTES, ompl -> {
            for (BufferKind kind : BufferKind.values()) {
                try (Memory out = kind.of(rank, 5000 * 8).fill(rank.me);
                        Memory in = kind.of(rank, 5000 * 8).clear()) {
                    ompl.putStart(out.span(), rank.right(), 8);
                    ompl.flush(rank.right());
                    rank.fmpl.barrier();
                    ompl.getStart(in.span(), rank.me, 8);
                    ompl.flush();
                    in.verify(rank.left(), 5000 * 8);
                    rank.fmpl.barrier();
                }
            }
        });
    }

    /** Is the right neighbour of another node? Where that is not the plan of a test: unknown. */
    private static boolean isFar(Rank rank, boolean unknown) {
        String plan = System.getenv("HAYATE_TEST_FAULT");
        int nodes = plan == null || !plan.contains("nodes=") ? rank.size
                : Integer.parseInt(plan.replaceAll(".*nodes=([0-9]+).*", "$1"));
        return plan == null ? unknown : rank.me % nodes != rank.right() % nodes;
    }

    /** To a rank of another node it goes on after the call, inside of a node it does not. */
    @Scenario(ranks = 2)
    static void shouldHoldWhatIsUnderWay(Rank rank) throws Exception {
        with(rank, BYTES, ompl -> {
            HeapSpan out = rank.job.allocate(4096);
            ompl.putStart(out, rank.right(), 0);
            expect(ArgumentException.class, "outside",
                    () -> ompl.putStart(out, rank.right(), BYTES));
            boolean held = false;
            try {
                out.close();
            } catch (BusyException told) {
                held = true;
                check(told.getMessage().contains("flush"), told.getMessage());
            }
            ompl.flush(rank.right());
            out.close();
            check(isFar(rank, held) == held, "held: " + held);
            for (int i = 0; i < 3000; i++) {
                ompl.putStart(Span.of(Rank.direct(64)), rank.right(), i * 64L);
            }
            HeapSpan last = rank.job.allocate(64);
            ompl.getStart(last, rank.right(), 0);
            rank.fmpl.barrier();
            ompl.close();
            last.close();
        });
    }

    /** Arrays and memory with an address in one list, some empty, in no order. */
    @Scenario
    static void shouldMoveVectorsInOneCall(Rank rank) throws Exception {
        with(rank, BYTES, ompl -> {
            List<OmplPiece> puts = new ArrayList<>();
            List<OmplPiece> gets = new ArrayList<>();
            List<byte[]> expected = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                byte[] bytes = new byte[i * 13 % 400];
                Arrays.fill(bytes, (byte) (rank.me + i + 1));
                ByteBuffer direct = Rank.direct(bytes.length).put(bytes).flip();
                long at = (100 - i) * 512L + 3;
                puts.add(new OmplPiece(i % 3 == 0 ? Span.of(direct) : Span.of(bytes), at));
                expected.add(new byte[bytes.length]);
                gets.add(new OmplPiece(Span.of(expected.get(i)), at));
            }
            ompl.putVector(rank.right(), puts);
            ompl.getVector(rank.right(), gets);
            for (int i = 0; i < 100; i++) {
                for (byte each : expected.get(i)) {
                    equal((byte) (rank.me + i + 1), each, "byte of piece " + i);
                }
            }
            ompl.putVector(rank.right(), List.of());
        });
    }

    @Scenario
    static void shouldMoveNothingOfAVectorWithAWrongPiece(Rank rank) throws Exception {
        with(rank, 1000, ompl -> {
            OmplPiece good = new OmplPiece(Span.of(new byte[] {1, 2, 3}), 0);
            Map<String, List<OmplPiece>> wrong = new LinkedHashMap<>();
            wrong.put("no list", null);
            wrong.put("no piece", Arrays.asList(good, null));
            wrong.put("no span", List.of(good, new OmplPiece(null, 0)));
            wrong.put("outside", List.of(good, new OmplPiece(Span.of(new byte[8]), 993)));
            wrong.put("before", List.of(good, new OmplPiece(Span.of(new byte[8]), -1)));
            wrong.forEach((what, list) -> expect(ArgumentException.class, what,
                    () -> ompl.putVector(rank.right(), list)));
            wrong.forEach((what, list) -> expect(ArgumentException.class, what,
                    () -> ompl.getVector(rank.right(), list)));
            expect(ArgumentException.class, "no rank",
                    () -> ompl.putVector(rank.size, List.of(good)));
            expect(ArgumentException.class, "read-only", () -> ompl.getVector(0, List.of(
                    new OmplPiece(Span.of(Rank.direct(8).asReadOnlyBuffer()), 0))));
            rank.fmpl.barrier();
            equal(0, ompl.memory().getInt(0), "what a refused vector wrote");
        });
    }

    @Scenario
    static void shouldBeginWithZerosAndShowItsPart(Rank rank) throws Exception {
        for (int round = 0; round < 2; round++) {
            with(rank, BYTES, ompl -> {
                equal(BYTES, ompl.bytes(), "size");
                for (long at = 0; at < BYTES; at += 8) {
                    equal(0, ompl.memory().getLong(at), "at " + at);
                    ompl.memory().putLong(at, -1);
                }
                rank.fmpl.barrier();
                equal(-1, ompl.fetch(rank.right(), BYTES - 8), "the last word of another");
                expect(BusyException.class, "close of the part", ompl.memory()::close);
            });
        }
    }

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
    static void shouldShowDataBeforeTheirFlag(Rank rank) throws Exception {
        with(rank, BYTES, ompl -> rounds(rank, ompl, 0, 600));
    }

    @Scenario
    static void shouldShowDataBeforeTheirFlagInThreads(Rank rank) throws Exception {
        with(rank, BYTES, ompl ->
                Threads.together(4, Threads::platform, lane -> rounds(rank, ompl, lane, 150)));
    }

    @Scenario(java = 21)
    static void shouldShowDataBeforeTheirFlagInVirtualThreads(Rank rank) throws Exception {
        with(rank, BYTES, ompl ->
                Threads.together(8, Threads::virtual, lane -> rounds(rank, ompl, lane, 60)));
    }

    private static void withEndpoints(Rank rank, int endpoints, Use use) throws Exception {
        try (Ompl ompl = Ompl.open(rank.job, BYTES, endpoints)) {
            equal(endpoints, ompl.endpoints(), "endpoints");
            use.run(ompl);
            rank.fmpl.barrier();
        }
    }

    @Scenario
    static void shouldShareFewEndpointsAmongThreads(Rank rank) throws Exception {
        for (int endpoints = 1; endpoints <= 3; endpoints++) {
            withEndpoints(rank, endpoints, ompl ->
                    Threads.together(4, Threads::platform, lane -> rounds(rank, ompl, lane, 60)));
        }
    }

    @Scenario(java = 21)
    static void shouldShareOneEndpointAmongVirtualThreads(Rank rank) throws Exception {
        withEndpoints(rank, 1, ompl ->
                Threads.together(8, Threads::virtual, lane -> rounds(rank, ompl, lane, 40)));
    }

    /** On one carrier: a virtual thread that waits for the endpoint must leave it to the other. */
    @Scenario(java = 21)
    static void shouldParkAVirtualThreadThatFindsNoEndpoint(Rank rank) throws Exception {
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
            check(ran.await(20, TimeUnit.SECONDS), "the carrier was held");
            equal(0, done.get(), "operations without an endpoint");
            ompl.flush();
            first.join();
            equal(1, done.get(), "operations with one");
            equal(5, ompl.load(200), "what was added");
        });
    }

    @Scenario
    static void shouldRefuseAWrongNumberOfEndpoints(Rank rank) {
        for (int endpoints : new int[] {-1, Ompl.MOST_ENDPOINTS + 1, Integer.MIN_VALUE}) {
            expect(ArgumentException.class, endpoints + " endpoints",
                    () -> Ompl.open(rank.job, 4096, endpoints));
        }
    }

    @Scenario
    static void shouldAddUpAtomicsOfAllRanksAndThreads(Rank rank) throws Exception {
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
    static void shouldGiveBackEveryValue(Rank rank) throws Exception {
        with(rank, 64, ompl -> {
            for (long value : new long[] {-1, -5, Long.MAX_VALUE, 0x8f1e5d3c7a96b402L, 1}) {
                ompl.swap(rank.me, 0, value);
                equal(value, ompl.load(0), "load");
                equal(value, ompl.fetch(rank.me, 0), "fetch");
            }
        });
    }

    @Scenario
    static void shouldCompareUnsignedAndStopInTime(Rank rank) throws Exception {
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
    static void shouldParkHundredsOfVirtualThreads(Rank rank) throws Exception {
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
                    Thread.yield();
                }
                for (int i = threads - 1; i >= 0; i--) {
                    ompl.putWord(rank.right(), i * 32L);
                    ompl.await(FLAGS + i * 32L);
                }
                check(!ompl.waitUntil(8, Comparison.EQ, 9, Duration.ofMillis(20)), "time");
            });
        });
    }

    @Scenario
    static void shouldEndWaitsWhenClosed(Rank rank) throws Exception {
        Ompl ompl = Ompl.open(rank.job, 4096);
        ConcurrentLinkedQueue<Throwable> thrown = new ConcurrentLinkedQueue<>();
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Runnable work = () -> {
                try {
                    ompl.await(64);
                } catch (Throwable e) {
                    thrown.add(e);
                }
            };
            boolean parks = i == 2 && Runtime.version().feature() >= 21;
            waiting.add(parks ? Threads.virtual(work) : Threads.platform(work));
        }
        rank.fmpl.barrier();
        ompl.close();
        ompl.close();
        for (Thread thread : waiting) {
            thread.join();
        }
        equal(3, thrown.stream().filter(ClosedException.class::isInstance).count(), "closed");
        Map<String, Rank.Action> calls = new LinkedHashMap<>();
        calls.put("put", () -> ompl.put(Span.of(new byte[1]), 0, 0));
        calls.put("get", () -> ompl.get(Span.of(new byte[1]), 0, 0));
        calls.put("putStart", () -> ompl.putStart(Span.of(Rank.direct(1)), 0, 0));
        calls.put("getStart", () -> ompl.getStart(Span.of(Rank.direct(1)), 0, 0));
        calls.put("putVector", () -> ompl.putVector(0, List.of()));
        calls.put("putWord", () -> ompl.putWord(0, 0));
        calls.put("putSignal", () -> ompl.putSignal(Span.of(new byte[1]), 0, 0, 0, 1));
        calls.put("fetchAdd", () -> ompl.fetchAdd(0, 0, 1));
        calls.put("load", () -> ompl.load(0));
        calls.put("await", () -> ompl.await(0));
        calls.put("flush", ompl::flush);
        calls.put("clear", () -> ompl.clear(0));
        calls.forEach((what, call) -> expect(ClosedException.class, what, call));
    }

    @Scenario
    static void shouldRefuseWrongArguments(Rank rank) throws Exception {
        expect(ArgumentException.class, "no job", () -> Ompl.open(null, 8));
        expect(ArgumentException.class, "0 bytes", () -> Ompl.open(rank.job, 0));
        expect(ArgumentException.class, "-1 bytes", () -> Ompl.open(rank.job, -1));
        with(rank, 1000, ompl -> {
            wrongPlaces(rank, ompl).forEach(
                    (what, call) -> expect(ArgumentException.class, what, call));
            wrongOthers(ompl).forEach(
                    (what, call) -> expect(ArgumentException.class, what, call));
            rank.fmpl.barrier();
            for (int i = 0; i < 1000; i++) {
                equal(0, ompl.memory().getByte(i), "byte " + i + " after refused calls");
            }
        });
    }

    private static Map<String, Rank.Action> wrongPlaces(Rank rank, Ompl ompl) {
        Map<String, Rank.Action> calls = new LinkedHashMap<>();
        Span span = Span.of(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        for (int target : new int[] {-1, rank.size, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            calls.put("put to " + target, () -> ompl.put(span, target, 0));
            calls.put("putStart to " + target, () -> ompl.putStart(span, target, 0));
            calls.put("getStart from " + target, () -> ompl.getStart(span, target, 0));
            calls.put("get from " + target, () -> ompl.get(span, target, 0));
            calls.put("putWord to " + target, () -> ompl.putWord(target, 0));
            calls.put("putSignal to " + target, () -> ompl.putSignal(span, target, 0, 0, 1));
            calls.put("swap at " + target, () -> ompl.swap(target, 0, 1));
            calls.put("flush of " + target, () -> ompl.flush(target));
        }
        for (long at : new long[] {-1, 993, 1000, Long.MAX_VALUE, Long.MIN_VALUE, -8}) {
            calls.put("put at " + at, () -> ompl.put(span, 0, at));
            calls.put("get at " + at, () -> ompl.get(span, 0, at));
            calls.put("putSignal at " + at, () -> ompl.putSignal(span, 0, at, 0, 1));
            calls.put("put with flag at " + at, () -> ompl.putSignal(span, 0, 0, at, 1));
            calls.put("await at " + at, () -> ompl.await(at));
            calls.put("load at " + at, () -> ompl.load(at));
            calls.put("swap at " + at, () -> ompl.swap(0, at, 1));
        }
        for (long at : new long[] {1, 4, 8, 24, 33, 992}) {
            calls.put("putWord at " + at, () -> ompl.putWord(0, at));
            calls.put("putFlag at " + at, () -> ompl.putFlag(0, at, 5, 6, 7, 8));
            calls.put("put with a flag at " + at, () -> ompl.putSignal(span, 0, 0, at, 1));
        }
        for (long at : new long[] {1, 4, 996}) {
            calls.put("await of " + at, () -> ompl.await(at));
            calls.put("clear of " + at, () -> ompl.clear(at));
            calls.put("fetchAdd to " + at, () -> ompl.fetchAdd(0, at, 1));
        }
        return calls;
    }

    private static Map<String, Rank.Action> wrongOthers(Ompl ompl) {
        Map<String, Rank.Action> calls = new LinkedHashMap<>();
        Span span = Span.of(new byte[8]);
        calls.put("put null", () -> ompl.put(null, 0, 0));
        calls.put("putStart null", () -> ompl.putStart(null, 0, 0));
        calls.put("getStart null", () -> ompl.getStart(null, 0, 0));
        calls.put("get null", () -> ompl.get(null, 0, 0));
        calls.put("putSignal null", () -> ompl.putSignal(null, 0, 0, 0, 1));
        calls.put("put outside of the span", () -> ompl.put(span, 1, 8, 0, 0));
        calls.put("get of -1 bytes", () -> ompl.get(span, 0, -1, 0, 0));
        calls.put("get into read-only memory",
                () -> ompl.get(Span.of(Rank.direct(8).asReadOnlyBuffer()), 0, 0));
        calls.put("no comparison", () -> ompl.waitUntil(0, null, 0));
        calls.put("no time", () -> ompl.waitUntil(0, Comparison.EQ, 1, null));
        calls.put("time before",
                () -> ompl.waitUntil(0, Comparison.EQ, 1, Duration.ofMillis(-1)));
        return calls;
    }

    @Scenario(ranks = 2)
    static void shouldNameARankThatGivesAnotherSize(Rank rank) throws Exception {
        boolean odd = rank.me == rank.size - 1;
        MismatchException told = expect(MismatchException.class, "another size",
                () -> Ompl.open(rank.job, odd ? 4097 : 4096));
        equal(odd ? 0 : rank.size - 1, told.peer(), "who");
        with(rank, 4096, ompl -> ompl.putWord(rank.right(), 0));
    }

    @Scenario
    static void shouldRefuseMoreThanTheHeapHas(Rank rank) throws Exception {
        for (long bytes : new long[] {Long.MAX_VALUE, rank.job.heapSize() + 1}) {
            expect(MemoryExhaustedException.class, bytes + " bytes",
                    () -> Ompl.open(rank.job, bytes));
        }
        with(rank, 4096, ompl -> ompl.putWord(rank.right(), 0));
    }

    /**
     * Spaces come and go, also beside each other, and leave the heap as it was, but for buffers:
     * messages between nodes make some when they first need them.
     */
    @Scenario
    static void shouldLeaveTheHeapAsItWas(Rank rank) throws Exception {
        long before = 0;
        for (int i = 0; i < 6; i++) {
            with(rank, BYTES, first -> with(rank, 4096, second -> {
                first.putWord(rank.right(), 0);
                second.putWord(rank.right(), 0);
                first.await(0);
                second.await(0);
            }));
            try (Fmpl meeting = Fmpl.init(rank.job, 1)) {
                meeting.create(true).close(); // the ranks meet
            }
            long free = rank.job.heapFree();
            before = i == 0 ? free : before;
            check(free > before - BYTES / 2, "bytes free after round " + i + ": " + free
                    + ", after the first " + before);
        }
    }
}
