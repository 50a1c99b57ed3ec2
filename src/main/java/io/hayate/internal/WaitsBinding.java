// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import com.sun.jna.Native;

/**
 * Access to the waits of another job, by JNA, with names as in {@link SetupBinding}. A look is an
 * address; {@link NativeLoader#load()} must come first.
 */
public final class WaitsBinding {
    static {
        Native.register(WaitsBinding.class, NativeLoader.library());
    }

    /** The numbers of {@link #waitsRead}. */
    public static final int NUMBERS = 8;
    /** The number of ranks that {@link #waitsCycle} stores at most. */
    public static final int CYCLE = 4096;

    private static final int ROOM = 1024;

    private WaitsBinding() {
    }

    /** Looks at the job of {@link StatBinding#statOpen}; returns the look, or a code. */
    public static native long waitsLook(long stat);

    public static native void waitsFree(long look);

    public static native int waitsCount(long look);

    /**
     * numbers: rank, thread, whether it is virtual, peer, mai or communicator, bytes, number, and
     * for how many nanoseconds.
     */
    public static native void waitsRead(long look, int index, long[] numbers);

    public static native String waitsKind(long look, int index);

    /** Returns the name of the collective; null if it is none. */
    public static native String waitsCollective(long look, int index);

    static native void waitsText(long look, int index, byte[] text, int room);

    /** Returns how many ranks of a cycle are stored; 0: there are fewer cycles. */
    public static native int waitsCycle(long look, int index, int[] ranks, int room);

    /** Returns whether the cycle is a deadlock for certain: 1 or 0. */
    public static native int waitsIsCertain(long look, int index);

    static native void waitsCycleText(long look, int index, byte[] text, int room);

    /** Describes a wait in one line. */
    public static String text(long look, int index) {
        byte[] text = new byte[ROOM];
        waitsText(look, index, text, text.length);
        return Native.toString(text, "UTF-8");
    }

    /** Describes a cycle in one line. */
    public static String cycleText(long look, int index) {
        byte[] text = new byte[ROOM];
        waitsCycleText(look, index, text, text.length);
        return Native.toString(text, "UTF-8");
    }
}
