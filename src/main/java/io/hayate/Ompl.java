// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.OmplBinding;
import io.hayate.internal.job.HeapBlock;
import io.hayate.internal.job.Memory;
import io.hayate.internal.ompl.OmplCalls;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * A partitioned global address space, after the Omni PGAS communication layer (OMPL): tasks on many
 * threads of many ranks write into each other's memory and wait for flags in it. There are no
 * channels, no matching and no queues.
 *
 * <p>Every rank has a part of the same size. An address is a target rank and an offset in bytes of
 * its part; this rank's part is {@link #memory()}. All of it is 0 at first.
 *
 * <p><strong>Data before flag.</strong> Whoever has seen a flag or word that a thread wrote by
 * {@link #putWord}, {@link #putFlag}, {@link #putSignal} or an atomic (by a wait, {@link #poll},
 * {@link #load}, or an atomic of its own) sees all that this thread put to <em>the same target</em>
 * before. What went to other targets is there after a {@link #flush(int)} of them, and so is what
 * somebody is to see who is told by other means (a message, a barrier). The order of accesses of
 * different tasks is the program's.
 *
 * <p><strong>Flags</strong> are {@value #FLAG_BYTES} bytes at multiples of that: a value that waits
 * look at, and three longs that come with it. <strong>Words</strong> are longs at multiples of 8;
 * waits and atomics work on any of them, so on the value of a flag, too. A plain put into one wakes
 * nobody and is no signal.
 *
 * <p><strong>Threads.</strong> Any number of threads may be in any call at once; none takes a lock
 * inside of a node. Several may wait for one flag. A wait of a virtual thread does not hold its
 * carrier for longer than some microseconds; but gets, atomics and flushes of ranks of other nodes
 * hold it for their round trip. An interrupt does not end a wait.
 *
 * <p><strong>Errors.</strong> {@link ArgumentException} (null, target out of range, bytes outside
 * of the space, misaligned flag or word, memory of another job), {@link ClosedException}. A call
 * that fails on its arguments changes nothing. A wait names no peer: unless told to ignore that, it
 * ends with {@link PeerFailedException} when any rank of the job has died or was stopped, within a
 * second, or after {@code HAYATE_NET_SILENCE} where the rank is of another node and nobody tells. A
 * rank that left in order is no failure. Puts, gets and atomics may succeed on a rank that has
 * failed; flush tells. {@code poll}, {@code load} and a wait of no time only look at the word, and
 * report no death: in a loop, wait for at least a microsecond.
 */
public final class Ompl implements AutoCloseable {
    /** Bytes of a flag, and what its offset is a multiple of. */
    public static final int FLAG_BYTES = 32;
    /** An endpoint for each thread. */
    public static final int PER_THREAD = 0;
    /** Endpoints in a free list at most. */
    public static final int MOST_ENDPOINTS = 64;
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

    private final OmplCalls calls;
    private final HeapSpan memory;

    private Ompl(OmplCalls calls, HeapBlock memory) {
        this.calls = calls;
        this.memory = new HeapSpan(memory);
    }

    /**
     * Opens a space. Collective over the job. The parts come out of the heaps.
     *
     * @param job the job
     * @param bytes size of every rank's part, at least 1, the same on every rank
     * @return the space, to be closed
     * @throws ArgumentException if bytes is not positive; the others wait until the call is made
     *     again
     * @throws MismatchException if a rank gives another size, has a wrong setting, or makes
     *     something else (an Fmpl, a communicator); it is named
     * @throws MemoryExhaustedException if this or another rank's heap has no such room
     * @throws ClosedException if the job is closed
     * @throws PeerFailedException if a rank left the job
     */
    public static Ompl open(Hayate job, long bytes) {
        return open(job, bytes, PER_THREAD);
    }

    /**
     * Opens a space whose operations go by an endpoint for each thread, or by a free list of few.
     * With fewer endpoints than threads an operation may wait until one is free; what
     * {@link #putStart} and {@link #getStart} begin keeps its endpoint until the thread's next
     * flush, flag, atomic, or wait that blocks. {@code HAYATE_ENDPOINTS}
     * ({@code thread} or a number) goes before the argument. See {@link #open(Hayate, long)}.
     *
     * @param job the job
     * @param bytes size of every rank's part
     * @param endpoints of this rank: {@link #PER_THREAD}, or 1 to {@value #MOST_ENDPOINTS}
     * @return the space, to be closed
     */
    public static Ompl open(Hayate job, long bytes, int endpoints) {
        return OmplCalls.open(Hayate.requireOpen(job), bytes, endpoints, Ompl::new);
    }

    /**
     * Endpoints of this rank's list.
     *
     * @return their number, or {@link #PER_THREAD}
     */
    public int endpoints() {
        return calls.endpoints();
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
        put(span, 0, Span.memory(span).bytes, target, at);
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
        calls.put(Span.memory(span), offset, bytes, target, at);
    }

    /**
     * Reads from a target, as many bytes as the span has.
     *
     * @param span where to put them
     * @param target the rank
     * @param at where, in its part
     */
    public void get(Span span, int target, long at) {
        get(span, 0, Span.memory(span).bytes, target, at);
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
        calls.get(Span.memory(span), offset, bytes, target, at);
    }

    /**
     * As {@link #put(Span, int, long)}, but the memory must not change before a {@link #flush(int)}
     * of the target. Of arrays, and in virtual threads, it is over on return. While it is under way
     * to a rank of another node the memory stays reachable, and its heap span cannot be closed;
     * memory of an arena is written before the return.
     *
     * @param span what to write
     * @param target the rank
     * @param at where, in its part
     * @throws HayateException see the class
     */
    public void putStart(Span span, int target, long at) {
        calls.putStart(Span.memory(span), target, at);
    }

    /**
     * As {@link #get(Span, int, long)}, but the data are there after a {@link #flush(int)} of the
     * target. Of arrays, and in virtual threads, it is over on return.
     *
     * @param span where to put them
     * @param target the rank
     * @param at where, in its part
     * @throws HayateException see the class
     */
    public void getStart(Span span, int target, long at) {
        calls.getStart(Span.memory(span), target, at);
    }

    /**
     * Writes pieces to one target in one call; all are checked before the first byte is written.
     * The memory may be rewritten on return.
     *
     * @param target the rank
     * @param pieces what to write, and where
     * @throws HayateException see the class
     */
    public void putVector(int target, List<OmplPiece> pieces) {
        vector(false, target, pieces);
    }

    /**
     * Reads pieces from one target in one call; complete on return.
     *
     * @param target the rank
     * @param pieces where to put the data, and where they are
     * @throws HayateException see the class
     */
    public void getVector(int target, List<OmplPiece> pieces) {
        vector(true, target, pieces);
    }

    /** The list may change meanwhile: it is looked at once. */
    private void vector(boolean gets, int target, List<OmplPiece> pieces) {
        List<OmplPiece> list = new ArrayList<>(Errors.required(pieces, "list of pieces"));
        Memory[] memories = new Memory[list.size()];
        long[] offsets = new long[memories.length];
        for (int i = 0; i < memories.length; i++) {
            OmplPiece piece = Errors.required(list.get(i), "piece " + i);
            memories[i] = Errors.required(piece.span(), "span of piece " + i).memory;
            offsets[i] = piece.at();
        }
        calls.vector(gets, target, memories, offsets);
    }

    /**
     * What this thread put to a target is visible there afterwards, and all that it started with it
     * is complete; so is what others had put and started, as this thread knows.
     *
     * @param target the rank
     * @throws PeerFailedException if it died, was stopped or left
     * @throws HayateException see the class
     */
    public void flush(int target) {
        calls.flush(target);
    }

    /**
     * What this thread put to any rank is visible there afterwards, and all that it started is
     * complete.
     *
     * @throws PeerFailedException if one died, was stopped or left; the others were flushed
     * @throws HayateException see the class
     */
    public void flush() {
        calls.flush();
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
     * Writes a flag of a target. A thread that sees the value finds the other longs behind it, at
     * 8, 16 and 24 bytes from its offset.
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
        calls.putFlag(target, flag, value, first, second, third);
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
        putSignal(span, 0, Span.memory(span).bytes, target, at, flag, value);
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
        calls.putSignal(Span.memory(span), offset, bytes, target, at, flag, value);
    }

    /**
     * Switches a flag or word of this rank's part off: its value becomes 0. Reads that this thread
     * made before are over.
     *
     * @param word where
     * @throws HayateException see the class
     */
    public void clear(long word) {
        calls.clear(word);
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
        return calls.load(word);
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
        return calls.waitUntil(word, Errors.required(comparison, "comparison").ordinal(), value,
                timeout, ignoreFailures);
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
        return calls.atomic(target, word, OmplBinding.FETCH, 0, 0);
    }

    /**
     * Adds to a word of a target, and wakes the threads that wait for it.
     *
     * @param target the rank
     * @param word where, in its part
     * @param operand what to add
     * @return what it held before
     * @throws HayateException see the class
     */
    public long fetchAdd(int target, long word, long operand) {
        return calls.atomic(target, word, OmplBinding.ADD, operand, 0);
    }

    /**
     * Clears bits of a word of a target, and wakes the threads that wait for it.
     *
     * @param target the rank
     * @param word where, in its part
     * @param operand the bits to keep
     * @return what it held before
     * @throws HayateException see the class
     */
    public long fetchAnd(int target, long word, long operand) {
        return calls.atomic(target, word, OmplBinding.AND, operand, 0);
    }

    /**
     * Sets bits of a word of a target, and wakes the threads that wait for it.
     *
     * @param target the rank
     * @param word where, in its part
     * @param operand the bits to set
     * @return what it held before
     * @throws HayateException see the class
     */
    public long fetchOr(int target, long word, long operand) {
        return calls.atomic(target, word, OmplBinding.OR, operand, 0);
    }

    /**
     * Writes a word of a target, and wakes the threads that wait for it.
     *
     * @param target the rank
     * @param word where, in its part
     * @param value what to write
     * @return what it held before
     * @throws HayateException see the class
     */
    public long swap(int target, long word, long value) {
        return calls.atomic(target, word, OmplBinding.SWAP, value, 0);
    }

    /**
     * Writes a word of a target if it holds what is expected, and wakes the threads that wait for
     * it.
     *
     * @param target the rank
     * @param word where, in its part
     * @param expected what it should hold
     * @param desired what to write
     * @return what it held before: {@code expected} if it was written
     * @throws HayateException see the class
     */
    public long compareSwap(int target, long word, long expected, long desired) {
        return calls.atomic(target, word, OmplBinding.COMPARE_SWAP, desired, expected);
    }

    /**
     * Closes the space on this rank; idempotent, not collective: no rank may address this one any
     * more. Waits of other threads end with {@link ClosedException}. The heap has the memory back
     * when the ranks meet the next time ({@link #open}, {@link Fmpl#create}).
     */
    @Override
    public void close() {
        calls.close();
    }
}
