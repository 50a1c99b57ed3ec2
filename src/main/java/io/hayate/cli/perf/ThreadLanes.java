// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Ompl;
import io.hayate.Ompl.Comparison;
import io.hayate.Span;
import io.hayate.cli.CommandFailure;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Pairs of threads, one on each of two ranks, that put into each other's part of a space. Thread i
 * has a separate lane: a flag, and the data in the cache line of the flag if they fit.
 */
final class ThreadLanes {
    static final int WINDOW = 64;
    private static final int APART = 256;
    private static final int PATTERN = 1000;

    private final Ompl ompl;
    private final int rank;
    private final int bytes;
    private final int data;
    private final int stride;
    private final Span[] out;
    /** The number of completed turns, in a separate cache line for each lane. */
    private final long[][] done;

    ThreadLanes(Ompl ompl, int rank, int lanes, int bytes) {
        this.ompl = ompl;
        this.rank = rank;
        this.bytes = bytes;
        this.data = bytes <= Ompl.FLAG_BYTES ? Ompl.FLAG_BYTES : APART / 2;
        this.stride = stride(bytes);
        this.out = new Span[lanes];
        this.done = new long[lanes][APART / Long.BYTES];
        for (int i = 0; i < lanes; i++) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
            buffer.putLong(0, pattern(rank, i));
            out[i] = Span.of(buffer);
        }
    }

    static int stride(int bytes) {
        return (APART + bytes + APART - 1) / APART * APART;
    }

    private static long pattern(int rank, int lane) {
        return (rank + 1L) * PATTERN + lane;
    }

    /** Measures half round trips: one side puts, the other answers. */
    void pingPong(int lane, int turns) {
        long flag = (long) lane * stride;
        long turn = done[lane][0];
        Span from = out[lane];
        for (int i = 0; i < turns; i++) {
            turn++;
            if (rank == 0) {
                ompl.putSignal(from, 1, flag + data, flag, turn);
            }
            ompl.waitUntil(flag, Comparison.EQ, turn);
            if (rank == 1) {
                ompl.putSignal(from, 0, flag + data, flag, turn);
            }
        }
        done[lane][0] = turn;
    }

    /**
     * Measures windows of puts in one direction, each followed by one flag, and answered by a flag.
     */
    void windows(int lane, int turns) {
        long flag = (long) lane * stride;
        long turn = done[lane][0];
        Span from = out[lane];
        for (int i = 0; i < turns; i++) {
            turn++;
            if (rank == 0) {
                for (int message = 1; message < WINDOW; message++) {
                    ompl.put(from, 1, flag + data);
                }
                ompl.putSignal(from, 1, flag + data, flag, turn);
            }
            ompl.waitUntil(flag, Comparison.EQ, turn);
            if (rank == 1) {
                ompl.putFlag(0, flag, turn);
            }
        }
        done[lane][0] = turn;
    }

    /** Checks after a turn whether the data are those of the peer. */
    void check(int lanes) {
        for (int lane = 0; lane < lanes; lane++) {
            long seen = ompl.memory().getLong((long) lane * stride + data);
            if (seen != pattern(1 - rank, lane)) {
                throw new CommandFailure("rank " + rank + " has wrong data in lane " + lane
                        + " of " + bytes + " bytes");
            }
        }
    }
}
