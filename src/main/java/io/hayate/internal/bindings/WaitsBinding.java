// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Native;
import io.hayate.internal.natives.NativeLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Access to the waits of a job, by JNA, with names as in {@link SetupBinding}. A look is an
 * address; {@link NativeLoader#load()} must come first.
 */
public final class WaitsBinding {
    static {
        Native.register(WaitsBinding.class, NativeLoader.library());
    }

    /** The numbers of {@link #waitsRead}. */
    private static final int NUMBERS = 8;
    /** The number of ranks that {@link #waitsCycle} stores at most. */
    private static final int CYCLE = 4096;

    private static final int ROOM = 1024;

    private WaitsBinding() {
    }

    /**
     * A wait of a thread.
     *
     * @param rank its rank
     * @param thread its number in the kernel; of a virtual thread, in Java
     * @param virtual whether it is a virtual thread
     * @param kind the operation
     * @param collective the name of the collective, or null
     * @param peer the rank for which it waits; -1: for none in particular
     * @param place the mai or the communicator
     * @param bytes its length
     * @param number the number of the collective
     * @param nanos for how long it has waited without getting further
     * @param text all of this in a line
     */
    public record View(int rank, long thread, boolean virtual, String kind, String collective,
            int peer, long place, long bytes, long number, long nanos, String text) {
    }

    /**
     * Ranks each of which waits for the next, and the last for the first.
     *
     * @param certain whether it is a deadlock, whatever the program does
     * @param ranks their numbers
     * @param text this in a line
     */
    public record Cycle(boolean certain, List<Integer> ranks, String text) {
    }

    /** Looks at the job of {@link StatBinding#statOpen}; returns the look, or a code. */
    public static native long waitsLook(long stat);

    /**
     * Looks at the job of a rank of this process, once, or twice if it is to be settled and ranks
     * seem to wait for each other; returns the look, or a code.
     */
    public static native long waitsOwn(long job, int settled);

    public static native void waitsFree(long look);

    static native int waitsCount(long look);

    /**
     * numbers: rank, thread, whether it is virtual, peer, mai or communicator, bytes, number, and
     * for how many nanoseconds.
     */
    static native void waitsRead(long look, int index, long[] numbers);

    static native String waitsKind(long look, int index);

    /** Returns the name of the collective; null if it is none. */
    static native String waitsCollective(long look, int index);

    static native void waitsText(long look, int index, byte[] text, int room);

    /** Returns how many ranks of a cycle are stored; 0: there are fewer cycles. */
    static native int waitsCycle(long look, int index, int[] ranks, int room);

    /** Returns whether the cycle is a deadlock for certain: 1 or 0. */
    static native int waitsIsCertain(long look, int index);

    static native void waitsCycleText(long look, int index, byte[] text, int room);

    /** Returns the waits, by rank. */
    public static List<View> waits(long look) {
        List<View> waits = new ArrayList<>();
        long[] n = new long[NUMBERS];
        for (int i = 0; i < waitsCount(look); i++) {
            waitsRead(look, i, n);
            waits.add(new View((int) n[0], n[1], n[2] != 0, waitsKind(look, i),
                    waitsCollective(look, i), (int) n[3], n[4], n[5], n[6], n[7],
                    text(look, i)));
        }
        return waits;
    }

    private static String text(long look, int index) {
        byte[] text = new byte[ROOM];
        waitsText(look, index, text, text.length);
        return Native.toString(text, "UTF-8");
    }

    /** Returns the cycles of a look that is settled. */
    public static List<Cycle> cycles(long look) {
        List<Cycle> cycles = new ArrayList<>();
        int[] ranks = new int[CYCLE];
        byte[] text = new byte[ROOM];
        int length;
        while ((length = waitsCycle(look, cycles.size(), ranks, ranks.length)) > 0) {
            int index = cycles.size();
            waitsCycleText(look, index, text, text.length);
            cycles.add(new Cycle(waitsIsCertain(look, index) != 0,
                    Arrays.stream(ranks, 0, length).boxed().toList(),
                    Native.toString(text, "UTF-8")));
        }
        return cycles;
    }
}
