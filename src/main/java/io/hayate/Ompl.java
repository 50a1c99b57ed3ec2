// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.OmplAnchor;
import io.hayate.internal.OmplDoor;
import io.hayate.internal.SetupDoor;
import java.lang.ref.Reference;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * A partitioned global address space, after the Omni PGAS communication layer (OMPL): tasks on many
 * threads of many ranks write into each other's memory and wait for flags in it. There are no
 * channels, no matching and no queues.
 *
 * <p>Every rank has a part of the same size. An address is a target rank and an offset in bytes of
 * its part; this rank's part is {@link #memory()}. All of it is 0 at first.
 *
 * <p><strong>Data before flag.</strong> Who has seen a flag or word that a thread wrote by
 * {@link #putWord}, {@link #putFlag}, {@link #putSignal} or an atomic (by a wait, {@link #poll},
 * {@link #load}, or an atomic of its own) sees all that this thread put to <em>the same target</em>
 * before. What went to other targets is there after a {@link #flush(int)} of them. The order of
 * accesses of different tasks is the program's.
 *
 * <p><strong>Flags</strong> are {@value #FLAG_BYTES} bytes at multiples of that: a value that waits
 * look at, and three longs that come with it. <strong>Words</strong> are longs at multiples of 8;
 * waits and atomics work on any of them, so on the value of a flag, too. A plain put into one wakes
 * nobody and is no signal.
 *
 * <p><strong>Threads.</strong> Any number of threads may be in any call at once; inside of a node
 * none takes a lock. Several may wait for one flag. A wait of a virtual thread does not hold its
 * carrier for longer than some microseconds. An interrupt does not end a wait.
 *
 * <p><strong>Errors.</strong> {@link ArgumentException} (null, target out of range, bytes outside
 * of the space, misaligned flag or word, memory of another job), {@link ClosedException}. A call
 * that fails on its arguments changes nothing. A wait names no peer: it ends with
 * {@link PeerFailedException} within a second when any rank of the job has died or was stopped,
 * unless told to ignore that. A rank that left in order is no failure. Puts, gets and atomics may
 * succeed on a rank that has failed; flush tells.
 */
public final class Ompl implements AutoCloseable {
    /** Bytes of a flag, and what its offset is a multiple of. */
    public static final int FLAG_BYTES = 32;
    /** No limit of a wait. */
    public static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    /** How a word, as an unsigned number, is compared to a value. */
    public enum Comparison {
        /** equal */
        EQ,
        /** not equal */
        NE,
        /** greater */
        GT,
        /** greater or equal */
        GE,
        /** less */
        LT,
        /** less or equal */
        LE
    }

    private final Hayate job;
    private final OmplAnchor anchor;
    private final long ompl;
    private final HeapSpan memory;

    private Ompl(Hayate job, long handle, long bytes) {
        this.job = job;
        ompl = handle;
        anchor = new OmplAnchor(handle, job.anchor());
        memory = new HeapSpan(job, SetupDoor.omplMemory(handle), bytes);
        memory.pin(); // for ever: it is not the program's to give back
    }

    /**
     * Opens a space. Collective over the job. The parts come out of the heaps.
     *
     * @param job the job
     * @param bytes size of every rank's part, at least 1, the same on every rank
     * @return the space, to be closed
     * @throws ArgumentException if bytes is not positive; the others wait until the call is made
     *     again
     * @throws MismatchException if a rank gives another size; it is named
     * @throws MemoryExhaustedException if this or another rank's heap has no such room
     * @throws ClosedException if the job is closed
     * @throws PeerFailedException if a rank left the job
     */
    public static Ompl open(Hayate job, long bytes) {
        Errors.required(job, "job").requireOpen();
        long handle = Errors.check(SetupDoor.omplOpen(job.anchor().job(), bytes));
        Reference.reachabilityFence(job);
        return new Ompl(job, handle, bytes);
    }

    /**
     * Size of a rank's part.
     *
     * @return bytes
     */
    public long bytes() {
        return memory.bytes();
    }

    /**
     * This rank's part. It cannot be given back on its own; after close of the space it stays
     * readable, but the heap may have given it to somebody else. Plain reads of a flag or word are
     * not ordered: {@link #load}, {@link #poll} or a wait comes first.
     *
     * @return the memory
     */
    public HeapSpan memory() {
        return memory;
    }

    // ---- data

    /**
     * Writes all of a span to a target; see {@link #put(Span, long, long, int, long)}.
     *
     * @param span what to write
     * @param target the rank
     * @param at where, in its part
     */
    public void put(Span span, int target, long at) {
        put(span, 0, Errors.required(span, "span").bytes, target, at);
    }

    /**
     * Writes to a target; the memory may be rewritten on return. The two must not overlap.
     *
     * @param span where the data are
     * @param offset bytes from the beginning of the span
     * @param bytes how many
     * @param target the rank
     * @param at where, in its part
     * @throws HayateException see the class
     */
    public void put(Span span, long offset, long bytes, int target, long at) {
        long start = Messages.start(job, span, offset, bytes);
        int rc = span.array == null
                ? OmplDoor.put(ompl, start, bytes, target, at)
                : OmplDoor.putArray(ompl, span.array, start, bytes, target, at);
        done(rc, span);
    }

    /**
     * Reads from a target, as many bytes as the span has.
     *
     * @param span where to put them
     * @param target the rank
     * @param at where, in its part
     */
    public void get(Span span, int target, long at) {
        get(span, 0, Errors.required(span, "span").bytes, target, at);
    }

    /**
     * Reads from a target; complete on return.
     *
     * @param span where to put the data
     * @param offset bytes from the beginning of the span
     * @param bytes how many
     * @param target the rank
     * @param at where, in its part
     * @throws HayateException see the class
     */
    public void get(Span span, long offset, long bytes, int target, long at) {
        long start = Messages.startWritable(job, span, offset, bytes);
        int rc = span.array == null
                ? OmplDoor.get(ompl, start, bytes, target, at)
                : OmplDoor.getArray(ompl, span.array, start, bytes, target, at);
        done(rc, span);
    }

    /**
     * What this thread put to a target is visible there afterwards.
     *
     * @param target the rank
     * @throws PeerFailedException if it died, was stopped or left
     * @throws HayateException see the class
     */
    public void flush(int target) {
        if (target < 0) {
            throw Errors.argument("target " + target + ": expected a rank, 0 to "
                    + (job.size() - 1));
        }
        done(OmplDoor.flush(ompl, target), null);
    }

    /**
     * What this thread put to any rank is visible there afterwards.
     *
     * @throws PeerFailedException if one died, was stopped or left; the others were flushed
     * @throws HayateException see the class
     */
    public void flush() {
        done(OmplDoor.flush(ompl, -1), null);
    }

    // ---- flags

    /**
     * Switches a flag of a target: its value becomes 1, its other longs 0.
     *
     * @param target the rank
     * @param flag where, in its part
     * @throws HayateException see the class
     */
    public void putWord(int target, long flag) {
        putFlag(target, flag, 1);
    }

    /**
     * Writes a flag of a target, its other longs 0.
     *
     * @param target the rank
     * @param flag where, in its part
     * @param value what waits look at
     * @throws HayateException see the class
     */
    public void putFlag(int target, long flag, long value) {
        putFlag(target, flag, value, 0, 0, 0);
    }

    /**
     * Writes a flag of a target. Who sees the value finds the other longs behind it, 8, 16 and 24
     * bytes from its offset.
     *
     * @param target the rank
     * @param flag where, in its part
     * @param value what waits look at
     * @param first comes with it
     * @param second comes with it
     * @param third comes with it
     * @throws HayateException see the class
     */
    public void putFlag(int target, long flag, long value, long first, long second, long third) {
        done(OmplDoor.putFlag(ompl, target, flag, value, first, second, third), null);
    }

    /**
     * Writes all of a span to a target, then a flag there, in one call.
     *
     * @param span what to write
     * @param target the rank
     * @param at where, in its part
     * @param flag the flag, in its part
     * @param value of the flag
     */
    public void putSignal(Span span, int target, long at, long flag, long value) {
        putSignal(span, 0, Errors.required(span, "span").bytes, target, at, flag, value);
    }

    /**
     * Writes to a target, then a flag there, in one call.
     *
     * @param span where the data are
     * @param offset bytes from the beginning of the span
     * @param bytes how many
     * @param target the rank
     * @param at where, in its part
     * @param flag the flag, in its part
     * @param value of the flag
     * @throws HayateException see the class
     */
    public void putSignal(Span span, long offset, long bytes, int target, long at, long flag,
            long value) {
        long start = Messages.start(job, span, offset, bytes);
        int rc = span.array == null
                ? OmplDoor.putSignal(ompl, start, bytes, target, at, flag, value)
                : OmplDoor.putSignalArray(ompl, span.array, start, bytes, target, at, flag, value);
        done(rc, span);
    }

    /**
     * Switches a flag or word of this rank's part off: its value becomes 0. Reads that this thread
     * made before are over.
     *
     * @param word where
     * @throws HayateException see the class
     */
    public void clear(long word) {
        done(OmplDoor.clear(ompl, word), null);
    }

    /**
     * Looks at a flag or word of this rank's part. Never blocks.
     *
     * @param word where
     * @return whether its value is not 0
     * @throws HayateException see the class
     */
    public boolean poll(long word) {
        return load(word) != 0;
    }

    /**
     * The value of a flag or word of this rank's part.
     *
     * @param word where
     * @return what it holds; what was written before it is visible
     * @throws HayateException see the class
     */
    public long load(long word) {
        return value(OmplDoor.load(ompl, word));
    }

    /**
     * Waits until a flag or word of this rank's part is not 0.
     *
     * @param word where
     * @throws HayateException see the class
     */
    public void await(long word) {
        waitUntil(word, Comparison.NE, 0);
    }

    /**
     * Waits until a word of this rank's part compares so to a value.
     *
     * @param word where
     * @param comparison how, as unsigned numbers
     * @param value with what
     * @throws HayateException see the class
     */
    public void waitUntil(long word, Comparison comparison, long value) {
        waitUntil(word, comparison, value, FOREVER, false);
    }

    /**
     * Waits until a word of this rank's part compares so to a value, for a time.
     *
     * @param word where
     * @param comparison how, as unsigned numbers
     * @param value with what
     * @param timeout how long at most; zero does not block
     * @return whether it does
     * @throws HayateException see the class
     */
    public boolean waitUntil(long word, Comparison comparison, long value, Duration timeout) {
        return waitUntil(word, comparison, value, timeout, false);
    }

    /**
     * Waits until a word of this rank's part compares so to a value, for a time.
     *
     * @param word where
     * @param comparison how, as unsigned numbers
     * @param value with what
     * @param timeout how long at most, {@link #FOREVER} without limit; zero does not block
     * @param ignoreFailures whether the wait goes on when a rank of the job has failed
     * @return whether it does
     * @throws HayateException see the class
     */
    public boolean waitUntil(long word, Comparison comparison, long value, Duration timeout,
            boolean ignoreFailures) {
        int how = Errors.required(comparison, "comparison").ordinal();
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

    /** -1: no limit. */
    private static long nanos(Duration timeout) {
        if (Errors.required(timeout, "timeout").isNegative()) {
            throw Errors.argument("time-out " + timeout + ": expected 0 or more");
        }
        try {
            return timeout.toNanos();
        } catch (ArithmeticException centuries) {
            return -1;
        }
    }

    private static long micros(long nanos) {
        return nanos < 0 ? -1 : nanos / 1000 + (nanos % 1000 == 0 ? 0 : 1);
    }

    // ---- atomics

    /**
     * Reads a word of a target.
     *
     * @param target the rank
     * @param word where, in its part
     * @return what it holds
     * @throws HayateException see the class
     */
    public long fetch(int target, long word) {
        return value(OmplDoor.atomic(ompl, target, word, OmplDoor.FETCH, 0, 0));
    }

    /**
     * Adds to a word of a target, and wakes who waits for it.
     *
     * @param target the rank
     * @param word where, in its part
     * @param operand what to add
     * @return what it held before
     * @throws HayateException see the class
     */
    public long fetchAdd(int target, long word, long operand) {
        return value(OmplDoor.atomic(ompl, target, word, OmplDoor.ADD, operand, 0));
    }

    /**
     * Clears bits of a word of a target, and wakes who waits for it.
     *
     * @param target the rank
     * @param word where, in its part
     * @param operand the bits to keep
     * @return what it held before
     * @throws HayateException see the class
     */
    public long fetchAnd(int target, long word, long operand) {
        return value(OmplDoor.atomic(ompl, target, word, OmplDoor.AND, operand, 0));
    }

    /**
     * Sets bits of a word of a target, and wakes who waits for it.
     *
     * @param target the rank
     * @param word where, in its part
     * @param operand the bits to set
     * @return what it held before
     * @throws HayateException see the class
     */
    public long fetchOr(int target, long word, long operand) {
        return value(OmplDoor.atomic(ompl, target, word, OmplDoor.OR, operand, 0));
    }

    /**
     * Writes a word of a target, and wakes who waits for it.
     *
     * @param target the rank
     * @param word where, in its part
     * @param value what to write
     * @return what it held before
     * @throws HayateException see the class
     */
    public long swap(int target, long word, long value) {
        return value(OmplDoor.atomic(ompl, target, word, OmplDoor.SWAP, value, 0));
    }

    /**
     * Writes a word of a target if it holds what is expected, and wakes who waits for it.
     *
     * @param target the rank
     * @param word where, in its part
     * @param expected what it should hold
     * @param desired what to write
     * @return what it held before: {@code expected} if it was written
     * @throws HayateException see the class
     */
    public long compareSwap(int target, long word, long expected, long desired) {
        return value(OmplDoor.atomic(ompl, target, word, OmplDoor.COMPARE_SWAP, desired,
                expected));
    }

    private long value(long result) {
        int rc = result == OmplDoor.FAILED ? OmplDoor.failure() : 0;
        done(rc, null);
        return result;
    }

    private void done(int rc, Span span) {
        Reference.reachabilityFence(span);
        Reference.reachabilityFence(anchor);
        if (rc < 0) {
            throw Errors.last(rc);
        }
    }

    /**
     * Closes the space on this rank; idempotent, not collective: no rank may address this one any
     * more. Waits of other threads end with {@link ClosedException}. The heap has the memory back
     * when the ranks meet the next time ({@link #open}, {@link Fmpl#create}).
     */
    @Override
    public void close() {
        SetupDoor.omplClose(ompl);
        Reference.reachabilityFence(anchor);
    }
}
