// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import com.sun.jna.Native;

/**
 * Looking from outside at a job and at the machine, by JNA, named as in {@link SetupBinding}. A job
 * that is looked at is an address; {@link NativeLoader#load()} comes first.
 */
public final class StatBinding {
    static {
        Native.register(StatBinding.class, NativeLoader.library());
    }

    /** In front of the counters in the result of {@link #statRead}: state, why, process id. */
    public static final int HEAD = 3;

    private StatBinding() {
    }

    /** The job that a process takes part in, or a code. */
    public static native long statOpen(int pid);

    public static native void statClose(long stat);

    public static native int statSize(long stat);

    public static native long statHeapBytes(long stat);

    /** Page size in KiB when the segment has huge pages, else 0. */
    public static native int statHuge(long stat);

    /** result: {@link #HEAD} numbers, then {@link #statCounters()} counters. */
    public static native int statRead(long stat, int rank, long[] result);

    public static native int statCounters();

    /** null when the counter is not in use. */
    public static native String statCounterName(int index);

    public static native String statStateName(int state);

    /** CPUs that this process may run on. */
    public static native int machineCpus();

    /** Default heap of each of so many ranks, in bytes. */
    public static native long machineHeap(int ranks);

    public static native int machineAbi();
}
