// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.WindowProgram.local;
import static mpi.WindowProgram.same;

import io.hayate.HeapSpan;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;

/** Windows whose memory is outside of the heap: others access a copy. */
final class WindowCopies {
    private static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class,
            ByteOrder.nativeOrder());
    private static final int EXCHANGES = 500_000;
    private static final int LARGE = 1 << 20; // nothing else of this size was just freed

    private WindowCopies() {
    }

    static void run() throws InterruptedException {
        tails();
        freed();
    }

    /**
     * The last bytes are no whole word: no exchange of another thread undoes what this one stores
     * there, or shows a part of an int.
     */
    private static void tails() throws InterruptedException {
        ByteBuffer memory = local(13);
        Win win = new Win(memory, 13, 1, MPI.INFO_NULL, MPI.COMM_SELF);
        win.lockAll(0);
        Thread exchanges = new Thread(() -> {
            IntBuffer mine = local(4).asIntBuffer();
            for (int i = 0; i < EXCHANGES; i++) {
                mine.put(0, 0x01010101 * (i & 0x7f));
                win.put(mine, 1, MPI.INT, 0, 8, 1, MPI.INT);
                win.sync();
            }
        });
        exchanges.start();
        for (int i = 1; exchanges.isAlive(); i++) {
            memory.put(12, (byte) i);
            VarHandle.fullFence();
            int seen = (int) INTS.getVolatile(memory, 8);
            same(seen, Integer.rotateLeft(seen, 8), "an int of four equal bytes");
            same((byte) i, memory.get(12), "the last byte");
        }
        exchanges.join();
        win.unlockAll();
        win.free();
    }

    /** A barrier may have found a window just before another thread frees it. */
    private static void freed() {
        ByteBuffer memory = local(LARGE);
        Win win = new Win(memory, LARGE, 1, MPI.INFO_NULL, MPI.COMM_SELF);
        win.free();
        HeapSpan next = Engine.get().job.allocate(LARGE); // where the copy was
        Engine.cleared(next.buffer()).order(ByteOrder.nativeOrder());
        next.buffer().putLong(0, 1);
        memory.putLong(8, 1);
        win.merge();
        same(0, memory.getLong(0), "what is stored where the copy was");
        same(0, next.buffer().getLong(8), "memory that is no copy any more");
        next.close();
    }
}
