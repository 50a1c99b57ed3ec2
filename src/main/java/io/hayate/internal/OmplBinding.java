// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import java.lang.annotation.Native;

/**
 * The global space, by JNI. Local ranges have been checked by the caller, who also keeps the space
 * and the memory reachable until the call returns; targets, offsets and flags are checked here. In
 * a virtual thread what puts, gets or writes is given the handle plus {@link #VIRTUAL}.
 *
 * <p>{@code start} of an array is in bytes from its first element. Results of {@code int} are 0 or
 * a code; of what needs an endpoint also {@link #IN_PROGRESS}: none is free, nothing was done.
 */
public final class OmplBinding {
    /** Numbers of hy_atomic. */
    public static final int FETCH = 0;
    public static final int ADD = 1;
    public static final int AND = 2;
    public static final int OR = 3;
    public static final int SWAP = 4;
    public static final int COMPARE_SWAP = 5;

    /** Of who may be on another carrier in its next call. */
    public static final long VIRTUAL = 1;

    public static final int IN_PROGRESS = 1;
    /** Polls of a wait that must come back soon: about 20 us. */
    public static final int BRIEF = 400;
    /** What {@link #atomic} and {@link #load} give when they failed, perhaps: ask. */
    @Native public static final long FAILED = 0x8f1e5d3c7a96b402L;

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

    /** Does what is started with this target go on after the call? Not if it is no rank. */
    public static native boolean isFar(long ompl, int target);

    /** The memory belongs to the path until the flush, and must stay reachable until then. */
    public static native int putStart(long ompl, long address, long size, int target, long at);

    public static native int getStart(long ompl, long address, long size, int target, long at);

    /**
     * Pieces of one target: start, bytes, and offset at the target of each, and its array (null:
     * native memory), if there are any at all.
     */
    public static native int vector(
            long ompl, boolean gets, int target, Object[] arrays, long[] numbers);

    /** Of all with target -1. */
    public static native int flush(long ompl, int target);

    public static native int putFlag(
            long ompl, int target, long at, long value, long first, long second, long third);

    public static native int putSignal(
            long ompl, long address, long size, int target, long at, long flagAt, long value);

    public static native int putSignalArray(long ompl, Object array, long start, long size,
            int target, long at, long flagAt, long value);

    public static native int clear(long ompl, long at);

    /**
     * Blocks until the word compares so, for timeoutMicros (below 0: without limit), and if polls
     * is not 0 for so many polls: 0, a code or {@link #IN_PROGRESS}.
     */
    public static native int watch(long ompl, long at, int comparison, long value,
            long timeoutMicros, boolean ignoreFailures, int polls);

    /** What the word held before. {@link #FAILED}: see {@link #failure}. */
    public static native long atomic(
            long ompl, int target, long at, int what, long operand, long expected);

    /** What the word holds. {@link #FAILED}: see {@link #failure}. */
    public static native long load(long ompl, long at);

    /** Of the call of this thread that gave FAILED: a code, or 0: that was the value. */
    public static native int failure();
}
