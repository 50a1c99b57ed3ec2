// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.OmplAnchor;
import io.hayate.internal.OmplDoor;
import io.hayate.internal.SetupDoor;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/** The calls of {@link Ompl} as they go to its door: spans resolved, results turned into errors. */
final class OmplCalls {
    private static final int NANOS_PER_MICRO = 1000;
    private static final Duration CENTURIES = Duration.ofNanos(Long.MAX_VALUE);

    private final Hayate job;
    private final OmplAnchor anchor;
    private final long ompl;
    private final OmplStarted started = new OmplStarted();

    OmplCalls(Hayate job, long handle) {
        this.job = job;
        ompl = handle;
        anchor = new OmplAnchor(handle, job.anchor(), started);
    }

    /** As its door wants it from this thread. */
    private long space() {
        return VirtualThreads.isCurrent() ? ompl + OmplDoor.VIRTUAL : ompl;
    }

    // ---- data; each is called again while no endpoint is free

    void put(Span span, long offset, long bytes, int target, long at) {
        long start = Messages.start(job, span, offset, bytes);
        int rc = tryPut(span, start, bytes, target, at);
        done(rc <= 0 ? rc : again(() -> tryPut(span, start, bytes, target, at)), span);
    }

    private int tryPut(Span span, long start, long bytes, int target, long at) {
        return span.array == null
                ? OmplDoor.put(space(), start, bytes, target, at)
                : OmplDoor.putArray(space(), span.array, start, bytes, target, at);
    }

    void get(Span span, long offset, long bytes, int target, long at) {
        long start = Messages.startWritable(job, span, offset, bytes);
        int rc = tryGet(span, start, bytes, target, at);
        done(rc <= 0 ? rc : again(() -> tryGet(span, start, bytes, target, at)), span);
    }

    private int tryGet(Span span, long start, long bytes, int target, long at) {
        return span.array == null
                ? OmplDoor.get(space(), start, bytes, target, at)
                : OmplDoor.getArray(space(), span.array, start, bytes, target, at);
    }

    void putStart(Span span, int target, long at) {
        if (endsAtOnce(span, target)) {
            put(span, 0, span.bytes, target, at);
            return;
        }
        long start = Messages.start(job, span, 0, span.bytes);
        begin(span, target, () -> OmplDoor.putStart(ompl, start, span.bytes, target, at));
    }

    void getStart(Span span, int target, long at) {
        if (endsAtOnce(span, target)) {
            get(span, 0, span.bytes, target, at);
            return;
        }
        long start = Messages.startWritable(job, span, 0, span.bytes);
        begin(span, target, () -> OmplDoor.getStart(ompl, start, span.bytes, target, at));
    }

    /**
     * A virtual thread may be on another carrier when it comes to flush; and memory that an arena
     * may take away at any time cannot be lent to a network.
     */
    private boolean endsAtOnce(Span span, int target) {
        return Errors.required(span, "span").array != null || VirtualThreads.isCurrent()
                || span.perishes() && OmplDoor.isFar(ompl, target);
    }

    private void begin(Span span, int target, IntSupplier call) {
        boolean goesOn = OmplDoor.isFar(ompl, target);
        if (goesOn) {
            OmplStarted.hold(span);
        }
        int rc = call.getAsInt();
        rc = rc <= 0 ? rc : again(call);
        boolean full = goesOn && noted(span, target, rc);
        done(rc, span);
        if (full) {
            flush(target);
        }
    }

    /** A rank that fails may do so when the operation has begun. */
    private boolean noted(Span span, int target, int rc) {
        if (rc == 0 || rc == ErrorCode.PEER_FAILED.code) {
            return started.note(target, span);
        }
        OmplStarted.release(span);
        return false;
    }

    void vector(boolean gets, int target, List<OmplPiece> pieces) {
        List<OmplPiece> list = new ArrayList<>(Errors.required(pieces, "list of pieces"));
        long[] numbers = OmplPiece.numbers(job, list, gets);
        Object[] arrays = OmplPiece.arrays(list);
        int rc = OmplDoor.vector(space(), gets, target, arrays, numbers);
        done(rc <= 0 ? rc : again(
                () -> OmplDoor.vector(space(), gets, target, arrays, numbers)), null);
        Reference.reachabilityFence(list);
    }

    /** Of all with target -1. */
    void flush(int target) {
        Map<Integer, Long> underWay = started.underWay(target);
        int rc = OmplDoor.flush(ompl, target);
        if (rc == 0) {
            started.complete(underWay);
        }
        done(rc, null);
    }

    // ---- flags

    void putFlag(int target, long flag, long value, long first, long second, long third) {
        int rc = OmplDoor.putFlag(space(), target, flag, value, first, second, third);
        done(rc <= 0 ? rc : again(
                () -> OmplDoor.putFlag(space(), target, flag, value, first, second, third)),
                null);
    }

    void putSignal(Span span, long offset, long bytes, int target, long at, long flag,
            long value) {
        long start = Messages.start(job, span, offset, bytes);
        int rc = tryPutSignal(span, start, bytes, target, at, flag, value);
        done(rc <= 0 ? rc : again(
                () -> tryPutSignal(span, start, bytes, target, at, flag, value)), span);
    }

    private int tryPutSignal(Span span, long start, long bytes, int target, long at, long flag,
            long value) {
        return span.array == null
                ? OmplDoor.putSignal(space(), start, bytes, target, at, flag, value)
                : OmplDoor.putSignalArray(
                        space(), span.array, start, bytes, target, at, flag, value);
    }

    void clear(long word) {
        done(OmplDoor.clear(ompl, word), null);
    }

    long load(long word) {
        long seen = OmplDoor.load(ompl, word);
        done(codeOf(seen), null);
        return seen;
    }

    long atomic(int target, long word, int what, long operand, long expected) {
        long before = OmplDoor.atomic(space(), target, word, what, operand, expected);
        int rc = codeOf(before);
        if (rc > 0) {
            return atomicAgain(target, word, what, operand, expected);
        }
        done(rc, null);
        return before;
    }

    private long atomicAgain(int target, long word, int what, long operand, long expected) {
        long[] before = new long[1];
        done(again(() -> {
            before[0] = OmplDoor.atomic(space(), target, word, what, operand, expected);
            return codeOf(before[0]);
        }), null);
        return before[0];
    }

    // ---- waits

    boolean waitUntil(long word, int how, long value, Duration timeout, boolean ignoreFailures) {
        long nanos = nanos(timeout);
        int rc = nanos != 0 && VirtualThreads.isCurrent()
                ? waitParking(word, how, value, nanos, ignoreFailures)
                : OmplDoor.watch(ompl, word, how, value, micros(nanos), ignoreFailures, 0);
        done(rc, null);
        return rc == 0;
    }

    /** A brief look, then one at every turn of the waker. */
    private int waitParking(long word, int how, long value, long nanos, boolean ignore) {
        int rc = OmplDoor.watch(ompl, word, how, value, micros(nanos), ignore, OmplDoor.BRIEF);
        if (rc != OmplDoor.IN_PROGRESS) {
            return rc;
        }
        return (int) job.waker().await(
                () -> OmplDoor.watch(ompl, word, how, value, -1, ignore, 1), nanos);
    }

    /** -1: no limit. Centuries have no nanoseconds; to find that out by an exception is slow. */
    private static long nanos(Duration timeout) {
        if (Errors.required(timeout, "timeout").isNegative()) {
            throw Errors.argument("time-out " + timeout + ": expected 0 or more");
        }
        return timeout.compareTo(CENTURIES) < 0 ? timeout.toNanos() : -1;
    }

    private static long micros(long nanos) {
        return nanos < 0 ? -1
                : nanos / NANOS_PER_MICRO + (nanos % NANOS_PER_MICRO == 0 ? 0 : 1);
    }

    // ---- results

    private static int codeOf(long result) {
        return result == OmplDoor.FAILED ? OmplDoor.failure() : 0;
    }

    /** Until an endpoint was free: what the call gave then. A call waits some microseconds. */
    private int again(IntSupplier call) {
        if (VirtualThreads.isCurrent()) {
            return (int) job.waker().await(call::getAsInt);
        }
        int rc;
        do {
            Thread.yield();
            rc = call.getAsInt();
        } while (rc > 0);
        return rc;
    }

    private void done(int rc, Span span) {
        Reference.reachabilityFence(span);
        Reference.reachabilityFence(anchor);
        if (rc < 0) {
            throw Errors.last(rc);
        }
    }

    /** Of the list; 0: one per thread. */
    int endpoints() {
        int count = SetupDoor.omplEndpoints(ompl);
        Reference.reachabilityFence(anchor);
        return count;
    }

    /** What another thread starts at this very moment is held for good. */
    synchronized void close() {
        Map<Integer, Long> underWay = started.underWay(-1);
        SetupDoor.omplClose(ompl); // completes what can be
        started.complete(underWay);
        Reference.reachabilityFence(anchor);
    }
}
