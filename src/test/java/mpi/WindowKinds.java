// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.WindowProgram.WORLD;
import static mpi.WindowProgram.check;
import static mpi.WindowProgram.local;
import static mpi.WindowProgram.memory;
import static mpi.WindowProgram.rank;
import static mpi.WindowProgram.same;
import static mpi.WindowProgram.size;
import static mpi.WindowProgram.window;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/** How windows are made: of parts of the world, dynamic, shared, allocated; their properties. */
final class WindowKinds {
    private WindowKinds() {
    }

    static void run() {
        partsOfCommunicators();
        dynamic();
        shared();
        allocated();
        properties();
    }

    /** Windows of parts of the world, in which sizes and units differ, at the same time. */
    private static void partsOfCommunicators() {
        Intracomm part = WORLD.split(rank % 2, -rank);
        int own = part.getRank();
        int members = part.getSize();
        Win world = window(memory(8), 8);
        int unit = own + 1;
        ByteBuffer memory = memory(8 * unit);
        Win win = new Win(memory, own == members - 1 && members > 1 ? 4 * unit : 8 * unit, unit,
                MPI.INFO_NULL, part);
        same(MPI.IDENT, Group.compare(part.getGroup(), win.getGroup()), "the group");
        ByteBuffer mine = local(1);
        win.fence(0);
        for (int i = 0; i < members; i++) {
            win.put(mine.put(0, (byte) (own + 1)), 1, MPI.BYTE, i, own % 4, 1, MPI.BYTE);
        }
        win.fence(0);
        for (int i = 0; i < members; i++) {
            same(i + 1, memory.get(i % 4 * unit), "from member " + i);
        }
        world.fence(0);
        part.free(); // a window does not need its communicator
        win.fence(0);
        win.free();
        world.free();
        Win nothing = new Win(null, 0, 1, MPI.INFO_NULL, WORLD);
        nothing.fence(0);
        nothing.free();
    }

    private static void dynamic() {
        Win win = new Win(MPI.INFO_NULL, WORLD);
        ByteBuffer one = memory(40);
        ByteBuffer two = memory(100);
        win.attach(one, 40);
        win.attach(two, 100);
        WORLD.barrier();
        int right = (rank + 1) % size;
        int left = (rank + size - 1) % size;
        IntBuffer mine = local(8).asIntBuffer().put(0, rank).put(1, -rank);
        win.lockAll(0);
        win.put(mine, 1, MPI.INT, right, 36, 1, MPI.INT);
        win.accumulate(mine.slice(1, 1), 1, MPI.INT, right, 64 + 96, 1, MPI.INT, MPI.SUM);
        win.unlockAll();
        WORLD.barrier();
        win.lock(MPI.LOCK_SHARED, rank, 0);
        same(left, one.getInt(36), "in the first buffer");
        same(-left, two.getInt(96), "in the second buffer");
        win.unlock(rank);
        win.detach(one);
        ByteBuffer three = memory(64);
        win.attach(three, 64);
        WORLD.barrier();
        win.fence(0);
        win.put(mine, 2, MPI.INT, right, 192 + 56, 2, MPI.INT);
        WindowErrors.refused(MPI.ERR_RMA_RANGE, () -> win.put(mine, 1, MPI.INT, right, 0, 1,
                MPI.INT));
        win.fence(0);
        same(left, three.getInt(56), "in the third buffer");
        WORLD.barrier();
        win.detach(two);
        for (int i = 0; i < 200; i++) {
            win.attach(one, 40);
            win.detach(one);
        }
        win.free();
    }

    private static void shared() {
        if (System.getenv("HAYATE_NET_LOCAL") != null) {
            return; // ranks of a node do not reach each other's memory
        }
        ByteBuffer memory = MPI.newByteBuffer(64);
        Win win = new Win(64, 1, MPI.INFO_NULL, WORLD, memory, Win.FLAVOR_SHARED);
        win.fence(0);
        for (int i = 0; i < size; i++) {
            win.sharedQuery(i).putInt(4 * rank, 10 * i + rank);
        }
        win.fence(0);
        for (int i = 0; i < size; i++) {
            same(10 * rank + i, memory.getInt(4 * i), "stored by rank " + i);
        }
        same(0, win.sharedQuery(MPI.PROC_NULL).capacity(), "no memory");
        win.free();
        Win other = new Win(8, 1, MPI.INFO_NULL, WORLD, local(8), Win.FLAVOR_SHARED);
        WindowErrors.refused(MPI.ERR_RMA_SHARED, () -> other.sharedQuery(rank));
        other.free();
    }

    /** Memory that the window allocates, and windows without memory. */
    private static void allocated() {
        for (int flavor : new int[] {Win.FLAVOR_PRIVATE, Win.FLAVOR_SHARED}) {
            LongBuffer none = MPI.newLongBuffer(0);
            Win win = new Win(size, 1, MPI.INFO_NULL, WORLD, none, flavor);
            same(8L * size, (int) win.getAttr(MPI.WIN_SIZE), "the size of what was allocated");
            check((long) win.getAttr(MPI.WIN_BASE) != 0, "the address of what was allocated");
            LongBuffer mine = local(8).asLongBuffer().put(0, rank + 1);
            win.fence(0);
            for (int i = 0; i < size; i++) {
                win.accumulate(mine, 1, MPI.LONG, i, rank, 1, MPI.LONG, MPI.SUM);
            }
            win.fence(0);
            for (int i = 0; i < size; i++) {
                same(i + 1, win.sharedQuery(rank).getLong(8 * i), "allocated memory");
            }
            int other = (rank + 1) % size;
            if (size > 1 && flavor == Win.FLAVOR_PRIVATE) {
                WindowErrors.refused(MPI.ERR_RMA_FLAVOR, () -> win.sharedQuery(other));
            }
            win.free();
        }
        LongBuffer empty = MPI.newLongBuffer(0);
        Win win = new Win(rank == 0 ? memory(8).asLongBuffer() : empty, 1, 1, MPI.INFO_NULL, WORLD);
        win.fence(0);
        if (size > 1) {
            WindowErrors.refused(MPI.ERR_RMA_RANGE, () -> win.put(local(8), 1, MPI.LONG, 1, 0, 1,
                    MPI.LONG));
        }
        win.fence(0);
        win.free();
    }

    private static void properties() {
        LongBuffer memory = memory(32).asLongBuffer();
        Info hints = new Info();
        hints.set("same_size", "true");
        Win win = new Win(memory, 3, 2, hints, WORLD);
        same(24, (int) win.getAttr(MPI.WIN_SIZE), "WIN_SIZE");
        same(16, (int) win.getAttr(MPI.WIN_DISP_UNIT), "WIN_DISP_UNIT");
        check((long) win.getAttr(MPI.WIN_BASE) != 0, "WIN_BASE");
        check(win.getName().isEmpty(), "no name");
        win.setName("tiles");
        check(win.getName().equals("tiles"), "name");
        check(win.getInfo().get("same_size").equals("true"), "info");
        win.setInfo(MPI.INFO_NULL);
        same(0, win.getInfo().size(), "info");
        int key = Win.createKeyval();
        check(win.getAttr(key) == null, "no attribute");
        win.setAttr(key, hints);
        check(win.getAttr(key) == hints, "attribute");
        win.deleteAttr(key);
        check(win.getAttr(key) == null, "no attribute any more");
        Win.freeKeyval(key);
        check(win.getErrhandler() == MPI.ERRORS_RETURN, "handler");
        win.callErrhandler(MPI.ERR_OTHER);
        win.setErrhandler(MPI.ERRORS_RETURN);
        same(MPI.IDENT, Group.compare(win.getGroup(), WORLD.getGroup()), "group");
        win.free();
    }
}
