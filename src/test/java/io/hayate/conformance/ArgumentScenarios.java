// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.ArgumentException;
import io.hayate.BusyException;
import io.hayate.ClosedException;
import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.HayateException;
import io.hayate.HeapSpan;
import io.hayate.Reduction;
import io.hayate.Request;
import io.hayate.Span;
import io.hayate.StateException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Invalid calls: each throws its exception, and changes nothing. */
final class ArgumentScenarios {
    @Scenario
    static void should_refuse_wrong_arguments(Rank rank) {
        wrongMessages(rank).forEach(ArgumentScenarios::refuse);
        wrongCollectives(rank).forEach(ArgumentScenarios::refuse);
        wrongMemory(rank).forEach(ArgumentScenarios::refuse);
        wrongOthers(rank).forEach(ArgumentScenarios::refuse);
        stillWorks(rank);
    }

    private static void refuse(String what, Rank.Action call) {
        equal(-1, expect(ArgumentException.class, what, call).code(), "code of " + what);
    }

    private static Map<String, Rank.Action> wrongMessages(Rank rank) {
        Fmpl fmpl = rank.fmpl;
        Span span = Span.of(new byte[64]);
        Span readOnly = Span.of(Rank.direct(64).asReadOnlyBuffer());
        Map<String, Rank.Action> calls = new LinkedHashMap<>();
        calls.put("send null", () -> fmpl.send(null, 0, 0));
        calls.put("recv null", () -> fmpl.recv(null, 0, 0));
        calls.put("isend null", () -> fmpl.isend(null, 0, 0));
        calls.put("irecv null", () -> fmpl.irecv(null, 0, 0));
        for (int peer : new int[] {-1, rank.size, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            calls.put("send to " + peer, () -> fmpl.send(span, peer, 0));
            calls.put("recv from " + peer, () -> fmpl.recv(span, peer, 0));
            calls.put("isend to " + peer, () -> fmpl.isend(span, peer, 0));
            calls.put("irecv from " + peer, () -> fmpl.irecv(span, peer, 0));
        }
        for (int mai : new int[] {-1, Fmpl.DEFAULT_COUNT, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            calls.put("send on " + mai, () -> fmpl.send(span, 0, mai));
            calls.put("recv on " + mai, () -> fmpl.recv(span, 0, mai));
            calls.put("irecv on " + mai, () -> fmpl.irecv(span, 0, mai));
        }
        long[][] ranges = {{-1, 1}, {0, -1}, {0, 65}, {64, 1}, {65, 0}, {Long.MAX_VALUE, 1},
            {1, Long.MAX_VALUE}, {Long.MAX_VALUE, Long.MAX_VALUE}, {Long.MIN_VALUE, 1},
            {Long.MIN_VALUE, Long.MIN_VALUE}};
        Communicator world = fmpl.world();
        for (long[] range : ranges) {
            String text = range[1] + " bytes from " + range[0];
            calls.put("send " + text, () -> fmpl.send(span, range[0], range[1], 0, 0));
            calls.put("recv " + text, () -> fmpl.recv(span, range[0], range[1], 0, 0));
            calls.put("isend " + text, () -> fmpl.isend(span, range[0], range[1], 0, 0));
            calls.put("irecv " + text, () -> fmpl.irecv(span, range[0], range[1], 0, 0));
            calls.put("bcast " + text, () -> fmpl.bcast(span, range[0], range[1], 0, world));
            calls.put("allreduce " + text, () -> fmpl.allreduce(
                    span, range[0], range[1], Reduction.DOUBLE_SUM, world));
            calls.put("slice " + text, () -> span.slice(range[0], range[1]));
        }
        calls.put("recv read-only", () -> fmpl.recv(readOnly, 0, 0));
        calls.put("irecv read-only", () -> fmpl.irecv(readOnly, 0, 0));
        return calls;
    }

    private static Map<String, Rank.Action> wrongCollectives(Rank rank) {
        Fmpl fmpl = rank.fmpl;
        Communicator world = fmpl.world();
        Span span = Span.of(new double[8]);
        ByteBuffer memory = Rank.direct(65);
        Map<String, Rank.Action> calls = new LinkedHashMap<>();
        for (int root : new int[] {-1, rank.size, Integer.MIN_VALUE}) {
            calls.put("bcast from " + root, () -> fmpl.bcast(span, root));
            calls.put("hbcast from " + root, () -> fmpl.hbcast(span, root));
            calls.put("reduce to " + root, () -> fmpl.reduce(span, Reduction.DOUBLE_SUM, root));
        }
        calls.put("bcast null", () -> fmpl.bcast(null, 0));
        calls.put("allreduce null", () -> fmpl.allreduce(null, Reduction.DOUBLE_SUM));
        calls.put("no reduction", () -> fmpl.allreduce(span, null));
        calls.put("no communicator", () -> fmpl.barrier(null));
        calls.put("bcast on no communicator", () -> fmpl.bcast(span, 0, null));
        calls.put("half an element",
                () -> fmpl.allreduce(Span.of(new byte[12]), Reduction.DOUBLE_SUM));
        calls.put("misaligned", () -> fmpl.allreduce(
                Span.of(memory.slice(1, 64)), Reduction.DOUBLE_SUM));
        calls.put("count -1", () -> fmpl.allreduce(span, 0, -1, Reduction.DOUBLE_SUM, world));
        calls.put("count 9", () -> fmpl.allreduce(span, 0, 9, Reduction.DOUBLE_SUM, world));
        calls.put("count 2^61",
                () -> fmpl.allreduce(span, 0, 1L << 61, Reduction.DOUBLE_SUM, world));
        calls.put("read-only", () -> fmpl.allreduce(
                Span.of(Rank.direct(64).asReadOnlyBuffer()), Reduction.DOUBLE_SUM));
        return calls;
    }

    private static Map<String, Rank.Action> wrongMemory(Rank rank) {
        HeapSpan span = rank.job.allocate(64);
        Map<String, Rank.Action> calls = new LinkedHashMap<>();
        for (long bytes : new long[] {0, -1, Long.MIN_VALUE}) {
            calls.put("allocate " + bytes, () -> rank.job.allocate(bytes));
        }
        for (long offset : new long[] {-1, 57, 64, Long.MAX_VALUE, Long.MIN_VALUE}) {
            calls.put("getDouble at " + offset, () -> span.getDouble(offset));
            calls.put("putLong at " + offset, () -> span.putLong(offset, 0));
            calls.put("buffer at " + offset, () -> span.buffer(offset, 8));
        }
        calls.put("buffer of -1", () -> span.buffer(0, -1));
        calls.put("null array", () -> Span.of((double[]) null));
        calls.put("null bytes", () -> Span.of((byte[]) null));
        calls.put("part of a null array", () -> Span.of((double[]) null, 0, 0));
        calls.put("null buffer", () -> Span.of((ByteBuffer) null));
        calls.put("elements from -1", () -> Span.of(new int[4], -1, 1));
        calls.put("5 elements", () -> Span.of(new int[4], 0, 5));
        calls.put("2^62 elements", () -> Span.of(new long[4], 1, 1L << 62));
        calls.put("read-only, not direct",
                () -> Span.of(ByteBuffer.allocate(8).asReadOnlyBuffer()));
        return calls;
    }

    private static Map<String, Rank.Action> wrongOthers(Rank rank) {
        Fmpl fmpl = rank.fmpl;
        Map<String, Rank.Action> calls = new LinkedHashMap<>();
        for (int count : new int[] {0, -1, 65_537, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            calls.put(count + " entries", () -> Fmpl.init(rank.job, count));
        }
        calls.put("no job", () -> Fmpl.init(null));
        calls.put("small areas", () -> Fmpl.init(
                rank.job, rank.job.allocate(64), rank.job.allocate(64), 4));
        calls.put("one area", () -> Fmpl.init(rank.job, rank.job.allocate(1 << 20), null, 4));
        calls.put("array as send buffer", () -> fmpl.setSendBuffer(
                Span.of(new byte[100]), Duration.ofMillis(1)));
        calls.put("negative time-out", () -> fmpl.setSendBuffer(
                rank.job.allocate(64), Duration.ofMillis(-1)));
        calls.put("long time-out", () -> fmpl.setSendBuffer(
                rank.job.allocate(64), Duration.ofDays(1)));
        calls.put("no time-out", () -> fmpl.setSendBuffer(rank.job.allocate(64), null));
        calls.put("reduction of no fmpl", () -> Reduction.of(null, 8, (a, b, n) -> { }));
        calls.put("no reducer", () -> Reduction.of(fmpl, 8, null));
        calls.put("elements of 0", () -> Reduction.of(fmpl, 0, (a, b, n) -> { }));
        calls.put("elements of 4097", () -> Reduction.of(fmpl, 4097, (a, b, n) -> { }));
        calls.put("waitAny null", () -> fmpl.waitAny((Request[]) null));
        calls.put("waitAny of null", () -> fmpl.waitAny((Request) null));
        calls.put("waitAll of null", () -> fmpl.waitAll((Request) null));
        calls.put("cancel a send", () -> fmpl.isend(Span.of(new byte[1]), rank.me, 40).cancel());
        return calls;
    }

    private static void stillWorks(Rank rank) {
        double[] one = {1};
        rank.fmpl.allreduce(Span.of(one), Reduction.DOUBLE_SUM);
        check(one[0] == rank.size, "sum");
        Request sent = rank.fmpl.isend(Span.of(one), rank.right(), 0);
        equal(8, rank.fmpl.recv(Span.of(one), rank.left(), 0), "length");
        sent.await();
    }

    @Scenario
    static void should_refuse_what_is_closed(Rank rank) {
        HeapSpan given = rank.job.allocate(64);
        Span slice = given.slice(0, 8);
        Fmpl closed = Fmpl.init(rank.job, 1);
        rank.fmpl.barrier();
        given.close();
        closed.close();
        closed.close();
        Map<String, Rank.Action> calls = new LinkedHashMap<>();
        Span span = Span.of(new byte[8]);
        calls.put("send of memory given back", () -> rank.fmpl.send(slice, rank.me, 0));
        calls.put("its buffer", given::buffer);
        calls.put("its element", () -> given.getLong(0));
        calls.put("send", () -> closed.send(span, rank.me, 0));
        calls.put("recv", () -> closed.recv(span, rank.me, 0));
        calls.put("isend", () -> closed.isend(span, rank.me, 0));
        calls.put("barrier", closed::barrier);
        calls.put("create", () -> closed.create(true));
        calls.put("split", () -> closed.world().split(0, 0));
        calls.put("send buffer", closed::checkSendBuffer);
        calls.put("reduction", () -> Reduction.of(closed, 8, (a, b, n) -> { }));
        calls.forEach((what, call) -> expect(ClosedException.class, what, call));
        stillWorks(rank);
    }

    @Scenario
    static void should_refuse_a_second_job_in_the_process(Rank rank) {
        if (!RankMain.areThreads()) {
            expect(StateException.class, "init", io.hayate.Hayate::init);
        } else if (rank.me == 0) { // beside jobs of threads there may be one more
            try (io.hayate.Hayate first = io.hayate.Hayate.init()) {
                equal(1, first.size(), "ranks");
                expect(StateException.class, "init", io.hayate.Hayate::init);
            }
        }
        stillWorks(rank);
    }

    @Scenario
    static void should_refuse_what_belongs_to_another_fmpl(Rank rank) {
        try (Fmpl other = Fmpl.init(rank.job, 2)) {
            Communicator foreign = other.create(true);
            Reduction reduction = Reduction.of(other, 8, (a, b, n) -> { });
            Request request = other.irecv(Span.of(new byte[1]), rank.me, 0);
            expect(ArgumentException.class, "communicator", () -> rank.fmpl.barrier(foreign));
            expect(ArgumentException.class, "reduction",
                    () -> rank.fmpl.allreduce(Span.of(new long[1]), reduction));
            expect(ArgumentException.class, "request", () -> rank.fmpl.waitAny(request));
            check(request.cancel(), "not cancelled");
            other.barrier();
        }
    }

    @Scenario(ranks = 2)
    static void should_report_different_numbers_of_entries(Rank rank) {
        HayateException thrown = expect(io.hayate.MismatchException.class, "init",
                () -> Fmpl.init(rank.job, 4 + rank.me));
        equal(-7, thrown.code(), "code");
        rank.fmpl.barrier();
    }

    @Scenario
    static void should_refuse_one_request_twice_at_once(Rank rank) {
        Request arrival = rank.fmpl.irecv(Span.of(new byte[8]), rank.me, 1);
        expect(BusyException.class, "twice", () -> rank.fmpl.waitAny(arrival, arrival));
        check(arrival.cancel(), "not cancelled");
    }
}
