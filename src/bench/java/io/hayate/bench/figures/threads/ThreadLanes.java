// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.threads;

import io.hayate.HeapSpan;
import io.hayate.Ompl;
import io.hayate.Ompl.Comparison;
import io.hayate.Span;
import io.hayate.bench.figures.Failure;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Pairs of threads, one on each of two ranks, that put into each other's part of a space. Thread i
 * has a separate lane: a flag, and the data in the cache line of the flag if they fit. Every put
 * has new data, one number in each cache line, and whoever a flag has told reads them all.
 */
final class ThreadLanes {
    static final int WINDOW = 64;
    private static final int APART = 256;
    private static final int LINE = 64;

    private final Ompl ompl;
    private final int rank;
    private final int bytes;
    private final int data;
    private final int stride;
    private final HeapSpan memory;
    private final ByteBuffer[] buffers;
    private final Span[] out;
    /**
     * Of each lane, in a separate cache line: the number of completed turns, and bits that differed
     * from what was expected.
     */
    private final long[][] done;

    ThreadLanes(Ompl ompl, int rank, int lanes, int bytes) {
        this.ompl = ompl;
        this.rank = rank;
        this.bytes = bytes;
        this.data = bytes <= Ompl.FLAG_BYTES ? Ompl.FLAG_BYTES : APART / 2;
        this.stride = stride(bytes);
        this.memory = ompl.memory();
        this.buffers = new ByteBuffer[lanes];
        this.out = new Span[lanes];
        this.done = new long[lanes][APART / Long.BYTES];
        for (int i = 0; i < lanes; i++) {
            buffers[i] = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
            out[i] = Span.of(buffers[i]);
        }
    }

    static int stride(int bytes) {
        return (APART + bytes + APART - 1) / APART * APART;
    }

    private Span written(int lane, long value) {
        ByteBuffer buffer = buffers[lane];
        for (int at = 0; at + Long.BYTES <= bytes; at += LINE) {
            buffer.putLong(at, value + at);
        }
        return out[lane];
    }

    private void read(int lane, long value) {
        long from = (long) lane * stride + data;
        long off = 0;
        for (int at = 0; at + Long.BYTES <= bytes; at += LINE) {
            off |= memory.getLong(from + at) ^ value + at;
        }
        done[lane][1] |= off;
    }

    /** Measures half round trips: one side puts, the other answers. */
    void pingPong(int lane, int turns) {
        long flag = (long) lane * stride;
        long turn = done[lane][0];
        for (int i = 0; i < turns; i++) {
            turn++;
            if (rank == 0) {
                ompl.putSignal(written(lane, turn), 1, flag + data, flag, turn);
            }
            ompl.waitUntil(flag, Comparison.EQ, turn);
            read(lane, turn);
            if (rank == 1) {
                ompl.putSignal(written(lane, turn), 0, flag + data, flag, turn);
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
        for (int i = 0; i < turns; i++) {
            turn++;
            if (rank == 0) {
                for (int message = 1; message < WINDOW; message++) {
                    ompl.put(written(lane, turn + message), 1, flag + data);
                }
                ompl.putSignal(written(lane, turn), 1, flag + data, flag, turn);
            }
            ompl.waitUntil(flag, Comparison.EQ, turn);
            if (rank == 1) {
                read(lane, turn);
                ompl.putFlag(0, flag, turn);
            }
        }
        done[lane][0] = turn;
    }

    /** Checks after a batch whether all data were those of the peer, and of their turn. */
    void check(int lanes) {
        for (int lane = 0; lane < lanes; lane++) {
            if (done[lane][1] != 0) {
                throw new Failure("rank " + rank + " has wrong data in lane " + lane
                        + " of " + bytes + " bytes");
            }
        }
    }
}
