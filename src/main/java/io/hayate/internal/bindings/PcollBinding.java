// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

/**
 * Persistent collectives, by JNI. An operation is an address; one thread at a time may use it, and
 * must keep its FMPL reachable.
 */
public final class PcollBinding {
    public static final int BARRIER = 0;
    public static final int BCAST = 1;
    public static final int REDUCE = 2;
    public static final int ALLREDUCE = 3;
    public static final int GATHER = 4;
    public static final int SCATTER = 5;
    public static final int ALLGATHER = 6;
    public static final int ALLTOALL = 7;
    public static final int REDUCE_SCATTER = 8;
    public static final int SCAN = 9;
    public static final int EXSCAN = 10;

    /** Bits of which: an uneven collective; the contents of blocks, in this order. */
    public static final int UNEVEN = 1;
    public static final int IN_SIZES = 2;
    public static final int IN_OFFSETS = 4;
    public static final int OUT_SIZES = 8;
    public static final int OUT_OFFSETS = 16;
    public static final int IN_COUNTS = 32;
    /** Bit of which: the data of a reduction in place are in separate memory. */
    public static final int APART = 64;

    private PcollBinding() {
    }

    /**
     * Returns the operation, or a code. For an array, {@code start} is in bytes from its first
     * element; without array and address there is no memory. {@code function}: number of a custom
     * function for this operation alone; 0: the function of the reduction. Texts may be null.
     */
    public static native long init(
            long fmpl, int comm, int collective, Object inArray, long inStart, long inBytes,
            Object outArray, long outStart, long outBytes, long count, int op, int root,
            long function, int which, long[] blocks, String options, String property,
            String rules);

    public static native String describe(long operation);

    /**
     * Never blocks. Returns 0: the run is over, as after an await; {@link FmplBinding#IN_PROGRESS}:
     * it is to be awaited; or a code: there is no run.
     */
    public static native int start(long operation);

    /** Returns 0, a code, or {@link FmplBinding#IN_PROGRESS}. */
    public static native int test(long operation);

    /**
     * Blocks for as long as {@link FmplBinding#await}. Returns 0, a code, or IN_PROGRESS: the run
     * goes on.
     */
    public static native int await(long operation, long nanos);

    /** Like await, but stops waiting after some microseconds and returns IN_PROGRESS. */
    public static native int awaitBounded(long operation);

    /** Returns 0, after which the operation must not be used again, or a code. */
    public static native int free(long operation);

    public static native void progress(long fmpl);
}
