// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.MemoryExhaustedException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Two ranks on two nodes: long messages that find the heap of the sender or of the receiver full
 * wait until there is memory.
 */
final class FullHeapProgram {
    private static final int LONG = 3_000_000;
    private static final int LEAST = 1024;

    private FullHeapProgram() {
    }

    private static List<HeapSpan> allOfTheHeap(Hayate job) {
        List<HeapSpan> taken = new ArrayList<>();
        for (long bytes = 1L << 40; bytes >= LEAST;) {
            try {
                taken.add(job.allocate(bytes));
            } catch (MemoryExhaustedException full) {
                bytes /= 2;
            }
        }
        return taken;
    }

    private static Thread giveBackLater(List<HeapSpan> taken) {
        Thread thread = new Thread(() -> {
            try {
                Thread.sleep(300);
            } catch (InterruptedException never) {
                throw new AssertionError(never);
            }
            taken.forEach(HeapSpan::close);
        });
        thread.start();
        return thread;
    }

    /** Memory that is not in the heap. */
    private static void send(int to, int way) {
        ByteBuffer data = ByteBuffer.allocateDirect(LONG).put(LONG - 1, (byte) (7 + way));
        if (way == 0) {
            MPI.COMM_WORLD.send(data, LONG, MPI.BYTE, to, way);
        } else {
            MPI.COMM_WORLD.sSend(data, LONG, MPI.BYTE, to, way);
        }
    }

    private static void receive(int from, int way) {
        byte[] room = new byte[LONG];
        MPI.COMM_WORLD.recv(room, LONG, MPI.BYTE, from, way);
        assertEquals(7 + way, room[LONG - 1]);
    }

    public static void main(String[] args) throws InterruptedException {
        MPI.InitThread(args, MPI.THREAD_MULTIPLE);
        int full = Integer.parseInt(args[0]);
        int way = Integer.parseInt(args[1]);
        int rank = MPI.COMM_WORLD.getRank();
        int[] met = {rank};
        MPI.COMM_WORLD.sendRecvReplace(met, 1, MPI.INT, 1 - rank, 9, 1 - rank, 9);
        Thread later = rank == full ? giveBackLater(allOfTheHeap(Engine.get().job)) : null;
        if (rank == 0) {
            send(1, way);
        } else {
            receive(0, way);
        }
        if (later != null) {
            later.join();
        }
        MPI.COMM_WORLD.barrier();
        MPI.Finalize();
    }
}
