// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import io.hayate.internal.errors.Outcome;

/**
 * The hot calls, by JNI. Callers check ranges, and keep the FMPL and the memory reachable until the
 * call returns, or the request is complete.
 *
 * <p>Memory is an address, or a primitive array and {@code start} in bytes from its first element.
 * Calls that can complete within some tens of nanoseconds have one method for each kind of memory:
 * with a direct buffer, a common method is 5 percent slower. Calls that create requests accept
 * both: {@code start} is the address if the array is null. {@code long} results of requests and of
 * the bounded calls are {@link Outcome}s.
 */
public final class FmplBinding {
    public static final int BARRIER = 0;
    public static final int BCAST = 1;
    public static final int REDUCE = 2;
    public static final int ALLREDUCE = 3;
    public static final int HBCAST = 100;
    public static final int IN_PROGRESS = 1;
    /** Ways to call: wait; return IN_PROGRESS after a short spin; return it at once. */
    public static final int WAIT = 0;
    public static final int PARK = 1;
    public static final int START = 2;
    /** HAYATE_ERR_BUSY. */
    public static final int BUSY = -3;

    private FmplBinding() {
    }

    /** Blocks until the thread is interrupted; the operation is then a request. */
    public static native long send(long fmpl, long address, long size, int dst, int mai);

    public static native long sendArray(
            long fmpl, Object array, long start, long size, int dst, int mai);

    public static native long recv(long fmpl, long address, long size, int src, int mai);

    public static native long recvArray(
            long fmpl, Object array, long start, long size, int src, int mai);

    /**
     * Like sendArray, but stops waiting after {@code nanos} (0: after some microseconds); the
     * operation is then a request. array: null for native memory, whose address is start.
     */
    public static native long sendBounded(
            long fmpl, Object array, long start, long size, int dst, int mai, long nanos);

    public static native long recvBounded(
            long fmpl, Object array, long start, long size, int src, int mai, long nanos);

    public static native long isend(
            long fmpl, Object array, long start, long size, int dst, int mai);

    public static native long irecv(
            long fmpl, Object array, long start, long size, int src, int mai);

    public static native long test(long fmpl, long request);

    /**
     * Blocks for at most {@code nanos} (0: without limit; below 0: until the thread is
     * interrupted).
     */
    public static native long await(long fmpl, long request, long nanos);

    /** Returns 1: cancelled and complete; 0: still in progress; or a code. */
    public static native int cancel(long fmpl, long request);

    /**
     * Blocks for as long as {@link #await}. Returns the index of a complete request (with its
     * outcome in outcome[0]), or -1 if all are 0, or none is complete (outcome[0] is above 0).
     */
    public static native int waitAny(long fmpl, long[] requests, long nanos, long[] outcome);

    /**
     * Returns the length of the next message as if it were received, and leaves it. Above 0: it has
     * not come within {@code nanos} (0: one look; below 0: as for {@link #await}).
     */
    public static native long probe(long fmpl, int src, int mai, long nanos);

    /** Must be called before probeAny with this mai. Returns 0 or a code. */
    public static native int listen(long fmpl, int mai);

    /**
     * The same for the next place, beginning with {@code from}, whose message has come; its number,
     * index of the mai * ranks + source, takes the place of the length. {@code mais} is the address
     * of n ints, at most 64.
     */
    public static native long probeAny(long fmpl, long mais, int n, int from, long nanos);

    /** Returns 0, a code, or (bounded) IN_PROGRESS: continue with {@link #collectiveTest}. */
    public static native int collective(
            long fmpl, int comm, int kind, long address, long count, int op, int root,
            boolean bounded);

    public static native int collectiveArray(
            long fmpl, int comm, int kind, Object array, long start, long count, int op, int root,
            boolean bounded);

    /**
     * A collective with two sides; its numbers, and those of which and blocks, are as in {@link
     * PcollBinding}. {@code blocks} null: none. {@code function}: number of a custom function for
     * this call alone; 0: that of the reduction. {@code how}: see the constants.
     */
    public static native int collectiveTwoSided(
            long fmpl, int comm, int collective, Object inArray, long inStart, long inBytes,
            Object outArray, long outStart, long outBytes, long count, int op, int root,
            long function, int which, long[] blocks, int how);

    /** The result of a collective that was started, or IN_PROGRESS. Any thread, one at a time. */
    public static native int startedTest(long fmpl, int comm);

    /** The same. Blocks for as long as {@link #await}. */
    public static native int startedAwait(long fmpl, int comm, long nanos);

    /** If it is not complete and the thread was interrupted, it is given up, and fails. */
    public static native int collectiveTest(long fmpl, int comm, boolean interrupted);
}
