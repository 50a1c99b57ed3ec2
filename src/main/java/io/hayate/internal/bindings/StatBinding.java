// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Native;
import io.hayate.internal.natives.ToolsLibrary;

/**
 * Access to jobs from outside, by JNA, with names as in {@link SetupBinding}. A job is an address;
 * {@link ToolsLibrary#load()} must come first.
 */
public final class StatBinding {
    static {
        Native.register(StatBinding.class, ToolsLibrary.library());
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

    /** result: {@link #HEAD} numbers, then {@link CountersBinding#countersCount()} counters. */
    public static native int statRead(long stat, int rank, long[] result);

    public static native String statStateName(int state);
}
