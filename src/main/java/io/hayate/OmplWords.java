// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.Ompl.Comparison;
import io.hayate.internal.Errors;
import io.hayate.internal.OmplDoor;
import io.hayate.internal.ompl.OmplCalls;
import java.time.Duration;

/**
 * The flags and words of a global space: written and changed in any rank's part, looked at and
 * waited for in one's own. {@link Ompl} says what they are, and what who sees one sees as well.
 */
public abstract sealed class OmplWords permits Ompl {
    /** Of the space. */
    final OmplCalls calls;

    OmplWords(OmplCalls calls) {
        this.calls = calls;
    }

    // ---- flags

    /**
     * Switches a flag of a target: its value becomes 1, its other longs 0.
     *
     * @param target the rank
     * @param flag where, in its part
     * @throws HayateException see {@link Ompl}
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
     * @throws HayateException see {@link Ompl}
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
     * @throws HayateException see {@link Ompl}
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
     * @throws HayateException see {@link Ompl}
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
     * @throws HayateException see {@link Ompl}
     */
    public void clear(long word) {
        calls.clear(word);
    }

    /**
     * Looks at a flag or word of this rank's part. Never blocks.
     *
     * @param word where
     * @return whether its value is not 0
     * @throws HayateException see {@link Ompl}
     */
    public boolean poll(long word) {
        return load(word) != 0;
    }

    /**
     * The value of a flag or word of this rank's part.
     *
     * @param word where
     * @return what it holds; what was written before it is visible
     * @throws HayateException see {@link Ompl}
     */
    public long load(long word) {
        return calls.load(word);
    }

    /**
     * Waits until a flag or word of this rank's part is not 0.
     *
     * @param word where
     * @throws HayateException see {@link Ompl}
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
     * @throws HayateException see {@link Ompl}
     */
    public void waitUntil(long word, Comparison comparison, long value) {
        waitUntil(word, comparison, value, Ompl.FOREVER, false);
    }

    /**
     * Waits until a word of this rank's part compares so to a value, for a time.
     *
     * @param word where
     * @param comparison how, as unsigned numbers
     * @param value with what
     * @param timeout how long at most; zero does not block
     * @return whether it does
     * @throws HayateException see {@link Ompl}
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
     * @param timeout how long at most, {@link Ompl#FOREVER} without limit; zero does not block
     * @param ignoreFailures whether the wait goes on when a rank of the job has failed
     * @return whether it does
     * @throws HayateException see {@link Ompl}
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
     * @throws HayateException see {@link Ompl}
     */
    public long fetch(int target, long word) {
        return calls.atomic(target, word, OmplDoor.FETCH, 0, 0);
    }

    /**
     * Adds to a word of a target, and wakes who waits for it.
     *
     * @param target the rank
     * @param word where, in its part
     * @param operand what to add
     * @return what it held before
     * @throws HayateException see {@link Ompl}
     */
    public long fetchAdd(int target, long word, long operand) {
        return calls.atomic(target, word, OmplDoor.ADD, operand, 0);
    }

    /**
     * Clears bits of a word of a target, and wakes who waits for it.
     *
     * @param target the rank
     * @param word where, in its part
     * @param operand the bits to keep
     * @return what it held before
     * @throws HayateException see {@link Ompl}
     */
    public long fetchAnd(int target, long word, long operand) {
        return calls.atomic(target, word, OmplDoor.AND, operand, 0);
    }

    /**
     * Sets bits of a word of a target, and wakes who waits for it.
     *
     * @param target the rank
     * @param word where, in its part
     * @param operand the bits to set
     * @return what it held before
     * @throws HayateException see {@link Ompl}
     */
    public long fetchOr(int target, long word, long operand) {
        return calls.atomic(target, word, OmplDoor.OR, operand, 0);
    }

    /**
     * Writes a word of a target, and wakes who waits for it.
     *
     * @param target the rank
     * @param word where, in its part
     * @param value what to write
     * @return what it held before
     * @throws HayateException see {@link Ompl}
     */
    public long swap(int target, long word, long value) {
        return calls.atomic(target, word, OmplDoor.SWAP, value, 0);
    }

    /**
     * Writes a word of a target if it holds what is expected, and wakes who waits for it.
     *
     * @param target the rank
     * @param word where, in its part
     * @param expected what it should hold
     * @param desired what to write
     * @return what it held before: {@code expected} if it was written
     * @throws HayateException see {@link Ompl}
     */
    public long compareSwap(int target, long word, long expected, long desired) {
        return calls.atomic(target, word, OmplDoor.COMPARE_SWAP, desired, expected);
    }
}
