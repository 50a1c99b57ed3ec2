// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Native;
import io.hayate.internal.natives.ToolsLibrary;
import java.util.ArrayList;
import java.util.List;

/**
 * Access to the files of flight recorders, by JNA, with names as in {@link SetupBinding}. A file
 * that was read is an address; {@link ToolsLibrary#load()} must come first.
 */
public final class FlightBinding {
    static {
        Native.register(FlightBinding.class, ToolsLibrary.library());
    }

    private static final int NUMBERS = 9;

    private FlightBinding() {
    }

    /**
     * The flight recorder of a rank. Times are nanoseconds of the monotonic clock of its node.
     *
     * @param rank its number
     * @param size the number of ranks
     * @param pid its process
     * @param host its node
     * @param lives whether the process exists and is in the job
     * @param left whether it has left the job
     * @param seenNanos now if it lives, otherwise its last sign of life
     * @param seenEpochNanos the same moment, since 1970
     * @param begun its operations since it has joined
     * @param damaged records with impossible contents
     * @param operations those that can be shown, in the order of their starts
     */
    public record View(int rank, int size, int pid, String host, boolean lives, boolean left,
            long seenNanos, long seenEpochNanos, long begun, int damaged,
            List<Operation> operations) {
    }

    /**
     * An operation.
     *
     * @param thread the number of its thread in the kernel
     * @param kind its name
     * @param collective the name of the collective, or null
     * @param startNanos its start
     * @param tookNanos how long it took; -1: it has not ended
     * @param code the error code with which it has ended; 0: success
     * @param peer the partner, the root or the target; -1: none in particular
     * @param place the mai or the communicator
     * @param bytes its length
     * @param number the number of the collective, or an offset
     * @param what the operation of an atomic, or the comparison of a wait
     * @param way how its data moved, or null
     */
    public record Operation(long thread, String kind, String collective, long startNanos,
            long tookNanos, int code, int peer, long place, long bytes, long number, int what,
            String way) {
        /** Returns whether it has ended. */
        public boolean ended() {
            return tookNanos >= 0;
        }
    }

    /** Reads a file; returns its address, or a code. */
    public static native long flightOpen(String path);

    public static native void flightClose(long view);

    static native void flightRank(long view, long[] numbers);

    static native String flightHost(long view);

    static native int flightCount(long view);

    static native void flightRead(long view, int index, long[] numbers);

    static native String flightKind(long view, int index);

    /** Returns the name of the collective; null if it is none. */
    static native String flightCollective(long view, int index);

    /** Returns how the data moved; null: not known. */
    static native String flightWay(long view, int index);

    /** Returns what {@link #flightOpen} has read. */
    public static View view(long view) {
        long[] n = new long[NUMBERS];
        flightRank(view, n);
        return new View((int) n[0], (int) n[1], (int) n[2], flightHost(view), n[3] != 0, n[4] != 0,
                n[5], n[6], n[7], (int) n[8], operations(view));
    }

    private static List<Operation> operations(long view) {
        List<Operation> operations = new ArrayList<>();
        long[] n = new long[NUMBERS];
        for (int i = 0; i < flightCount(view); i++) {
            flightRead(view, i, n);
            operations.add(new Operation(n[0], flightKind(view, i), flightCollective(view, i),
                    n[1], n[2], (int) n[3], (int) n[4], n[5], n[6], n[7], (int) n[8],
                    flightWay(view, i)));
        }
        return operations;
    }
}
