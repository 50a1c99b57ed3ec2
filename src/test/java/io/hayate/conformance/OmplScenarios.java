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

/** The global space: its data, its arguments, and its lifetime. */
final class OmplScenarios {
    private static final int BYTES = 1 << 20;

    interface Use {
        void run(Ompl ompl) throws Exception;
    }

    /** No rank closes before all are through. */
    static void with(Rank rank, long bytes, Use use) throws Exception {
        try (Ompl ompl = Ompl.open(rank.job, bytes)) {
            use.run(ompl);
            rank.fmpl.barrier();
        }
    }

    @Scenario
    static void should_move_every_kind_of_memory(Rank rank) throws Exception {
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
    static void should_complete_by_a_flush_what_was_started(Rank rank) throws Exception {
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
    static void should_hold_what_is_under_way(Rank rank) throws Exception {
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

    /** Whatever other threads flush and are refused meanwhile. */
    @Scenario(ranks = 2)
    static void should_give_back_what_was_under_way_by_the_flush_of_its_thread(Rank rank)
            throws Exception {
        with(rank, BYTES, ompl -> Threads.together(4, Threads::platform, lane -> {
            for (int round = 0; round < 100; round++) {
                HeapSpan out = rank.job.allocate(64);
                ompl.putStart(out, rank.right(), lane * 64L);
                if (round % 3 == 0) {
                    expect(ArgumentException.class, "outside",
                            () -> ompl.putStart(out, rank.right(), BYTES));
                }
                if (round % 2 == 0) {
                    ompl.flush();
                } else {
                    ompl.flush(rank.right());
                }
                out.close();
            }
        }));
    }

    /** Arrays and memory with an address in one list, some empty, in no order. */
    @Scenario
    static void should_move_vectors_in_one_call(Rank rank) throws Exception {
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
    static void should_move_nothing_of_a_vector_with_a_wrong_piece(Rank rank) throws Exception {
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
    static void should_begin_with_zeros_and_show_its_part(Rank rank) throws Exception {
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

    @Scenario
    static void should_end_waits_when_closed(Rank rank) throws Exception {
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
    static void should_refuse_wrong_arguments(Rank rank) throws Exception {
        expect(ArgumentException.class, "no job", () -> Ompl.open(null, 8));
        expect(ArgumentException.class, "0 bytes", () -> Ompl.open(rank.job, 0));
        expect(ArgumentException.class, "-1 bytes", () -> Ompl.open(rank.job, -1));
        with(rank, 1000, ompl -> {
            wrongPlaces(rank, ompl).forEach(
                    (what, call) -> expect(ArgumentException.class, what, call));
            wrongOthers(ompl).forEach((what, call) -> expect(ArgumentException.class, what, call));
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
        calls.put("time before", () -> ompl.waitUntil(0, Comparison.EQ, 1, Duration.ofMillis(-1)));
        return calls;
    }

    @Scenario(ranks = 2)
    static void should_name_a_rank_that_gives_another_size(Rank rank) throws Exception {
        boolean odd = rank.me == rank.size - 1;
        MismatchException told = expect(MismatchException.class, "another size",
                () -> Ompl.open(rank.job, odd ? 4097 : 4096));
        equal(odd ? 0 : rank.size - 1, told.peer(), "who");
        with(rank, 4096, ompl -> ompl.putWord(rank.right(), 0));
    }

    @Scenario
    static void should_refuse_more_than_the_heap_has(Rank rank) throws Exception {
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
    static void should_leave_the_heap_as_it_was(Rank rank) throws Exception {
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
