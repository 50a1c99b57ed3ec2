// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import java.lang.annotation.Native;

/**
 * Spaces of all heaps, by JNI: an address is a rank of the job and an offset in its part of the
 * segment. The calls of {@link OmplBinding} work on them, too; none returns IN_PROGRESS, because
 * calls wait for a free endpoint. Callers check local ranges, and keep space and memory reachable.
 */
public final class WindowBinding {
    /** The sum of each type of elements; other reductions follow it in the order below. */
    @Native public static final int INT = 0;
    @Native public static final int LONG = 16;
    @Native public static final int FLOAT = 32;
    @Native public static final int DOUBLE = 42;
    @Native public static final int COMPLEX_FLOAT = 52;
    @Native public static final int COMPLEX_DOUBLE = 58;
    @Native public static final int BYTE = 64;
    @Native public static final int SHORT = 74;
    @Native public static final int CHAR = 86;
    @Native public static final int PROD = 1;
    @Native public static final int MAX = 2;
    @Native public static final int MIN = 3;

    /** The logical and of each type of integers; others follow it in the order below. */
    @Native public static final int INT_BITS = 6;
    @Native public static final int LONG_BITS = 22;
    @Native public static final int BYTE_BITS = 68;
    @Native public static final int SHORT_BITS = 78;
    @Native public static final int CHAR_BITS = 90;
    @Native public static final int BOOLEAN = 96;
    @Native public static final int LAND = 0;
    @Native public static final int LOR = 1;
    @Native public static final int LXOR = 2;
    @Native public static final int BAND = 3;
    @Native public static final int BOR = 4;
    @Native public static final int BXOR = 5;

    static {
        prepare();
    }

    private WindowBinding() {
    }

    private static native boolean prepare();

    /**
     * Opens a space; not collective. Returns the object, or a code.
     *
     * @param locks for each rank of the job the offset of a line of zeros, which is the lock of its
     *     accumulates
     */
    public static native long open(long job, long[] locks);

    /** Returns the offset of memory in this rank's heap; -1: it is elsewhere. */
    public static native long offset(long job, long address, long bytes);

    /** Returns the address of memory of another rank; 0: it is not mapped here. */
    public static native long mapped(long ompl, int target, long at, long bytes);

    /** Writes bytes of a direct buffer. */
    public static native int put(
            long ompl, Object buffer, long offset, long bytes, int target, long at);

    /** Reads bytes into a direct buffer. */
    public static native int get(
            long ompl, Object buffer, long offset, long bytes, int target, long at);
}
