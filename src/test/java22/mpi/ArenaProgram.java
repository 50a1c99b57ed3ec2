// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import java.util.List;
import org.junit.jupiter.api.function.Executable;

/** A rank: buffers over segments of arenas that are open, closed, or another thread's. */
final class ArenaProgram {
    /** So long that the memory of a closed arena is unmapped. */
    private static final int BYTES = 64 << 20;

    private ArenaProgram() {
    }

    private static ByteBuffer buffer(Arena arena) {
        return arena.allocate(BYTES).asByteBuffer().order(ByteOrder.nativeOrder());
    }

    private static ByteBuffer closed() {
        try (Arena arena = Arena.ofShared()) {
            return buffer(arena);
        }
    }

    /** Calls that use only the first bytes of the buffer, and others that use all of it. */
    private static List<Executable> calls(ByteBuffer gone) {
        Comm world = MPI.COMM_WORLD;
        Intracomm group = MPI.COMM_WORLD;
        int rank = world.getRank();
        ShortBuffer shorts = gone.asShortBuffer();
        ByteBuffer open = MPI.newByteBuffer(8);
        Datatype gaps = Datatype.createVector(2, 1, 2, MPI.BYTE);
        gaps.commit();
        return List.of(
                () -> world.send(gone, 8, MPI.BYTE, rank, 1),
                () -> world.send(gone.clear().limit(0), 8, MPI.BYTE, rank, 1),
                () -> world.send(shorts, BYTES / 2, MPI.SHORT, rank, 1),
                () -> world.send(gone, 2, gaps, rank, 1),
                () -> world.sSend(gone, 8, MPI.BYTE, rank, 1),
                () -> world.bSend(gone, 8, MPI.BYTE, rank, 1),
                () -> world.iSend(gone, 8, MPI.BYTE, rank, 1),
                () -> world.recv(gone, 8, MPI.BYTE, rank, 1),
                () -> world.recv(shorts, 3, gaps, rank, 1),
                () -> world.iRecv(shorts, 8, MPI.SHORT, rank, 1),
                () -> world.sendInit(gone, 8, MPI.BYTE, rank, 1).start(),
                () -> world.sendRecv(open, 8, MPI.BYTE, rank, 1, gone, 8, MPI.BYTE, rank, 1),
                () -> world.sendRecvReplace(gone, 8, MPI.BYTE, rank, 1, rank, 1),
                () -> group.bcast(gone, 8, MPI.BYTE, 0),
                () -> group.allReduce(gone, 8, MPI.BYTE, MPI.MAX),
                () -> group.allGather(open, 8, MPI.BYTE, gone, 8, MPI.BYTE));
    }

    private static void refuse(ByteBuffer gone) {
        calls(gone).forEach(call -> Refused.with(MPI.ERR_BUFFER, call));
    }

    private static void pass(Arena arena) {
        ByteBuffer sent = buffer(arena);
        ByteBuffer room = buffer(arena);
        sent.putLong(0, 7).putLong(BYTES - 8, 9);
        int rank = MPI.COMM_WORLD.getRank();
        MPI.COMM_WORLD.sendRecv(sent, BYTES, MPI.BYTE, rank, 2, room, BYTES, MPI.BYTE, rank, 2);
        assertEquals(7, room.getLong(0));
        assertEquals(9, room.getLong(BYTES - 8));
    }

    /** A window lets the memory be when it is gone, and the others access what is left of it. */
    private static void access() {
        Intracomm world = MPI.COMM_WORLD;
        Win window;
        try (Arena arena = Arena.ofShared()) {
            window = new Win(buffer(arena), BYTES, 1, MPI.INFO_NULL, world);
        }
        world.barrier();
        window.fence(0);
        ByteBuffer gone = closed();
        Refused.with(MPI.ERR_BUFFER, () -> window.put(gone, 8, MPI.BYTE, 0, 0, 8, MPI.BYTE));
        Refused.with(MPI.ERR_BUFFER, () -> window.get(gone, 8, MPI.BYTE, 0, 0, 8, MPI.BYTE));
        Refused.with(MPI.ERR_BUFFER, () -> window.accumulate(gone.asLongBuffer(), 1, MPI.LONG, 0,
                0, 1, MPI.LONG, MPI.SUM));
        window.fence(0);
        window.free();
        Refused.with(MPI.ERR_BASE, () -> new Win(gone, 8, 1, MPI.INFO_NULL, world));
    }

    public static void main(String[] args) throws InterruptedException {
        MPI.InitThread(args, MPI.THREAD_MULTIPLE);
        refuse(closed());
        try (Arena arena = Arena.ofConfined()) {
            ByteBuffer mine = buffer(arena);
            Throwable[] failure = new Throwable[1];
            Thread other = new Thread(() -> refuse(mine));
            other.setUncaughtExceptionHandler((thread, why) -> failure[0] = why);
            other.start();
            other.join();
            if (failure[0] != null) {
                throw new AssertionError(failure[0]);
            }
            pass(arena);
        }
        access();
        MPI.Finalize();
    }
}
