// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.OmplAnchor;
import io.hayate.internal.OmplDoor;
import io.hayate.internal.SetupDoor;
import io.hayate.internal.job.VirtualThreads;
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
    private final OmplStarted started;

    OmplCalls(Hayate job, OmplAnchor anchor, OmplStarted started) {
        this.job = job;
        this.anchor = anchor;
        this.started = started;
        ompl = anchor.ompl();
    }

    /** As its door wants it from this thread. */
    private long space() {
        return VirtualThreads.isCurrent() ? ompl + OmplDoor.VIRTUAL : ompl;
    }

    // ---- data; each is called again while no endpoint is free

    void put(Span span, long offset, long bytes, int target, long at) {
        long start = Messages.start(job, span, offset, bytes);
        if (tryPut(span, start, bytes, target, at) > 0) {
            again(() -> tryPut(span, start, bytes, target, at));
        }
        done(span);
    }

    private int tryPut(Span span, long start, long bytes, int target, long at) {
        return Errors.check(span.array == null
                ? OmplDoor.put(space(), start, bytes, target, at)
                : OmplDoor.putArray(space(), span.array, start, bytes, target, at));
    }

    void get(Span span, long offset, long bytes, int target, long at) {
        long start = Messages.startWritable(job, span, offset, bytes);
        if (tryGet(span, start, bytes, target, at) > 0) {
            again(() -> tryGet(span, start, bytes, target, at));
        }
        done(span);
    }

    private int tryGet(Span span, long start, long bytes, int target, long at) {
        return Errors.check(span.array == null
                ? OmplDoor.get(space(), start, bytes, target, at)
                : OmplDoor.getArray(space(), span.array, start, bytes, target, at));
    }

    void putStart(Span span, int target, long at) {
        if (endsAtOnce(span, target)) {
            put(span, 0, span.bytes, target, at);
            return;
        }
        long start = Messages.start(job, span, 0, span.bytes);
        begin(span, target, () -> Errors.check(
                OmplDoor.putStart(ompl, start, span.bytes, target, at)));
    }

    void getStart(Span span, int target, long at) {
        if (endsAtOnce(span, target)) {
            get(span, 0, span.bytes, target, at);
            return;
        }
        long start = Messages.startWritable(job, span, 0, span.bytes);
        begin(span, target, () -> Errors.check(
                OmplDoor.getStart(ompl, start, span.bytes, target, at)));
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
        boolean full = OmplDoor.isFar(ompl, target) ? noted(span, target, call) : start(call);
        done(span);
        if (full) {
            flush(target);
        }
    }

    /** False: it was over at once, so that nothing is to be noted. */
    private boolean start(IntSupplier call) {
        if (call.getAsInt() > 0) {
            again(call);
        }
        return false;
    }

    private boolean noted(Span span, int target, IntSupplier call) {
        OmplStarted.Held held = started.hold(target, span);
        try {
            start(call);
        } catch (PeerFailedException | OutOfMemoryError lost) { // it may have begun
            held.note();
            throw lost;
        } catch (HayateException refused) {
            held.release();
            throw refused;
        }
        return held.note();
    }

    void vector(boolean gets, int target, List<OmplPiece> pieces) {
        List<OmplPiece> list = new ArrayList<>(Errors.required(pieces, "list of pieces"));
        long[] numbers = OmplPiece.numbers(job, list, gets);
        Object[] arrays = OmplPiece.arrays(list);
        start(() -> Errors.check(OmplDoor.vector(space(), gets, target, arrays, numbers)));
        done(list);
    }

    /** Of all with target -1. */
    void flush(int target) {
        Map<Integer, Long> underWay = started.underWay(target);
        Errors.check(OmplDoor.flush(ompl, target));
        started.complete(underWay);
        done(null);
    }

    // ---- flags

    void putFlag(int target, long flag, long value, long first, long second, long third) {
        if (tryPutFlag(target, flag, value, first, second, third) > 0) {
            again(() -> tryPutFlag(target, flag, value, first, second, third));
        }
        done(null);
    }

    private int tryPutFlag(int target, long flag, long value, long first, long second,
            long third) {
        return Errors.check(
                OmplDoor.putFlag(space(), target, flag, value, first, second, third));
    }

    void putSignal(Span span, long offset, long bytes, int target, long at, long flag,
            long value) {
        long start = Messages.start(job, span, offset, bytes);
        if (tryPutSignal(span, start, bytes, target, at, flag, value) > 0) {
            again(() -> tryPutSignal(span, start, bytes, target, at, flag, value));
        }
        done(span);
    }

    private int tryPutSignal(Span span, long start, long bytes, int target, long at, long flag,
            long value) {
        return Errors.check(span.array == null
                ? OmplDoor.putSignal(space(), start, bytes, target, at, flag, value)
                : OmplDoor.putSignalArray(
                        space(), span.array, start, bytes, target, at, flag, value));
    }

    void clear(long word) {
        Errors.check(OmplDoor.clear(ompl, word));
        done(null);
    }

    long load(long word) {
        long seen = OmplDoor.load(ompl, word);
        if (seen == OmplDoor.FAILED) {
            Errors.check(OmplDoor.failure());
        }
        done(null);
        return seen;
    }

    long atomic(int target, long word, int what, long operand, long expected) {
        long before = OmplDoor.atomic(space(), target, word, what, operand, expected);
        if (before == OmplDoor.FAILED && Errors.check(OmplDoor.failure()) > 0) {
            before = atomicAgain(target, word, what, operand, expected);
        }
        done(null);
        return before;
    }

    private long atomicAgain(int target, long word, int what, long operand, long expected) {
        long[] before = new long[1];
        again(() -> {
            before[0] = OmplDoor.atomic(space(), target, word, what, operand, expected);
            return before[0] == OmplDoor.FAILED ? Errors.check(OmplDoor.failure()) : 0;
        });
        return before[0];
    }

    // ---- waits

    boolean waitUntil(long word, int how, long value, Duration timeout, boolean ignoreFailures) {
        long nanos = nanos(timeout);
        int rc = nanos != 0 && VirtualThreads.isCurrent()
                ? waitParking(word, how, value, nanos, ignoreFailures)
                : watch(word, how, value, micros(nanos), ignoreFailures, 0);
        done(null);
        return rc == 0;
    }

    /** A brief look, then one at every turn of the waker. */
    private int waitParking(long word, int how, long value, long nanos, boolean ignore) {
        int rc = watch(word, how, value, micros(nanos), ignore, OmplDoor.BRIEF);
        if (rc != OmplDoor.IN_PROGRESS) {
            return rc;
        }
        return (int) job.waker().await(() -> watch(word, how, value, -1, ignore, 1), nanos);
    }

    private int watch(long word, int how, long value, long micros, boolean ignore, int polls) {
        return Errors.check(OmplDoor.watch(ompl, word, how, value, micros, ignore, polls));
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

    /** Until an endpoint was free. A call waits some microseconds. */
    private void again(IntSupplier call) {
        if (VirtualThreads.isCurrent()) {
            job.waker().await(call::getAsInt);
            return;
        }
        do {
            Thread.yield();
        } while (call.getAsInt() > 0);
    }

    /** The memory, if any, was reachable until now. */
    private void done(Object memory) {
        Reference.reachabilityFence(memory);
        Reference.reachabilityFence(anchor);
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
