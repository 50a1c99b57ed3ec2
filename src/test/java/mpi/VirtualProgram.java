// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.conformance.Threads;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;

/**
 * A rank with one carrier: virtual threads that wait for others of the same rank, which all would
 * hang if a wait kept the carrier.
 */
final class VirtualProgram {
    private static final int PAIRS = 16;
    private static final int LONG = 1 << 18;
    private static int rank;
    private static int next;
    private static int previous;

    private VirtualProgram() {
    }

    private static int[] values(int length, int first) {
        int[] values = new int[length];
        for (int i = 0; i < length; i++) {
            values[i] = first + i;
        }
        return values;
    }

    /** The first half waits, in each way to wait, for what the second half sends. */
    private static void receive(int way, int length) {
        Comm world = MPI.COMM_WORLD;
        int[] room = new int[length];
        IntBuffer buffer = MPI.newIntBuffer(length);
        switch (way % 8) {
            case 0 -> world.recv(room, length, MPI.INT, previous, way);
            case 1 -> world.recv(buffer, length, MPI.INT, MPI.ANY_SOURCE, way);
            case 2 -> {
                Request one = world.iRecv(buffer, length, MPI.INT, previous, way);
                one.waitFor();
            }
            case 3 -> Request.waitAll(new Request[] {
                world.iRecv(buffer, length, MPI.INT, previous, way)});
            case 4 -> {
                Request one = world.iRecv(buffer, length, MPI.INT, previous, way);
                assertEquals(1, Request.waitAny(new Request[] {MPI.REQUEST_NULL, one}));
            }
            case 5 -> {
                assertEquals(length, world.probe(previous, way).getCount(MPI.INT));
                world.recv(room, length, MPI.INT, previous, way);
            }
            case 6 -> {
                Message message = new Message();
                message.mProbe(previous, way, world);
                message.mRecv(buffer, length, MPI.INT);
            }
            default -> world.sendRecv(room, 0, MPI.INT, MPI.PROC_NULL, 0, buffer, length, MPI.INT,
                    previous, way);
        }
        if (way % 8 != 0 && way % 8 != 5) {
            buffer.get(0, room);
        }
        assertArrayEquals(values(length, way), room);
    }

    private static void send(int way, int length) {
        int[] values = values(length, way);
        if (way % 2 == 0) {
            MPI.COMM_WORLD.send(values, length, MPI.INT, next, way);
        } else {
            MPI.COMM_WORLD.sSend(values, length, MPI.INT, next, way);
        }
    }

    private static void pass(int length) throws Exception {
        Threads.together(2 * PAIRS, Threads::virtual, i -> {
            if (i < PAIRS) {
                receive(i, length);
            } else {
                send(i - PAIRS, length);
            }
        });
    }

    /** Senders first, whose messages are so long or so many that they wait. */
    private static void passBehind() throws Exception {
        Threads.together(2 * PAIRS, Threads::virtual, i -> {
            if (i < PAIRS) {
                send(i, LONG);
            } else {
                receive(i - PAIRS, LONG);
            }
        });
    }

    /** Each thread has a communicator, and the ranks take them in different orders. */
    private static void meet() throws Exception {
        Intracomm[] comms = new Intracomm[PAIRS];
        for (int i = 0; i < PAIRS; i++) {
            comms[i] = MPI.COMM_WORLD.dup();
        }
        Threads.together(PAIRS, Threads::virtual, i -> {
            Intracomm comm = comms[rank % 2 == 0 ? i : PAIRS - 1 - i];
            int[] sum = {1};
            comm.allReduce(sum, 1, MPI.INT, MPI.SUM);
            assertEquals(comm.getSize(), sum[0]);
            Object[] gathered = new Object[comm.getSize()];
            comm.Allgather(new Object[] {"a" + rank}, 0, 1, MPI.OBJECT, gathered, 0, 1, MPI.OBJECT);
            assertEquals("a" + next, gathered[next]);
            comm.iBarrier().waitFor();
            comm.dup().free();
        });
    }

    /** The lock of rank 0 is released by a thread that the waiting ones must let run. */
    private static void lock() throws Exception {
        ByteBuffer memory = MPI.newByteBuffer(8);
        Win[] windows = new Win[PAIRS];
        for (int i = 0; i < PAIRS; i++) {
            windows[i] = new Win(memory, 8, 1, MPI.INFO_NULL, MPI.COMM_WORLD);
        }
        Threads.together(PAIRS, Threads::virtual, i -> {
            for (int round = 0; round < 20; round++) {
                windows[i].lock(MPI.LOCK_EXCLUSIVE, 0, 0);
                Threads.pause();
                windows[i].unlock(0);
            }
        });
        Group everybody = MPI.COMM_WORLD.getGroup();
        Threads.together(PAIRS, Threads::virtual, i -> {
            Win window = windows[rank % 2 == 0 ? i : PAIRS - 1 - i];
            window.post(everybody, 0);
            window.start(everybody, 0);
            window.complete();
            window.waitFor();
        });
        for (Win window : windows) {
            window.free();
        }
    }

    /** The inner wait is over before the outer one. */
    private static void waitWithinAWait() throws Exception {
        try (Fmpl fmpl = Fmpl.init(Hayate.current(), 1)) {
            Threads.together(1, Threads::virtual,
                    i -> BesideProgram.receiveInReduction(fmpl, rank));
        }
    }

    public static void main(String[] args) throws Exception {
        MPI.InitThread(args, MPI.THREAD_MULTIPLE);
        rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        next = (rank + 1) % size;
        previous = (rank + size - 1) % size;
        pass(2);
        pass(LONG);
        passBehind();
        meet();
        lock();
        if (size == 2) {
            waitWithinAWait();
        }
        MPI.Finalize();
    }
}
