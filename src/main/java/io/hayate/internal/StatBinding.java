// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import com.sun.jna.Native;

/**
 * Access to the counters of jobs and to data of the machine, by JNA, with names as in
 * {@link SetupBinding}. A job is an address; {@link NativeLoader#load()} must come first.
 */
public final class StatBinding {
    static {
        Native.register(StatBinding.class, NativeLoader.library());
    }

    /**
     * Numbers before the counters in the result of {@link #statRead}: state, why, process id, and
     * those of {@link #COMMANDS}.
     */
    public static final int HEAD = 5;
    /** The index of the commands that the delegatee has begun for the rank, and of their bytes. */
    public static final int COMMANDS = 3;

    private StatBinding() {
    }

    /** Opens the job of a process; returns it, or a code. */
    public static native long statOpen(int pid);

    public static native void statClose(long stat);

    public static native int statSize(long stat);

    /** result: {@link #HEAD} numbers, then {@link #statCounters()} counters. */
    public static native int statRead(long stat, int rank, long[] result);

    /** Stores the {@link #statCounters()} counters of a rank of this process. */
    public static native void statOwn(long job, long[] result);

    public static native int statCounters();

    /** Returns the name of a counter; null if it is not in use. */
    public static native String statCounterName(int index);

    public static native String statStateName(int state);

    /** Returns the number of CPUs that this process may run on. */
    public static native int machineCpus();

    /** Returns the default heap of each rank for a number of ranks, in bytes. */
    public static native long machineHeap(int ranks);

    public static native int machineAbi();
}
