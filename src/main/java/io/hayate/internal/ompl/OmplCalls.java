// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.ompl;

import io.hayate.HayateException;
import io.hayate.PeerFailedException;
import io.hayate.internal.bindings.OmplBinding;
import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.bindings.TellBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.jfr.Recorder;
import io.hayate.internal.job.Deadline;
import io.hayate.internal.job.HeapBlock;
import io.hayate.internal.job.Job;
import io.hayate.internal.job.Memory;
import io.hayate.internal.job.VirtualThreads;
import io.hayate.internal.job.Waker;
import io.hayate.internal.lifetime.OmplAnchor;
import io.hayate.internal.lifetime.Reclaim;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/**
 * The calls of an {@code Ompl} to its binding: checks ranges, and converts codes into exceptions.
 */
public final class OmplCalls {
    private static final int ALL = -1;
    private static final int NANOS_PER_MICRO = 1000;
    private static final Duration CENTURIES = Duration.ofNanos(Long.MAX_VALUE);

    private final Job job;
    private final OmplAnchor anchor;
    private final long ompl;
    private final OmplStarted started;

    private OmplCalls(Job job, OmplAnchor anchor, OmplStarted started) {
        this.job = job;
        this.anchor = anchor;
        this.started = started;
        ompl = anchor.ompl();
    }

    /**
     * Opens a space; collective over the job. The maker receives its calls and this rank's part,
     * which is never freed, and creates the object for the program from them.
     */
    public static <T> T open(Job job, long bytes, int endpoints,
            BiFunction<OmplCalls, HeapBlock, T> maker) {
        OmplStarted started = new OmplStarted();
        OmplAnchor anchor = new OmplAnchor(job.anchor(), started);
        anchor.take(Reclaim.open(() -> VirtualThreads.await(() -> Errors.check(
                SetupBinding.omplOpen(job.handle(), bytes, endpoints)))));
        Reference.reachabilityFence(job);
        try {
            HeapBlock part = new HeapBlock(job, SetupBinding.omplMemory(anchor.ompl()), bytes);
            part.pin();
            return maker.apply(new OmplCalls(job, anchor, started), part);
        } catch (RuntimeException | Error e) {
            anchor.drop();
            throw e;
        }
    }

    /** Returns the handle in the form that the binding expects from this thread. */
    private long space() {
        return VirtualThreads.isCurrent() ? ompl + OmplBinding.VIRTUAL : ompl;
    }

    // ---- data; each call is repeated while no endpoint is free

    public void put(Memory memory, long offset, long bytes, int target, long at) {
        long start = memory.readable(job, offset, bytes);
        if (tryPut(memory, start, bytes, target, at) > 0) {
            again(() -> tryPut(memory, start, bytes, target, at));
        }
        done(memory);
    }

    private int tryPut(Memory memory, long start, long bytes, int target, long at) {
        return Errors.check(memory.array == null
                ? OmplBinding.put(space(), start, bytes, target, at)
                : OmplBinding.putArray(space(), memory.array, start, bytes, target, at));
    }

    public void get(Memory memory, long offset, long bytes, int target, long at) {
        long start = memory.writable(job, offset, bytes);
        if (tryGet(memory, start, bytes, target, at) > 0) {
            again(() -> tryGet(memory, start, bytes, target, at));
        }
        done(memory);
    }

    private int tryGet(Memory memory, long start, long bytes, int target, long at) {
        return Errors.check(memory.array == null
                ? OmplBinding.get(space(), start, bytes, target, at)
                : OmplBinding.getArray(space(), memory.array, start, bytes, target, at));
    }

    public void putStart(Memory memory, int target, long at) {
        if (endsAtOnce(memory, target)) {
            put(memory, 0, memory.bytes, target, at);
            return;
        }
        long start = memory.readable(job, 0, memory.bytes);
        begin(memory, target, () -> Errors.check(
                OmplBinding.putStart(ompl, start, memory.bytes, target, at)));
    }

    public void getStart(Memory memory, int target, long at) {
        if (endsAtOnce(memory, target)) {
            get(memory, 0, memory.bytes, target, at);
            return;
        }
        long start = memory.writable(job, 0, memory.bytes);
        begin(memory, target, () -> Errors.check(
                OmplBinding.getStart(ompl, start, memory.bytes, target, at)));
    }

    /**
     * A virtual thread may be on another carrier at the flush, and a network must not use memory
     * that an arena may free at any time.
     */
    private boolean endsAtOnce(Memory memory, int target) {
        return memory.array != null || VirtualThreads.isCurrent()
                || memory.perishes() && OmplBinding.isFar(ompl, target);
    }

    private void begin(Memory memory, int target, IntSupplier call) {
        boolean full = OmplBinding.isFar(ompl, target) ? noted(memory, target, call) : start(call);
        done(memory);
        if (full) {
            flush(target);
        }
    }

    /**
     * Returns false if the operation completed at once, so that its memory need not be recorded.
     */
    private boolean start(IntSupplier call) {
        if (call.getAsInt() > 0) {
            again(call);
        }
        return false;
    }

    private boolean noted(Memory memory, int target, IntSupplier call) {
        OmplStarted.Held held = started.hold(target, memory);
        try {
            start(call);
        } catch (PeerFailedException | OutOfMemoryError lost) { // it may have started
            held.note();
            throw lost;
        } catch (HayateException refused) {
            held.release();
            throw refused;
        }
        return held.note();
    }

    /** Transfers pieces of memory, each with its offset in the target's part. */
    public void vector(boolean gets, int target, Memory[] pieces, long[] offsets) {
        long[] numbers = numbers(pieces, offsets, gets);
        Object[] arrays = arrays(pieces);
        start(() -> Errors.check(OmplBinding.vector(space(), gets, target, arrays, numbers)));
        done(pieces);
    }

    /** Returns the pieces in the form of the binding: start, bytes and offset of each. */
    private long[] numbers(Memory[] pieces, long[] offsets, boolean writable) {
        long[] numbers = new long[OmplBinding.PIECE * pieces.length];
        int at = 0;
        for (int i = 0; i < pieces.length; i++) {
            long bytes = pieces[i].bytes;
            numbers[at++] = writable ? pieces[i].writable(job, 0, bytes)
                    : pieces[i].readable(job, 0, bytes);
            numbers[at++] = bytes;
            numbers[at++] = offsets[i];
        }
        return numbers;
    }

    /** Returns the array of each piece; null: none has an array. */
    private static Object[] arrays(Memory[] pieces) {
        return Stream.of(pieces).allMatch(piece -> piece.array == null) ? null
                : Stream.of(pieces).map(piece -> piece.array).toArray();
    }

    /** Flushes one rank. */
    public void flush(int target) {
        if (target < 0) {
            throw Errors.argument(
                    "target " + target + ": expected a rank, 0 to " + (job.size() - 1));
        }
        flushSome(target);
    }

    /** Flushes all ranks. */
    public void flush() {
        flushSome(ALL);
    }

    private void flushSome(int target) {
        if (Recorder.isOff()) {
            flushNow(target);
        } else {
            Recorder.record("flush", job.rank(), target, -1, 0, () -> flushNow(target));
        }
    }

    private void flushNow(int target) {
        Map<Integer, Long> underWay = started.underWay(target);
        Errors.check(OmplBinding.flush(ompl, target));
        started.complete(underWay);
        done(null);
    }

    // ---- flags

    public void putFlag(int target, long flag, long value, long first, long second, long third) {
        if (tryPutFlag(target, flag, value, first, second, third) > 0) {
            again(() -> tryPutFlag(target, flag, value, first, second, third));
        }
        done(null);
    }

    private int tryPutFlag(int target, long flag, long value, long first, long second,
            long third) {
        return Errors.check(
                OmplBinding.putFlag(space(), target, flag, value, first, second, third));
    }

    public void putSignal(Memory memory, long offset, long bytes, int target, long at, long flag,
            long value) {
        long start = memory.readable(job, offset, bytes);
        if (tryPutSignal(memory, start, bytes, target, at, flag, value) > 0) {
            again(() -> tryPutSignal(memory, start, bytes, target, at, flag, value));
        }
        done(memory);
    }

    private int tryPutSignal(Memory memory, long start, long bytes, int target, long at, long flag,
            long value) {
        return Errors.check(memory.array == null
                ? OmplBinding.putSignal(space(), start, bytes, target, at, flag, value)
                : OmplBinding.putSignalArray(
                        space(), memory.array, start, bytes, target, at, flag, value));
    }

    public void clear(long word) {
        Errors.check(OmplBinding.clear(ompl, word));
        done(null);
    }

    public long load(long word) {
        long seen = OmplBinding.load(ompl, word);
        if (seen == OmplBinding.FAILED) {
            Errors.check(OmplBinding.failure());
        }
        done(null);
        return seen;
    }

    public long atomic(int target, long word, int what, long operand, long expected) {
        long before = OmplBinding.atomic(space(), target, word, what, operand, expected);
        if (before == OmplBinding.FAILED && Errors.check(OmplBinding.failure()) > 0) {
            before = atomicAgain(target, word, what, operand, expected);
        }
        done(null);
        return before;
    }

    private long atomicAgain(int target, long word, int what, long operand, long expected) {
        long[] before = new long[1];
        again(() -> {
            before[0] = OmplBinding.atomic(space(), target, word, what, operand, expected);
            return before[0] == OmplBinding.FAILED ? Errors.check(OmplBinding.failure()) : 0;
        });
        return before[0];
    }

    // ---- accumulates

    /**
     * Accumulates.
     *
     * @param from the operands; null: nothing is written
     * @param before the memory for the previous elements; null: not wanted
     * @param op the number of a reduction; {@link OmplBinding#NO_REDUCTION}: replaces
     */
    public void accumulate(Memory from, Memory before, int target, long at, int op) {
        long start = from == null ? 0 : from.readable(job, 0, from.bytes);
        long old = before == null ? 0 : before.writable(job, 0, before.bytes);
        if (from != null && before != null && from.bytes != before.bytes) {
            throw Errors.argument(before.bytes + " bytes for the previous elements: expected as"
                    + " many as the operands have, " + from.bytes);
        }
        if (tryAccumulate(from, start, before, old, target, at, op) > 0) {
            again(() -> tryAccumulate(from, start, before, old, target, at, op));
        }
        done(from);
        done(before);
    }

    private int tryAccumulate(Memory from, long start, Memory before, long old, int target,
            long at, int op) {
        return Errors.check(OmplBinding.accumulate(space(), from == null ? null : from.array,
                start, before == null ? null : before.array, old,
                from == null ? before.bytes : from.bytes, target, at, op));
    }

    /**
     * Accumulates one element of so many bytes, or compares and swaps it: {@link
     * OmplBinding#NO_REDUCTION}. Returns the previous element with zeros above.
     */
    public long element(int target, long at, int op, int bytes, long operand, long expected) {
        long before = OmplBinding.element(space(), target, at, op, bytes, operand, expected);
        if (before == OmplBinding.FAILED && Errors.check(OmplBinding.failure()) > 0) {
            before = elementAgain(target, at, op, bytes, operand, expected);
        }
        done(null);
        return before;
    }

    private long elementAgain(int target, long at, int op, int bytes, long operand,
            long expected) {
        long[] before = new long[1];
        again(() -> {
            before[0] = OmplBinding.element(space(), target, at, op, bytes, operand, expected);
            return before[0] == OmplBinding.FAILED ? Errors.check(OmplBinding.failure()) : 0;
        });
        return before[0];
    }

    // ---- waits

    public boolean waitUntil(long word, int how, long value, Duration timeout,
            boolean ignoreFailures) {
        return Recorder.isOff() ? waitNow(word, how, value, timeout, ignoreFailures)
                : Recorder.record("word", job.rank(), -1, -1, 0, () -> waitNow(
                        word, how, value, timeout, ignoreFailures) ? 1 : 0) != 0;
    }

    private boolean waitNow(long word, int how, long value, Duration timeout,
            boolean ignoreFailures) {
        long nanos = nanos(timeout);
        int rc = nanos != 0 && VirtualThreads.isCurrent()
                ? waitParking(word, how, value, nanos, ignoreFailures)
                : watch(word, how, value, micros(nanos), ignoreFailures, 0);
        done(null);
        return rc == 0;
    }

    /** Tests once, and then at every turn of the waker. */
    private int waitParking(long word, int how, long value, long nanos, boolean ignore) {
        int rc = watch(word, how, value, micros(nanos), ignore, OmplBinding.BRIEF);
        if (rc != OmplBinding.IN_PROGRESS) {
            return rc;
        }
        return (int) job.waker().await(() -> watch(word, how, value, -1, ignore, 1),
                (told, thread) -> TellBinding.word(ompl, word, how, value, told, thread), nanos);
    }

    private int watch(long word, int how, long value, long micros, boolean ignore, int polls) {
        return Errors.check(OmplBinding.watch(ompl, word, how, value, micros, ignore, polls));
    }

    /**
     * Converts a time-out; -1: no limit. Centuries overflow a count of nanoseconds; to detect that
     * by an exception is slow.
     */
    private static long nanos(Duration timeout) {
        if (Errors.required(timeout, "timeout").isNegative()) {
            throw Errors.argument("time-out " + Deadline.text(timeout) + ": expected 0 or more");
        }
        return timeout.compareTo(CENTURIES) < 0 ? timeout.toNanos() : -1;
    }

    private static long micros(long nanos) {
        return nanos < 0 ? -1
                : nanos / NANOS_PER_MICRO + (nanos % NANOS_PER_MICRO == 0 ? 0 : 1);
    }

    // ---- results

    /** Repeats a call until an endpoint is free. Each call waits for some microseconds. */
    private void again(IntSupplier call) {
        if (VirtualThreads.isCurrent()) {
            job.waker().await(call::getAsInt, Waker.SILENT);
            return;
        }
        do {
            Thread.yield();
        } while (call.getAsInt() > 0);
    }

    /** Keeps the memory, if any, reachable until here. */
    private void done(Object memory) {
        Reference.reachabilityFence(memory);
        Reference.reachabilityFence(anchor);
    }

    /** Returns the number of endpoints in the list; 0: one per thread. */
    public int endpoints() {
        int count = SetupBinding.omplEndpoints(ompl);
        Reference.reachabilityFence(anchor);
        return count;
    }

    /** Memory of an operation that another thread starts at the same moment is held permanently. */
    public synchronized void close() {
        Map<Integer, Long> underWay = started.underWay(ALL);
        SetupBinding.omplClose(ompl); // completes what can be completed
        started.complete(underWay);
        anchor.closed(0); // its memory is of the job
        Reference.reachabilityFence(anchor);
    }
}
