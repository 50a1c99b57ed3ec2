// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import static io.hayate.random.Scarce.again;

import io.hayate.BusyException;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Request;
import io.hayate.Span;
import io.hayate.TruncationException;
import io.hayate.random.Scarce.Trial;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Jobs, heaps, messages. */
final class ScarceMessages {
    private static final int LONG = 100_000;

    static Map<String, Scarce> all() {
        Map<String, Scarce> all = new TreeMap<>();
        all.put("Hayate.init", place -> init());
        all.put("Hayate.initThreads", place -> initThreads());
        all.put("Hayate.close", ScarceMessages::close);
        all.put("Hayate.allocate", ScarceMessages::allocate);
        all.put("HeapSpan.close", ScarceMessages::closeSpan);
        all.put("HeapSpan.buffer", ScarceMessages::buffer);
        all.put("Fmpl.init", ScarceMessages::open);
        all.put("Fmpl.init together", place -> place.making(job -> Fmpl.init(job, 2)));
        all.put("Fmpl.init on areas", ScarceMessages::openOnAreas);
        all.put("Fmpl.close", ScarceMessages::closeFmpl);
        all.put("send", place -> send(place, 100));
        all.put("send long", place -> send(place, LONG));
        all.put("recv", place -> receive(place, 100));
        all.put("recv long", place -> receive(place, LONG));
        all.put("isend", place -> isend(place, 100));
        all.put("isend long", place -> isend(place, LONG));
        all.put("irecv", ScarceMessages::irecv);
        all.put("await of a failure", ScarceMessages::awaitFailure);
        all.put("test of a failure", ScarceMessages::testFailure);
        all.put("cancel", ScarceMessages::cancel);
        all.put("waitAll", ScarceMessages::waitAll);
        all.put("waitAny", ScarceMessages::waitAny);
        all.put("setSendBuffer", ScarceMessages::setSendBuffer);
        return all;
    }

    // ---- jobs

    private static Trial init() {
        Hayate[] job = new Hayate[1];
        return new Trial(() -> job[0] = Hayate.init(), done -> {
            if (!done) {
                job[0] = Hayate.init();
            }
            job[0].close();
        });
    }

    private static Trial initThreads() {
        List<Hayate> jobs = new ArrayList<>(2);
        return again(() -> jobs.addAll(Hayate.initThreads(2)), () -> jobs.forEach(Hayate::close));
    }

    private static Trial close(Place place) throws Exception {
        HeapSpan kept = place.job().allocate(10);
        return again(place.job()::close, kept::bytes);
    }

    private static Trial allocate(Place place) {
        long free = place.job().heapFree();
        HeapSpan[] span = new HeapSpan[1];
        return new Trial(() -> span[0] = place.job().allocate(1000), done -> {
            if (done) {
                span[0].close();
            }
            equal(free, place.job().heapFree(), "free");
        });
    }

    private static Trial closeSpan(Place place) throws Exception {
        long free = place.job().heapFree();
        HeapSpan span = place.job().allocate(1000);
        return again(span::close, () -> equal(free, place.job().heapFree(), "free"));
    }

    private static Trial buffer(Place place) {
        HeapSpan span = place.job().allocate(1000);
        ByteBuffer[] buffer = new ByteBuffer[1];
        return again(() -> buffer[0] = span.buffer(10, 20), () -> {
            buffer[0].put(3, (byte) 7);
            equal(7, span.getByte(13), "byte");
            span.close();
        });
    }

    // ---- Fmpl

    private static Trial open(Place place) {
        Hayate job = place.alone();
        long free = job.heapFree();
        Fmpl[] fmpl = new Fmpl[1];
        return again(() -> fmpl[0] = Fmpl.init(job, 2), () -> {
            exchange(fmpl[0]);
            fmpl[0].close();
            fmpl[0] = null;
            Place.awaitFree(job, free);
        });
    }

    private static Trial openOnAreas(Place place) {
        Hayate job = place.alone();
        HeapSpan match = job.allocate(2 * Fmpl.MATCH_BYTES);
        HeapSpan flags = job.allocate(2 * Fmpl.FLAG_BYTES);
        Fmpl[] fmpl = new Fmpl[1];
        return new Trial(() -> fmpl[0] = Fmpl.init(job, match, flags, 2), done -> {
            if (done) {
                expectBusy(match);
                fmpl[0].close();
            }
            Fmpl.init(job, match, flags, 2).close();
            match.close();
            flags.close();
        });
    }

    private static Trial closeFmpl(Place place) {
        Hayate job = place.alone();
        HeapSpan match = job.allocate(2 * Fmpl.MATCH_BYTES);
        HeapSpan flags = job.allocate(2 * Fmpl.FLAG_BYTES);
        HeapSpan room = job.allocate(10_000);
        Fmpl fmpl = Fmpl.init(job, match, flags, 2);
        fmpl.setSendBuffer(room, Duration.ofMillis(1));
        return again(fmpl::close, () -> {
            match.close();
            flags.close();
            room.close();
        });
    }

    private static void expectBusy(HeapSpan span) {
        try {
            span.close();
        } catch (BusyException expected) {
            return;
        }
        throw new AssertionError("memory in use was given back");
    }

    // ---- messages to oneself

    static byte[] pattern(int bytes) {
        byte[] pattern = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            pattern[i] = (byte) (i * 7 + (i >>> 8));
        }
        return pattern;
    }

    static void exchange(Fmpl fmpl) {
        for (int bytes : new int[] {10, LONG}) {
            byte[] in = new byte[bytes];
            Request received = fmpl.irecv(Span.of(in), 0, 1);
            fmpl.send(Span.of(pattern(bytes)), 0, 1);
            received.await();
            same(pattern(bytes), in);
        }
    }

    private static Trial send(Place place, int bytes) throws Exception {
        Fmpl fmpl = place.fmpl();
        byte[] in = new byte[bytes];
        Request received = fmpl.irecv(Span.of(in), 0, 0);
        Span out = Span.of(pattern(bytes));
        return again(() -> fmpl.send(out, 0, 0), () -> {
            equal(bytes, received.await(), "length");
            same(pattern(bytes), in);
            exchange(fmpl);
        });
    }

    private static Trial receive(Place place, int bytes) throws Exception {
        Fmpl fmpl = place.fmpl();
        Request sent = fmpl.isend(Span.of(pattern(bytes)), 0, 0);
        byte[] in = new byte[bytes];
        Span span = Span.of(in);
        return again(() -> fmpl.recv(span, 0, 0), () -> {
            sent.await();
            same(pattern(bytes), in);
            exchange(fmpl);
        });
    }

    private static Trial isend(Place place, int bytes) throws Exception {
        Fmpl fmpl = place.fmpl();
        HeapSpan out = place.job().allocate(bytes);
        out.buffer().put(pattern(bytes));
        Request[] request = new Request[1];
        return again(() -> request[0] = fmpl.isend(out, 0, 0), () -> {
            byte[] in = new byte[bytes];
            fmpl.recv(Span.of(in), 0, 0);
            request[0].await();
            same(pattern(bytes), in);
            out.close();
            exchange(fmpl);
        });
    }

    private static Trial irecv(Place place) throws Exception {
        Fmpl fmpl = place.fmpl();
        HeapSpan in = place.job().allocate(LONG);
        Request[] request = new Request[1];
        return again(() -> request[0] = fmpl.irecv(in, 0, 0), () -> {
            fmpl.send(Span.of(pattern(LONG)), 0, 0);
            request[0].await();
            byte[] bytes = new byte[LONG];
            in.buffer().get(bytes);
            same(pattern(LONG), bytes);
            in.close();
        });
    }

    /** The receive is too short. */
    private static Trial awaitFailure(Place place) throws Exception {
        return failure(place, Request::await);
    }

    private static Trial testFailure(Place place) throws Exception {
        return failure(place, Request::test);
    }

    private interface Use {
        void of(Request request);
    }

    private static Trial failure(Place place, Use use) throws Exception {
        Fmpl fmpl = place.fmpl();
        HeapSpan in = place.job().allocate(50);
        Request request = fmpl.irecv(in, 0, 0);
        fmpl.isend(Span.of(pattern(100)), 0, 0);
        return new Trial(() -> expectTruncation(use, request), done -> {
            expectTruncation(Request::await, request);
            byte[] bytes = new byte[100];
            fmpl.recv(Span.of(bytes), 0, 0);
            same(pattern(100), bytes);
            in.close();
        });
    }

    private static void expectTruncation(Use use, Request request) {
        try {
            use.of(request);
        } catch (TruncationException expected) {
            return;
        }
        throw new AssertionError("100 bytes went into 50, or the failure is forgotten");
    }

    private static Trial cancel(Place place) throws Exception {
        Fmpl fmpl = place.fmpl();
        HeapSpan in = place.job().allocate(50);
        Request request = fmpl.irecv(in, 0, 0);
        return again(request::cancel, () -> {
            in.close();
            exchange(fmpl);
        });
    }

    private static Trial waitAll(Place place) throws Exception {
        Fmpl fmpl = place.fmpl();
        Request[] all = pair(place, 0);
        return again(() -> fmpl.waitAll(all), () -> exchange(fmpl));
    }

    private static Trial waitAny(Place place) throws Exception {
        Fmpl fmpl = place.fmpl();
        Request[] all = pair(place, 2);
        return again(() -> fmpl.waitAny(all), () -> {
            fmpl.waitAll(all);
            exchange(fmpl);
        });
    }

    private static Request[] pair(Place place, int mai) throws Exception {
        return new Request[] {place.fmpl().irecv(Span.of(new byte[LONG]), 0, mai),
            place.fmpl().isend(Span.of(pattern(LONG)), 0, mai)};
    }

    private static Trial setSendBuffer(Place place) throws Exception {
        Fmpl fmpl = place.fmpl();
        HeapSpan first = place.job().allocate(10_000);
        HeapSpan second = place.job().allocate(10_000);
        fmpl.setSendBuffer(first, Duration.ofMillis(1));
        return again(() -> fmpl.setSendBuffer(second, Duration.ofMillis(1)), () -> {
            first.close();
            expectBusy(second);
            fmpl.setSendBuffer(null, null);
            second.close();
        });
    }

    // ---- what is right

    static void equal(long expected, long actual, String what) {
        if (expected != actual) {
            throw new AssertionError(what + ": expected " + expected + ", got " + actual);
        }
    }

    static void same(byte[] expected, byte[] actual) {
        int at = java.util.Arrays.mismatch(expected, actual);
        if (at >= 0) {
            throw new AssertionError("byte " + at + " of " + expected.length + " is "
                    + (at < actual.length ? actual[at] : "not there"));
        }
    }
}
