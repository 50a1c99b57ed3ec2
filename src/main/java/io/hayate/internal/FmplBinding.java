// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

/**
 * The hot calls, by JNI. Ranges are checked by the callers, who also keep the FMPL and the memory
 * reachable until the call returns, or the request is over.
 *
 * <p>Memory is an address, or a primitive array and {@code start} in bytes from its first element.
 * The calls that may be over in some ten nanoseconds have a method for each: with a direct buffer
 * one method for both is 5 percent slower. Those that make requests take either: {@code start} is
 * the address when the array is null. {@code long} results of requests and of the bounded calls are
 * {@link Outcome}s.
 */
public final class FmplBinding {
    public static final int BARRIER = 0;
    public static final int BCAST = 1;
    public static final int REDUCE = 2;
    public static final int ALLREDUCE = 3;
    public static final int HBCAST = 100;
    public static final int IN_PROGRESS = 1;
    /** HAYATE_ERR_BUSY. */
    public static final int BUSY = -3;

    private FmplBinding() {
    }

    /** Blocks; 0 or a code. */
    public static native int send(long fmpl, long address, long size, int dst, int mai);

    public static native int sendArray(
            long fmpl, Object array, long start, long size, int dst, int mai);

    /** Blocks; the length or a code. */
    public static native long recv(long fmpl, long address, long size, int src, int mai);

    public static native long recvArray(
            long fmpl, Object array, long start, long size, int src, int mai);

    /** As send, but gives up its wait after some microseconds: then it is a request. */
    public static native long sendBounded(long fmpl, long address, long size, int dst, int mai);

    public static native long sendArrayBounded(
            long fmpl, Object array, long start, long size, int dst, int mai);

    public static native long recvBounded(long fmpl, long address, long size, int src, int mai);

    public static native long recvArrayBounded(
            long fmpl, Object array, long start, long size, int src, int mai);

    public static native long isend(
            long fmpl, Object array, long start, long size, int dst, int mai);

    public static native long irecv(
            long fmpl, Object array, long start, long size, int src, int mai);

    public static native long test(long fmpl, long request);

    public static native long await(long fmpl, long request);

    /** 1: cancelled and over; 0: goes on; or a code. */
    public static native int cancel(long fmpl, long request);

    /** Blocks; the index of a request that is over (its outcome in outcome[0]), -1 if all are 0. */
    public static native int waitAny(long fmpl, long[] requests, long[] outcome);

    /** 0, a code, or (bounded) IN_PROGRESS: go on with {@link #collectiveTest}. */
    public static native int collective(
            long fmpl, int comm, int kind, long address, long count, int op, int root,
            boolean bounded);

    public static native int collectiveArray(
            long fmpl, int comm, int kind, Object array, long start, long count, int op, int root,
            boolean bounded);

    public static native int collectiveTest(long fmpl, int comm);
}
