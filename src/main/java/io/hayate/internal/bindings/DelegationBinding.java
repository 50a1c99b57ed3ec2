// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Native;
import io.hayate.internal.natives.NativeLoader;

/**
 * What a delegatee tells about itself, by JNA, with names as in {@link SetupBinding}. The numbers
 * are at the indices below. {@link NativeLoader#load()} must come first.
 */
public final class DelegationBinding {
    static {
        Native.register(DelegationBinding.class, NativeLoader.library());
    }

    /** Process id of the delegatee. */
    public static final int PID = 0;
    /** {@link #SERVING}, {@link #ENDED}, or 0 before. */
    public static final int STATE = 1;
    /** Of a delegatee that has ended: exit status, or 256 + signal. */
    public static final int WHY = 2;
    /** How it waits: the index of the word of {@code HAYATE_DELEGATE_WAIT}. */
    public static final int WAITING = 3;
    /** The numbers from here to {@link #NODE} are counters, in this order. */
    public static final int COMMANDS = 4;
    public static final int BYTES = 5;
    public static final int SLEEPS = 6;
    public static final int TURNS = 7;
    public static final int CONNECTIONS = 8;
    public static final int REGISTERED = 9;
    /** The numbers from here on exist only for the job of this process. */
    public static final int NODE = 10;
    public static final int NODES = 11;
    /** 1 if the delegatee can access all memory of this rank. */
    public static final int REACHABLE = 12;
    public static final int OWN_COMMANDS = 13;
    public static final int OWN_BYTES = 14;
    public static final int NUMBERS = 15;

    /** States. */
    public static final int SERVING = 1;
    public static final int ENDED = 2;

    private static final int ROOM = 64;

    /** The numbers, and the description of the network, which is empty if there is one node. */
    public record View(long[] numbers, String network) {
        /** Returns whether the delegatee serves its ranks. */
        public boolean serves() {
            return numbers[STATE] == SERVING;
        }
    }

    private DelegationBinding() {
    }

    /** Returns 0 if the node of the job's rank has no delegatee. */
    public static native int delegationOfJob(long job, long[] numbers, byte[] network, int room);

    /** Returns 0 if the observed job has no delegatee. */
    public static native int delegationOfStat(long stat, long[] numbers, byte[] network, int room);

    /** Returns null if the node of the job's rank has no delegatee. */
    public static View ofJob(long job) {
        long[] numbers = new long[NUMBERS];
        byte[] network = new byte[ROOM];
        return delegationOfJob(job, numbers, network, ROOM) == 0 ? null
                : new View(numbers, Native.toString(network, "UTF-8"));
    }

    /** Returns null if the observed job has no delegatee. */
    public static View ofStat(long stat) {
        long[] numbers = new long[NUMBERS];
        byte[] network = new byte[ROOM];
        return delegationOfStat(stat, numbers, network, ROOM) == 0 ? null
                : new View(numbers, Native.toString(network, "UTF-8"));
    }
}
