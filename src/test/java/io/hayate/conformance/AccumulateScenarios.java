// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.OmplScenarios.with;
import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.ArgumentException;
import io.hayate.ClosedException;
import io.hayate.Element;
import io.hayate.Ompl;
import io.hayate.Reducer;
import io.hayate.Reduction;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Accumulates into the global space. */
final class AccumulateScenarios {
    private static final int BYTES = 1 << 20;
    private static final int LENGTH = 5000;

    /** Of each kind of memory, from one element to several pieces. */
    @Scenario
    static void should_add_from_every_kind_of_memory(Rank rank) throws Exception {
        with(rank, BYTES, ompl -> {
            for (BufferKind kind : BufferKind.values()) {
                for (int ints : new int[] {0, 1, 2, 63, 1000, 20_000}) {
                    addFrom(rank, ompl, kind, ints);
                }
            }
        });
    }

    /** Ints that grow by one with each rank to the right, to which those of the left are added. */
    private static void addFrom(Rank rank, Ompl ompl, BufferKind kind, int ints) {
        for (int i = 0; i < ints; i++) {
            ompl.memory().putInt(64 + 4L * i, 1000 * rank.me + i);
        }
        rank.fmpl.barrier();
        ByteBuffer content = Rank.direct(4 * ints);
        for (int i = 0; i < ints; i++) {
            content.putInt(4 * i, 7 * rank.me + 2 * i);
        }
        try (Memory from = kind.of(rank, 4 * ints);
                Memory before = kind.of(rank, 4 * ints).clear()) {
            from.put(content);
            Span operands = from.span().as(Element.INT);
            ompl.getAccumulate(operands, before.span().as(Element.INT), rank.right(), 64,
                    Reduction.INT_SUM);
            ByteBuffer seen = before.get();
            for (int i = 0; i < ints; i++) {
                equal(1000 * rank.right() + i, seen.getInt(4 * i), kind + ", previous " + i);
            }
            ompl.accumulate(operands, rank.right(), 64, Reduction.INT_SUM);
        }
        ompl.flush(rank.right());
        rank.fmpl.barrier();
        for (int i = 0; i < ints; i++) {
            equal(1000 * rank.me + i + 2 * (7 * rank.left() + 2 * i),
                    ompl.memory().getInt(64 + 4L * i), kind + ", sum " + i + " of " + ints);
        }
        equal(0, ompl.memory().getInt(60), "before the elements");
        rank.fmpl.barrier();
    }

    @Scenario
    static void should_lose_nothing_of_what_threads_of_all_ranks_add(Rank rank) throws Exception {
        with(rank, BYTES, ompl -> {
            int threads = 3;
            int rounds = 60;
            Threads.together(threads, Threads::platform, lane -> addOften(rank, ompl, rounds));
            ompl.flush();
            rank.fmpl.barrier();
            for (int i = 0; i < LENGTH; i++) {
                double sum = rank.me == 0 ? 0.5 * rank.size * threads * rounds : 0;
                check(sum == ompl.memory().getDouble(8L * i), "sum " + i + " is "
                        + ompl.memory().getDouble(8L * i) + ", expected " + sum);
            }
            int last = rank.me == rank.size - 1 ? rank.size * threads * rounds : 0;
            equal(last, ompl.memory().getLong(8L * LENGTH), "count");
        });
    }

    @Scenario(java = 21)
    static void should_lose_nothing_of_what_virtual_threads_add(Rank rank) throws Exception {
        with(rank, BYTES, ompl -> {
            Threads.together(20, Threads::virtual, lane -> addOften(rank, ompl, 10));
            ompl.flush();
            rank.fmpl.barrier();
            int last = rank.me == rank.size - 1 ? rank.size * 200 : 0;
            equal(last, ompl.memory().getLong(8L * LENGTH), "count");
        });
    }

    private static void addOften(Rank rank, Ompl ompl, int rounds) {
        double[] halves = new double[LENGTH];
        Arrays.fill(halves, 0.5);
        Span operands = Span.of(halves);
        long before = -1;
        for (int i = 0; i < rounds; i++) {
            ompl.accumulate(operands, 0, 0, Reduction.DOUBLE_SUM);
            long count = ompl.fetchAndOp(rank.size - 1, 8L * LENGTH, 1, Reduction.LONG_SUM);
            check(count > before, "the count went from " + before + " to " + count);
            before = count;
        }
    }

    /** Each rank has its own elements of the next one. */
    @Scenario
    static void should_operate_on_one_element(Rank rank) throws Exception {
        with(rank, 4096, ompl -> {
            int to = rank.right();
            equal(0, ompl.fetchAndOp(to, 4, -5, Reduction.INT_SUM), "first");
            equal(-5, ompl.fetchAndOp(to, 4, 3, Reduction.INT_MAX), "sum");
            equal(3, ompl.fetchAndOp(to, 4, 6, Reduction.INT_BXOR), "maximum");
            equal(5, ompl.fetchAndOp(to, 4, 0, Reduction.INT_LAND), "exclusive or");
            equal(0, ompl.fetchAndOp(to, 8, Long.MIN_VALUE, Reduction.LONG_SUM), "long");
            equal(Long.MIN_VALUE, ompl.fetchAndOp(to, 8, 1, Reduction.LONG_PROD), "long after");
            check(ompl.fetchAndOp(to, 16, 0.25, Reduction.DOUBLE_SUM) == 0, "double");
            check(ompl.fetchAndOp(to, 16, -2.0, Reduction.DOUBLE_MIN) == 0.25, "sum of doubles");
            check(ompl.fetchAndOp(to, 24, 1.5, Reduction.FLOAT_SUM) == 0, "float");
            check(ompl.fetchAndOp(to, 24, 2.0, Reduction.FLOAT_PROD) == 1.5, "sum of floats");
            equal(0, ompl.compareAndSwap(to, 28, 0, -7, Element.INT), "swapped");
            equal(-7, ompl.compareAndSwap(to, 28, 0, 1, Element.INT), "not swapped");
            equal(0, ompl.compareAndSwap(to, 32, 0, 0x8f1e5d3c7a96b402L, Element.LONG), "long");
            equal(0x8f1e5d3c7a96b402L, ompl.compareAndSwap(to, 32, 0, 1, Element.LONG), "not it");
            equal(0, ompl.fetchAndOp(to, 40, -5, Reduction.SHORT_SUM), "short");
            equal(-5, ompl.fetchAndOp(to, 40, 1, Reduction.SHORT_SUM), "signed");
            equal(0, ompl.fetchAndOp(to, 42, -5, Reduction.CHAR_SUM), "char");
            equal(0xfffb, ompl.fetchAndOp(to, 42, 1, Reduction.CHAR_SUM), "not signed");
            equal(0, ompl.compareAndSwap(to, 44, 0, 0xffff, Element.CHAR), "char swapped");
            equal(0xffff, ompl.compareAndSwap(to, 44, 0, 1, Element.CHAR), "char not swapped");
            ompl.flush(to);
            rank.fmpl.barrier();
            equal(0, ompl.memory().getInt(4), "logical and");
            equal(-2L, (long) ompl.memory().getDouble(16), "minimum");
            equal(3, (long) ompl.memory().getFloat(24), "product of floats");
            equal(-7, ompl.memory().getInt(28), "int");
        });
    }

    @Scenario
    static void should_combine_pairs_with_their_locations(Rank rank) throws Exception {
        with(rank, 4096, ompl -> {
            ByteBuffer pair = Rank.direct(Reduction.DOUBLE_MAX_LOC.elementBytes());
            pair.putDouble(0, rank.me % 2 == 0 ? 5 : 3);
            pair.putInt(Reduction.DOUBLE_MAX_LOC.locationOffset(), rank.me);
            ompl.accumulate(Span.of(pair), 0, 64, Reduction.DOUBLE_MAX_LOC);
            ompl.flush(0);
            rank.fmpl.barrier();
            if (rank.me == 0) {
                equal(5, (long) ompl.memory().getDouble(64), "maximum");
                equal(0, ompl.memory().getInt(72), "the smallest rank that has it");
            }
        });
    }

    /** Each long is that of some rank, whatever its neighbours are. */
    @Scenario
    static void should_replace_whole_elements(Rank rank) throws Exception {
        with(rank, BYTES, ompl -> {
            long[] mine = new long[LENGTH];
            Arrays.fill(mine, 0x0101010101010101L * (rank.me + 1));
            long[] seen = new long[LENGTH];
            for (int i = 0; i < 50; i++) {
                ompl.putAtomic(Span.of(mine), 0, 8);
                ompl.getAtomic(Span.of(seen), 0, 8);
                verify(rank, seen);
                Arrays.fill(seen, 0);
                ompl.exchange(Span.of(mine), Span.of(seen), 0, 8);
                verify(rank, seen);
            }
        });
    }

    private static void verify(Rank rank, long[] seen) {
        for (long each : seen) {
            long value = each & 0xff;
            check(value >= 1 && value <= rank.size && each == 0x0101010101010101L * value,
                    "mixed: " + Long.toHexString(each));
        }
    }

    @Scenario
    static void should_refuse_wrong_arguments(Rank rank) throws Exception {
        with(rank, 1000, ompl -> {
            Map<String, Rank.Action> calls = wrongPlaces(rank, ompl);
            calls.putAll(wrongElements(ompl));
            calls.forEach((what, call) -> expect(ArgumentException.class, what, call));
            try (Reduction custom = Reduction.of(rank.fmpl, 8, (Reducer) (inout, in, n) -> { })) {
                expect(ArgumentException.class, "custom",
                        () -> ompl.accumulate(Span.of(new long[1]), 0, 0, custom));
            }
            rank.fmpl.barrier();
            for (int i = 0; i < 1000; i++) {
                equal(0, ompl.memory().getByte(i), "byte " + i + " after refused calls");
            }
        });
        Ompl closed = Ompl.open(rank.job, 64);
        rank.fmpl.barrier();
        closed.close();
        Span one = Span.of(new long[] {1});
        expect(ClosedException.class, "accumulate",
                () -> closed.accumulate(one, 0, 0, Reduction.LONG_SUM));
        expect(ClosedException.class, "fetchAndOp",
                () -> closed.fetchAndOp(0, 0, 1, Reduction.LONG_SUM));
        expect(ClosedException.class, "exchange", () -> closed.exchange(one, one, 0, 0));
    }

    private static Map<String, Rank.Action> wrongPlaces(Rank rank, Ompl ompl) {
        Map<String, Rank.Action> calls = new LinkedHashMap<>();
        Span span = Span.of(new long[] {1});
        for (int target : new int[] {-1, rank.size, Integer.MIN_VALUE}) {
            calls.put("accumulate to " + target,
                    () -> ompl.accumulate(span, target, 0, Reduction.LONG_SUM));
            calls.put("fetchAndOp of " + target,
                    () -> ompl.fetchAndOp(target, 0, 1, Reduction.LONG_SUM));
            calls.put("compareAndSwap of " + target,
                    () -> ompl.compareAndSwap(target, 0, 0, 1, Element.LONG));
            calls.put("putAtomic to " + target, () -> ompl.putAtomic(span, target, 0));
        }
        for (long at : new long[] {-8, 1, 4, 996, 1000, Long.MAX_VALUE, Long.MIN_VALUE}) {
            calls.put("accumulate at " + at,
                    () -> ompl.accumulate(span, 0, at, Reduction.LONG_SUM));
            calls.put("fetchAndOp at " + at,
                    () -> ompl.fetchAndOp(0, at, 1.0, Reduction.DOUBLE_SUM));
            calls.put("compareAndSwap at " + at,
                    () -> ompl.compareAndSwap(0, at, 0, 1, Element.LONG));
        }
        calls.put("putAtomic at 993", () -> ompl.putAtomic(span, 0, 993));
        calls.put("getAtomic at -1", () -> ompl.getAtomic(span, 0, -1));
        return calls;
    }

    private static Map<String, Rank.Action> wrongElements(Ompl ompl) {
        Map<String, Rank.Action> calls = new LinkedHashMap<>();
        Span longs = Span.of(new long[] {1, 2});
        calls.put("null", () -> ompl.accumulate(null, 0, 0, Reduction.LONG_SUM));
        calls.put("no reduction", () -> ompl.accumulate(longs, 0, 0, null));
        calls.put("another type", () -> ompl.accumulate(longs, 0, 0, Reduction.DOUBLE_SUM));
        calls.put("half an element",
                () -> ompl.accumulate(Span.of(new byte[12]), 0, 0, Reduction.LONG_SUM));
        calls.put("no memory", () -> ompl.getAccumulate(longs, null, 0, 0, Reduction.LONG_SUM));
        calls.put("less memory", () -> ompl.getAccumulate(
                longs, Span.of(new long[1]), 0, 0, Reduction.LONG_SUM));
        calls.put("read-only", () -> ompl.getAtomic(
                Span.of(Rank.direct(8).asReadOnlyBuffer()), 0, 0));
        calls.put("other lengths", () -> ompl.exchange(longs, Span.of(new long[3]), 0, 0));
        calls.put("double of ints", () -> ompl.fetchAndOp(0, 0, 1.0, Reduction.INT_SUM));
        calls.put("long of doubles", () -> ompl.fetchAndOp(0, 0, 1L, Reduction.DOUBLE_SUM));
        calls.put("pair", () -> ompl.fetchAndOp(0, 0, 1L, Reduction.LONG_MAX_LOC));
        calls.put("complex", () -> ompl.fetchAndOp(0, 0, 1.0, Reduction.COMPLEX_FLOAT_SUM));
        calls.put("swap of doubles", () -> ompl.compareAndSwap(0, 0, 0, 1, Element.DOUBLE));
        calls.put("swap of nothing", () -> ompl.compareAndSwap(0, 0, 0, 1, null));
        return calls;
    }
}
