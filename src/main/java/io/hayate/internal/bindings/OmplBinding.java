// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import java.lang.annotation.Native;

/**
 * The global space, by JNI. The caller checks local ranges, and keeps the space and the memory
 * reachable until the call returns; the library checks targets, offsets and flags. In a virtual
 * thread, calls that put, get or write take the handle plus {@link #VIRTUAL}.
 *
 * <p>{@code start} of an array is in bytes from its first element. Results of {@code int} are 0 or
 * a code; calls that need an endpoint can also return {@link #IN_PROGRESS}: no endpoint is free,
 * and nothing was done.
 */
public final class OmplBinding {
    /** Numbers of hy_atomic. */
    public static final int FETCH = 0;
    public static final int ADD = 1;
    public static final int AND = 2;
    public static final int OR = 3;
    public static final int SWAP = 4;
    public static final int COMPARE_SWAP = 5;

    /** Marks a thread that may be on another carrier in its next call. */
    public static final long VIRTUAL = 1;

    public static final int IN_PROGRESS = 1;
    /** Number of polls of a short wait: about 20 us. */
    public static final int BRIEF = 400;
    /**
     * The result of atomic, element and {@link #load} that may mean a failure: call
     * {@link #failure}.
     */
    @Native public static final long FAILED = 0x8f1e5d3c7a96b402L;

    /** Instead of the number of a reduction: replaces in accumulate, compares in element. */
    @Native public static final int NO_REDUCTION = -1;

    /** Numbers of a piece in {@link #vector}. */
    public static final int PIECE = 3;

    private OmplBinding() {
    }

    public static native int put(long ompl, long address, long size, int target, long at);

    public static native int putArray(
            long ompl, Object array, long start, long size, int target, long at);

    public static native int get(long ompl, long address, long size, int target, long at);

    public static native int getArray(
            long ompl, Object array, long start, long size, int target, long at);

    /**
     * Returns whether started operations with this target continue after the call; false if it is
     * not a rank.
     */
    public static native boolean isFar(long ompl, int target);

    /** The path uses the memory until the flush, so it must stay reachable until then. */
    public static native int putStart(long ompl, long address, long size, int target, long at);

    public static native int getStart(long ompl, long address, long size, int target, long at);

    /**
     * Transfers pieces of one target: start, bytes, and offset at the target of each, and its array
     * (null: native memory), if any piece has an array.
     */
    public static native int vector(
            long ompl, boolean gets, int target, Object[] arrays, long[] numbers);

    /** Flushes a target; all targets with target -1. */
    public static native int flush(long ompl, int target);

    public static native int putFlag(
            long ompl, int target, long at, long value, long first, long second, long third);

    public static native int putSignal(
            long ompl, long address, long size, int target, long at, long flagAt, long value);

    public static native int putSignalArray(long ompl, Object array, long start, long size,
            int target, long at, long flagAt, long value);

    public static native int clear(long ompl, long at);

    /**
     * Blocks until the comparison is true, at most for timeoutMicros (below 0: without limit) and,
     * if polls is not 0, for that many polls. Returns 0, a code or {@link #IN_PROGRESS}.
     */
    public static native int watch(long ompl, long at, int comparison, long value,
            long timeoutMicros, boolean ignoreFailures, int polls);

    /** Returns the previous value of the word. {@link #FAILED}: see {@link #failure}. */
    public static native long atomic(
            long ompl, int target, long at, int what, long operand, long expected);

    /** Returns the value of the word. {@link #FAILED}: see {@link #failure}. */
    public static native long load(long ompl, long at);

    /**
     * Accumulates {@code size} bytes, whole elements of the reduction op. An array that is null:
     * its start is an address; if that is 0, nothing is written, or the previous elements are not
     * wanted.
     */
    public static native int accumulate(long ompl, Object array, long start, Object beforeArray,
            long beforeStart, long size, int target, long at, int op);

    /**
     * Accumulates one element of 1 to 8 bytes, or compares and swaps it. Returns the previous
     * element, with zeros above. {@link #FAILED}: see {@link #failure}.
     */
    public static native long element(
            long ompl, int target, long at, int op, int size, long operand, long expected);

    /**
     * Returns the code of this thread's call that returned FAILED, or 0 if FAILED was the value.
     */
    public static native int failure();
}
