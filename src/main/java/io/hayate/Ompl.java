// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.bindings.OmplBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.fmpl.ReduceOp;
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
 * <p><strong>Accumulates</strong> ({@link #accumulate}, {@link #getAccumulate}, {@code fetchAndOp},
 * {@link #compareAndSwap}, {@link #putAtomic}, {@link #getAtomic}, {@link #exchange}) operate on
 * elements of the predefined reductions. They are atomic for each element with respect to each
 * other, from all ranks and threads, whatever their operations, but not with respect to puts, flags
 * and the atomics on words. Like a put, an accumulate is visible to a thread that sees a later flag
 * of the same thread, or after a flush; it wakes no waiting thread. Its offset is a multiple of the
 * alignment of an element. It takes a lock of the target's part: inside a node for some
 * microseconds at a time, on another node for the whole call. If a rank dies while it holds the
 * lock, accumulates into this part end with {@link PeerFailedException} from then on.
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
 * <p><strong>Threads.</strong> Any number of threads may be in any call at once; inside a node only
 * accumulates take a lock. Several threads may wait for one flag. A wait of a virtual thread pins
 * its carrier for a few microseconds at most; but gets, atomics, accumulates and flushes to ranks
 * on other nodes pin it for their round trips, and accumulates also while they wait for others. An
 * interrupt does not end a wait.
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
     * @throws StateException after {@link Communicator#shrink}
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

    // ---- accumulates

    /**
     * Combines elements of a target with those of a span, one by one, by a predefined reduction:
     * the element of the target becomes <em>itself op the element of the span</em>. See the
     * description of accumulates in this class.
     *
     * @param span the operands
     * @param target the rank
     * @param at offset of the first element in its part, in bytes
     * @param op a predefined reduction
     * @throws HayateException the exceptions that the class describes
     */
    public void accumulate(Span span, int target, long at, Reduction op) {
        ReduceOp reduction = predefined(op);
        calls.accumulate(elements(span, reduction), null, target, at, reduction.operation());
    }

    /**
     * Does {@link #accumulate} and stores the previous elements of the target.
     *
     * @param span the operands
     * @param before memory of the same length for the previous elements, which does not overlap
     *     with the operands
     * @param target the rank
     * @param at offset of the first element in its part, in bytes
     * @param op a predefined reduction
     * @throws HayateException the exceptions that the class describes
     */
    public void getAccumulate(Span span, Span before, int target, long at, Reduction op) {
        ReduceOp reduction = predefined(op);
        calls.accumulate(elements(span, reduction), elements(before, reduction), target, at,
                reduction.operation());
    }

    /**
     * Accumulates one integer.
     *
     * @param target the rank
     * @param at offset of the element in its part, in bytes
     * @param operand the operand, of which the low bytes count
     * @param op a predefined reduction of integers without locations
     * @return the previous element, extended as Java extends its type
     * @throws HayateException the exceptions that the class describes
     */
    public long fetchAndOp(int target, long at, long operand, Reduction op) {
        ReduceOp reduction = number(op, false);
        return element(target, at, reduction.operation(), reduction.element(), operand, 0);
    }

    /**
     * Accumulates one float or double.
     *
     * @param target the rank
     * @param at offset of the element in its part, in bytes
     * @param operand the operand
     * @param op a predefined reduction of FLOAT or DOUBLE without locations
     * @return the previous element
     * @throws HayateException the exceptions that the class describes
     */
    public double fetchAndOp(int target, long at, double operand, Reduction op) {
        ReduceOp reduction = number(op, true);
        boolean isFloat = reduction.element() == Element.FLOAT;
        long bits = isFloat ? Float.floatToRawIntBits((float) operand)
                : Double.doubleToRawLongBits(operand);
        long before = element(target, at, reduction.operation(), reduction.element(), bits, 0);
        return isFloat ? Float.intBitsToFloat((int) before) : Double.longBitsToDouble(before);
    }

    /**
     * Writes an integer of a target if it has the expected value; an accumulate.
     *
     * @param target the rank
     * @param at offset of the element in its part, in bytes
     * @param expected the expected value, of which the low bytes count
     * @param desired the new value, of which the low bytes count
     * @param element the type of the integer; FLOAT and DOUBLE can be compared by their bits
     * @return the previous value, extended as Java extends its type; it is {@code expected} if the
     *     element was written
     * @throws HayateException the exceptions that the class describes
     */
    public long compareAndSwap(int target, long at, long expected, long desired,
            Element element) {
        if (!isInteger(Errors.required(element, "element"))) {
            throw Errors.argument("compare and swap of " + element + ": expected a type of"
                    + " integers, such as LONG for the bits of a double");
        }
        return element(target, at, OmplBinding.NO_REDUCTION, element, desired, expected);
    }

    /**
     * Writes to a target like {@link #put(Span, int, long)}, but as an accumulate: elements of any
     * size that begin at the offset are replaced, each as a whole.
     *
     * @param span the data to write
     * @param target the rank
     * @param at offset in its part, in bytes
     * @throws HayateException the exceptions that the class describes
     */
    public void putAtomic(Span span, int target, long at) {
        calls.accumulate(Span.memory(span), null, target, at, OmplBinding.NO_REDUCTION);
    }

    /**
     * Reads from a target like {@link #get(Span, int, long)}, but as an accumulate.
     *
     * @param span the memory for the data
     * @param target the rank
     * @param at offset in its part, in bytes
     * @throws HayateException the exceptions that the class describes
     */
    public void getAtomic(Span span, int target, long at) {
        calls.accumulate(null, Span.memory(span), target, at, OmplBinding.NO_REDUCTION);
    }

    /**
     * Does {@link #putAtomic} and stores the previous data of the target.
     *
     * @param span the data to write
     * @param before memory of the same length for the previous data, which does not overlap
     * @param target the rank
     * @param at offset in its part, in bytes
     * @throws HayateException the exceptions that the class describes
     */
    public void exchange(Span span, Span before, int target, long at) {
        calls.accumulate(Span.memory(span), Span.memory(before), target, at,
                OmplBinding.NO_REDUCTION);
    }

    private static ReduceOp predefined(Reduction reduction) {
        ReduceOp op = Reduction.op(reduction);
        if (op.element() == null) {
            throw Errors.argument(op + ": expected a predefined reduction, such as DOUBLE_SUM");
        }
        return op;
    }

    /** Returns the memory of whole elements of a reduction. */
    private static Memory elements(Span span, ReduceOp op) {
        Memory memory = Span.memory(span);
        op.requireElements(memory, 0);
        op.count(memory.bytes);
        return memory;
    }

    /** Returns a reduction of numbers that fit into a long or a double. */
    private static ReduceOp number(Reduction reduction, boolean real) {
        ReduceOp op = predefined(reduction);
        Element element = op.element();
        if (op.elementBytes() != element.bytes() || element.isComplex()
                || isInteger(element) == real) {
            throw Errors.argument(op + " of a " + (real ? "double" : "long") + ": expected a"
                    + " reduction of " + (real ? "FLOAT or DOUBLE" : "integers")
                    + " without locations; use getAccumulate for others");
        }
        return op;
    }

    private static boolean isInteger(Element element) {
        return !element.isComplex() && element != Element.FLOAT && element != Element.DOUBLE;
    }

    /** Returns the previous element, extended as Java extends its type. */
    private long element(int target, long at, int op, Element element, long operand,
            long expected) {
        int above = Long.SIZE - Byte.SIZE * element.bytes();
        long before = calls.element(target, at, op, element.bytes(), operand, expected) << above;
        return element == Element.CHAR ? before >>> above : before >> above;
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
