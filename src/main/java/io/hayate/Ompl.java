// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.bindings.OmplBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.HeapBlock;
import io.hayate.internal.job.Memory;
import io.hayate.internal.ompl.OmplCalls;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * A partitioned global address space, following the Omni PGAS communication layer (OMPL): the
 * threads of all ranks write into each other's memory and wait for flags in it. There are no
 * channels, no matching and no queues.
 *
 * <p>Every rank has a part of the same size. An address is a target rank and an offset in bytes in
 * its part; the part of this rank is {@link #memory()}. All bytes are 0 at first.
 *
 * <p><strong>Data before flag.</strong> A thread that has seen a flag or word written by another
 * thread with {@link #putWord}, {@link #putFlag}, {@link #putSignal} or an atomic (seen by a wait,
 * {@link #poll}, {@link #load}, or an atomic operation) also sees everything that the writing
 * thread put to <em>the same target</em> before. Puts to other targets are visible after a
 * {@link #flush(int)} of these targets. A flush is also necessary before the program tells another
 * thread about the data by other means, such as a message or a barrier. The program must order the
 * accesses of different threads itself.
 *
 * <p><strong>Flags</strong> are {@value #FLAG_BYTES} bytes at multiples of that: a value that waits
 * compare, and three longs that travel with it. <strong>Words</strong> are longs at multiples of 8;
 * waits and atomics work on any of them, and also on the value of a flag. A plain put into a word
 * wakes no waiting thread and is not a signal.
 *
 * <!-- java: Hayate job; Span tile; int right; long step; abstract void use(HeapSpan memory); -->
 * <pre>{@code
 * try (Ompl ompl = Ompl.open(job, 64 << 20)) {                  // called by all ranks
 *     ompl.putSignal(tile, right, 4096, 0, step);               // data at 4096, then the flag at 0
 *     ompl.waitUntil(0, Ompl.Comparison.GE, step);              // what the left neighbour has put
 *     use(ompl.memory());                                       // the part of this rank
 * }
 * }</pre>
 *
 * <p><strong>Threads.</strong> Any number of threads may be in any call at once; inside a node no
 * call takes a lock. Several threads may wait for one flag. A wait of a virtual thread pins its
 * carrier for a few microseconds at most; but gets, atomics and flushes to ranks on other nodes pin
 * it for their round trip. An interrupt does not end a wait.
 *
 * <p><strong>Errors.</strong> {@link ArgumentException} (null, target out of range, bytes outside
 * the space, misaligned flag or word, memory of another job), {@link ClosedException}. A call that
 * fails because of its arguments changes nothing. A wait names no peer: unless failures are to be
 * ignored, it ends with {@link PeerFailedException} if any rank of the job has died or was stopped.
 * This takes up to a second, or {@code HAYATE_NET_SILENCE} if the rank is on another node that
 * reports nothing. A rank that has left the job in order is not a failure. Puts, gets and atomics
 * to a rank that has failed may succeed; flush reports the failure. {@code poll}, {@code load} and
 * a wait with a time-out of zero only read the word, and report no death: in a loop, wait for at
 * least a microsecond.
 */
public final class Ompl implements AutoCloseable {
    /** The size of a flag in bytes; its offset is a multiple of this. */
    public static final int FLAG_BYTES = 32;
    /** The value of {@link #endpoints()} for one endpoint per thread. */
    public static final int PER_THREAD = 0;
    /** The largest number of endpoints in a free list. */
    public static final int MOST_ENDPOINTS = 64;
    /** The time-out of a wait without limit. */
    public static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    /** How a wait compares a word, as an unsigned number, to a value. */
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
     * Opens a space. Collective over the job. The part of each rank is allocated in its heap.
     *
     * @param job the job
     * @param bytes size of every rank's part, at least 1, the same on every rank
     * @return the space; the caller closes it
     * @throws ArgumentException if bytes is not positive; the other ranks wait until this rank
     *     calls again
     * @throws MismatchException if a rank passes another size, has an invalid setting, or calls
     *     another set-up (an Fmpl, a communicator); the text names the rank
     * @throws MemoryExhaustedException if the heap of this or another rank does not have so much
     *     room
     * @throws ClosedException if the job is closed
     * @throws PeerFailedException if a rank left the job
     */
    public static Ompl open(Hayate job, long bytes) {
        return open(job, bytes, PER_THREAD);
    }

    /**
     * Opens a space whose operations use one endpoint for each thread, or a free list of a few
     * endpoints. With fewer endpoints than threads, an operation may wait until an endpoint is
     * free. An operation that {@link #putStart} or {@link #getStart} has started keeps its endpoint
     * until the thread's next flush, flag, atomic, or wait that blocks. {@code HAYATE_ENDPOINTS}
     * ({@code thread} or a number) takes precedence over the argument. See
     * {@link #open(Hayate, long)}.
     *
     * @param job the job
     * @param bytes size of every rank's part
     * @param endpoints number of endpoints of this rank: {@link #PER_THREAD}, or 1 to
     *     {@value #MOST_ENDPOINTS}
     * @return the space; the caller closes it
     */
    public static Ompl open(Hayate job, long bytes, int endpoints) {
        return OmplCalls.open(Hayate.requireOpen(job), bytes, endpoints, Ompl::new);
    }

    /**
     * Returns the number of endpoints in the free list of this rank.
     *
     * @return the number, or {@link #PER_THREAD}
     */
    public int endpoints() {
        return calls.endpoints();
    }

    /**
     * Returns the size of a rank's part.
     *
     * @return bytes
     */
    public long bytes() {
        return memory.bytes();
    }

    /**
     * Returns the part of this rank. It cannot be freed separately. After the space is closed it
     * stays readable, but the heap may have allocated the memory again. Plain reads of a flag or
     * word are not ordered: call {@link #load}, {@link #poll} or a wait first.
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
     * @param span the data to write
     * @param target the rank
     * @param at offset in its part, in bytes
     */
    public void put(Span span, int target, long at) {
        put(span, 0, Span.memory(span).bytes, target, at);
    }

    /**
     * Writes to a target. On return the memory may be changed again. Source and destination must
     * not overlap.
     *
     * @param span the memory that contains the data
     * @param offset bytes from the beginning of the span
     * @param bytes number of bytes
     * @param target the rank
     * @param at offset in its part, in bytes
     * @throws HayateException the exceptions that the class describes
     */
    public void put(Span span, long offset, long bytes, int target, long at) {
        calls.put(Span.memory(span), offset, bytes, target, at);
    }

    /**
     * Reads from a target into a whole span.
     *
     * @param span the memory for the data
     * @param target the rank
     * @param at offset in its part, in bytes
     */
    public void get(Span span, int target, long at) {
        get(span, 0, Span.memory(span).bytes, target, at);
    }

    /**
     * Reads from a target. The data are complete on return.
     *
     * @param span the memory for the data
     * @param offset bytes from the beginning of the span
     * @param bytes number of bytes
     * @param target the rank
     * @param at offset in its part, in bytes
     * @throws HayateException the exceptions that the class describes
     */
    public void get(Span span, long offset, long bytes, int target, long at) {
        calls.get(Span.memory(span), offset, bytes, target, at);
    }

    /**
     * Starts a {@link #put(Span, int, long)}: the memory must not change before a
     * {@link #flush(int)} of the target. A put from an array, or in a virtual thread, is complete
     * on return. While a put to a rank on another node is in progress, its memory stays reachable,
     * and its heap span cannot be closed; memory of an arena is written before the method returns.
     *
     * @param span the data to write
     * @param target the rank
     * @param at offset in its part, in bytes
     * @throws HayateException the exceptions that the class describes
     */
    public void putStart(Span span, int target, long at) {
        calls.putStart(Span.memory(span), target, at);
    }

    /**
     * Starts a {@link #get(Span, int, long)}: the data are complete after a {@link #flush(int)} of
     * the target. A get into an array, or in a virtual thread, is complete on return.
     *
     * @param span the memory for the data
     * @param target the rank
     * @param at offset in its part, in bytes
     * @throws HayateException the exceptions that the class describes
     */
    public void getStart(Span span, int target, long at) {
        calls.getStart(Span.memory(span), target, at);
    }

    /**
     * Writes several pieces to one target. All of them are checked before the first byte is
     * written. On return the memory may be changed again.
     *
     * @param target the rank
     * @param pieces the data to write, and their offsets
     * @throws HayateException the exceptions that the class describes
     */
    public void putVector(int target, List<OmplPiece> pieces) {
        vector(false, target, pieces);
    }

    /**
     * Reads several pieces from one target. The data are complete on return.
     *
     * @param target the rank
     * @param pieces the memory for the data, and the offsets of the data
     * @throws HayateException the exceptions that the class describes
     */
    public void getVector(int target, List<OmplPiece> pieces) {
        vector(true, target, pieces);
    }

    /** The list is read once, because another thread may change it meanwhile. */
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
     * Waits until everything that this thread has put to a target is visible there, and all its
     * started operations with the target are complete. This includes operations of other threads
     * that happened before this call.
     *
     * @param target the rank
     * @throws PeerFailedException if the target died, was stopped, or left the job
     * @throws HayateException the exceptions that the class describes
     */
    public void flush(int target) {
        calls.flush(target);
    }

    /**
     * Waits until everything that this thread has put to any rank is visible there, and all
     * operations that it has started are complete.
     *
     * @throws PeerFailedException if a rank died, was stopped, or left the job; the others were
     *     flushed
     * @throws HayateException the exceptions that the class describes
     */
    public void flush() {
        calls.flush();
    }

    // ---- flags

    /**
     * Sets a flag of a target: its value becomes 1, its other longs become 0.
     *
     * @param target the rank
     * @param flag offset of the flag in its part, in bytes
     * @throws HayateException the exceptions that the class describes
     */
    public void putWord(int target, long flag) {
        putFlag(target, flag, 1);
    }

    /**
     * Writes the value of a flag of a target; its other longs become 0.
     *
     * @param target the rank
     * @param flag offset of the flag in its part, in bytes
     * @param value the value that waits compare
     * @throws HayateException the exceptions that the class describes
     */
    public void putFlag(int target, long flag, long value) {
        putFlag(target, flag, value, 0, 0, 0);
    }

    /**
     * Writes a flag of a target. A thread that sees the value also sees the other longs, which are
     * at 8, 16 and 24 bytes from the offset of the flag.
     *
     * @param target the rank
     * @param flag offset of the flag in its part, in bytes
     * @param value the value that waits compare
     * @param first the first long that travels with the value
     * @param second the second long
     * @param third the third long
     * @throws HayateException the exceptions that the class describes
     */
    public void putFlag(int target, long flag, long value, long first, long second, long third) {
        calls.putFlag(target, flag, value, first, second, third);
    }

    /**
     * Writes all of a span to a target, and then a flag there.
     *
     * @param span the data to write
     * @param target the rank
     * @param at offset in its part, in bytes
     * @param flag offset of the flag in its part, in bytes
     * @param value the value of the flag
     */
    public void putSignal(Span span, int target, long at, long flag, long value) {
        putSignal(span, 0, Span.memory(span).bytes, target, at, flag, value);
    }

    /**
     * Writes to a target, and then a flag there.
     *
     * @param span the memory that contains the data
     * @param offset bytes from the beginning of the span
     * @param bytes number of bytes
     * @param target the rank
     * @param at offset in its part, in bytes
     * @param flag offset of the flag in its part, in bytes
     * @param value the value of the flag
     * @throws HayateException the exceptions that the class describes
     */
    public void putSignal(Span span, long offset, long bytes, int target, long at, long flag,
            long value) {
        calls.putSignal(Span.memory(span), offset, bytes, target, at, flag, value);
    }

    /**
     * Sets the value of a flag or word of this rank's part to 0. Earlier reads of this thread are
     * complete before.
     *
     * @param word offset of the word, in bytes
     * @throws HayateException the exceptions that the class describes
     */
    public void clear(long word) {
        calls.clear(word);
    }

    /**
     * Tells whether a flag or word of this rank's part is set. Never blocks.
     *
     * @param word offset of the word, in bytes
     * @return whether its value is not 0
     * @throws HayateException the exceptions that the class describes
     */
    public boolean poll(long word) {
        return load(word) != 0;
    }

    /**
     * Returns the value of a flag or word of this rank's part (an acquire load).
     *
     * @param word offset of the word, in bytes
     * @return the value; everything that its writer wrote before it is visible
     * @throws HayateException the exceptions that the class describes
     */
    public long load(long word) {
        return calls.load(word);
    }

    /**
     * Waits until a flag or word of this rank's part is not 0.
     *
     * @param word offset of the word, in bytes
     * @throws HayateException the exceptions that the class describes
     */
    public void await(long word) {
        waitUntil(word, Comparison.NE, 0);
    }

    /**
     * Waits until the comparison of a word of this rank's part with a value is true.
     *
     * @param word offset of the word, in bytes
     * @param comparison the comparison, of unsigned numbers
     * @param value the value to compare with
     * @throws HayateException the exceptions that the class describes
     */
    public void waitUntil(long word, Comparison comparison, long value) {
        waitUntil(word, comparison, value, FOREVER, false);
    }

    /**
     * Waits for a limited time until the comparison of a word of this rank's part with a value is
     * true.
     *
     * @param word offset of the word, in bytes
     * @param comparison the comparison, of unsigned numbers
     * @param value the value to compare with
     * @param timeout the longest time to wait; zero does not block
     * @return whether the comparison is true
     * @throws HayateException the exceptions that the class describes
     */
    public boolean waitUntil(long word, Comparison comparison, long value, Duration timeout) {
        return waitUntil(word, comparison, value, timeout, false);
    }

    /**
     * Waits for a limited time until the comparison of a word of this rank's part with a value is
     * true, and may ignore failures of ranks.
     *
     * @param word offset of the word, in bytes
     * @param comparison the comparison, of unsigned numbers
     * @param value the value to compare with
     * @param timeout the longest time to wait; {@link #FOREVER}: without limit; zero does not block
     * @param ignoreFailures whether the wait continues if a rank of the job has failed
     * @return whether the comparison is true
     * @throws HayateException the exceptions that the class describes
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
     * @param word offset of the word in its part, in bytes
     * @return its value
     * @throws HayateException the exceptions that the class describes
     */
    public long fetch(int target, long word) {
        return calls.atomic(target, word, OmplBinding.FETCH, 0, 0);
    }

    /**
     * Adds to a word of a target, and wakes threads that wait for it.
     *
     * @param target the rank
     * @param word offset of the word in its part, in bytes
     * @param operand the number to add
     * @return the previous value
     * @throws HayateException the exceptions that the class describes
     */
    public long fetchAdd(int target, long word, long operand) {
        return calls.atomic(target, word, OmplBinding.ADD, operand, 0);
    }

    /**
     * Clears bits of a word of a target, and wakes the threads that wait for it.
     *
     * @param target the rank
     * @param word offset of the word in its part, in bytes
     * @param operand the bits to keep
     * @return the previous value
     * @throws HayateException the exceptions that the class describes
     */
    public long fetchAnd(int target, long word, long operand) {
        return calls.atomic(target, word, OmplBinding.AND, operand, 0);
    }

    /**
     * Sets bits of a word of a target, and wakes the threads that wait for it.
     *
     * @param target the rank
     * @param word offset of the word in its part, in bytes
     * @param operand the bits to set
     * @return the previous value
     * @throws HayateException the exceptions that the class describes
     */
    public long fetchOr(int target, long word, long operand) {
        return calls.atomic(target, word, OmplBinding.OR, operand, 0);
    }

    /**
     * Writes a word of a target, and wakes the threads that wait for it.
     *
     * @param target the rank
     * @param word offset of the word in its part, in bytes
     * @param value the new value
     * @return the previous value
     * @throws HayateException the exceptions that the class describes
     */
    public long swap(int target, long word, long value) {
        return calls.atomic(target, word, OmplBinding.SWAP, value, 0);
    }

    /**
     * Writes a word of a target if it has the expected value, and wakes threads that wait for it.
     *
     * @param target the rank
     * @param word offset of the word in its part, in bytes
     * @param expected the expected value
     * @param desired the new value
     * @return the previous value; it is {@code expected} if the word was written
     * @throws HayateException the exceptions that the class describes
     */
    public long compareSwap(int target, long word, long expected, long desired) {
        return calls.atomic(target, word, OmplBinding.COMPARE_SWAP, desired, expected);
    }

    /**
     * Closes the space on this rank; idempotent, not collective. No rank may access the part of
     * this rank afterwards. Waits of other threads end with {@link ClosedException}. The memory
     * returns to the heap at the next set-up of all ranks ({@link #open}, {@link Fmpl#create}).
     */
    @Override
    public void close() {
        calls.close();
    }
}
