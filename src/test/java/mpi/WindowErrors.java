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

import io.hayate.HeapSpan;
import io.hayate.MemoryExhaustedException;
import io.hayate.internal.windows.HeapSpace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Calls of windows that must fail, and leave everything as it is. */
final class WindowErrors {
    private static final int LARGE = 8 << 20;
    private static ByteBuffer memory;
    private static Win win;
    private static final ByteBuffer MINE = local(64);

    private WindowErrors() {
    }

    /** A call that is to fail. */
    interface Call {
        void run();
    }

    static void refused(int errorClass, Call call) {
        try {
            call.run();
        } catch (MPIException expected) {
            check(expected.getErrorClass() == errorClass, "expected "
                    + ErrorClass.name(errorClass) + ", not " + expected.getMessage());
            return;
        }
        throw new AssertionError("rank " + rank + ": nothing was refused, expected "
                + ErrorClass.name(errorClass));
    }

    static void run() {
        creation();
        withoutRoom();
        withoutSpace();
        ofDifferentSizes();
        memory = memory(64);
        win = window(memory, 8);
        outsideOfEpochs();
        win.fence(0);
        targets();
        data();
        operations();
        win.fence(MPI.MODE_NOSUCCEED);
        assertions();
        fences();
        locks();
        groups();
        regions();
        handlers();
        refusedByOne();
        for (int i = 0; i < 64; i++) {
            same(0, memory.get(i), "byte " + i + " after calls that failed");
        }
        win.free();
        freed();
    }

    private static void creation() {
        ByteBuffer good = memory(16);
        refused(MPI.ERR_COMM, () -> new Win(good, 16, 1, MPI.INFO_NULL, null));
        refused(MPI.ERR_COMM, () -> new Win(MPI.INFO_NULL, new Intracomm()));
        refused(MPI.ERR_INFO, () -> new Win(good, 16, 1, null, WORLD));
        refused(MPI.ERR_BASE, () -> new Win(null, 16, 1, MPI.INFO_NULL, WORLD));
        refused(MPI.ERR_BASE, () -> new Win(ByteBuffer.allocate(16), 16, 1, MPI.INFO_NULL, WORLD));
        refused(MPI.ERR_BASE, () -> new Win(good.asReadOnlyBuffer(), 16, 1, MPI.INFO_NULL, WORLD));
        refused(MPI.ERR_SIZE, () -> new Win(good, -1, 1, MPI.INFO_NULL, WORLD));
        refused(MPI.ERR_SIZE, () -> new Win(good, 17, 1, MPI.INFO_NULL, WORLD));
        refused(MPI.ERR_DISP, () -> new Win(good, 16, 0, MPI.INFO_NULL, WORLD));
        refused(MPI.ERR_DISP, () -> new Win(good.asLongBuffer(), 2, 1 << 28, MPI.INFO_NULL, WORLD));
        refused(MPI.ERR_RMA_FLAVOR, () -> new Win(16, 1, MPI.INFO_NULL, WORLD, good, 2));
        refused(MPI.ERR_SIZE, () -> new Win(-1, 1, MPI.INFO_NULL, WORLD, good, 0));
        refused(MPI.ERR_BASE, () -> new Win(8, 1, MPI.INFO_NULL, WORLD, ByteBuffer.allocate(8), 0));
        if (size > 1) { // what differs is told to all
            refused(MPI.ERR_NOT_SAME, () -> {
                if (rank == 0) {
                    new Win(MPI.INFO_NULL, WORLD);
                } else {
                    new Win(good, 16, 1, MPI.INFO_NULL, WORLD);
                }
            });
            refused(MPI.ERR_SIZE, () -> new Win(good, rank == 0 ? 17 : 16, 1, MPI.INFO_NULL,
                    WORLD));
            refused(MPI.ERR_DISP, () -> new Win(good, 16, rank == 0 ? 0 : 1, MPI.INFO_NULL,
                    WORLD));
            refused(MPI.ERR_INFO, () -> new Win(rank == 0 ? null : MPI.INFO_NULL, WORLD));
            refused(MPI.ERR_RMA_FLAVOR, () -> new Win(16, 1, MPI.INFO_NULL, WORLD, good,
                    rank == 0 ? 2 : 0));
            Intracomm half = WORLD.split(rank % 2, 0);
            Intercomm inter = WORLD.createIntercomm(half, 0, 1 - rank % 2, 0);
            refused(MPI.ERR_COMM, () -> new Win(MPI.INFO_NULL, inter));
            inter.free();
            half.free();
        }
    }

    /** The heap of one rank is full: all are told, and can go on. */
    private static void withoutRoom() {
        ByteBuffer outside = local(LARGE);
        List<HeapSpan> taken = new ArrayList<>();
        for (long bytes = 1L << 40; rank == 0 && bytes >= LARGE / 2;) {
            try {
                taken.add(Engine.get().job.allocate(bytes));
            } catch (MemoryExhaustedException full) {
                bytes /= 2;
            }
        }
        refused(MPI.ERR_NO_MEM, () -> window(outside, 1));
        taken.forEach(HeapSpan::close);
        WORLD.barrier();
        window(outside, 1).free();
    }

    /** One rank cannot open the space of all heaps. */
    private static void withoutSpace() {
        refused(MPI.ERR_NO_MEM, () -> new WinState() {
            @Override
            HeapSpace space(Engine its, long[] locks) {
                if (WindowProgram.rank == 0) {
                    throw new OutOfMemoryError("none for this test");
                }
                return super.space(its, locks);
            }
        }.open(WORLD, WinState.CREATED, its -> Part.NOTHING, () -> 1));
        WORLD.barrier();
    }

    /** Each member has one word more than the one before it: none beyond its own is reached. */
    private static void ofDifferentSizes() {
        Win some = window(memory(8 * (rank + 1)), 8);
        some.fence(0);
        for (int target = 0; target < size; target++) {
            int last = target;
            some.get(MINE, 1, MPI.LONG, target, last, 1, MPI.LONG);
            refused(MPI.ERR_RMA_RANGE,
                    () -> some.put(MINE, 1, MPI.LONG, last, last + 1, 1, MPI.LONG));
            refused(MPI.ERR_RMA_RANGE,
                    () -> some.get(MINE, 2, MPI.LONG, last, last, 2, MPI.LONG));
            refused(MPI.ERR_RMA_RANGE, () -> some.accumulate(MINE, 1, MPI.LONG, last, last + 1, 1,
                    MPI.LONG, MPI.SUM));
            refused(MPI.ERR_RMA_RANGE, () -> some.compareAndSwap(MINE, MINE, MINE, MPI.LONG, last,
                    Integer.MAX_VALUE));
        }
        some.fence(0);
        some.free();
    }

    private static void outsideOfEpochs() {
        refused(MPI.ERR_RMA_SYNC, () -> win.put(MINE, 1, MPI.LONG, 0, 0, 1, MPI.LONG));
        refused(MPI.ERR_RMA_SYNC, () -> win.get(MINE, 1, MPI.LONG, 0, 0, 1, MPI.LONG));
        refused(MPI.ERR_RMA_SYNC, () -> win.accumulate(MINE, 1, MPI.LONG, 0, 0, 1, MPI.LONG,
                MPI.SUM));
        refused(MPI.ERR_RMA_SYNC, () -> win.fetchAndOp(MINE, MINE, MPI.LONG, 0, 0, MPI.SUM));
        refused(MPI.ERR_RMA_SYNC, () -> win.compareAndSwap(MINE, MINE, MINE, MPI.LONG, 0, 0));
        refused(MPI.ERR_RMA_SYNC, () -> win.rPut(MINE, 1, MPI.LONG, 0, 0, 1, MPI.LONG));
        refused(MPI.ERR_RMA_SYNC, () -> win.unlock(0));
        refused(MPI.ERR_RMA_SYNC, win::unlockAll);
        refused(MPI.ERR_RMA_SYNC, win::complete);
        refused(MPI.ERR_RMA_SYNC, win::waitFor);
        refused(MPI.ERR_RMA_SYNC, win::test);
        refused(MPI.ERR_RMA_SYNC, () -> win.flush(0));
        refused(MPI.ERR_RMA_SYNC, win::flushAll);
        refused(MPI.ERR_RMA_SYNC, () -> win.flushLocal(0));
        refused(MPI.ERR_RMA_SYNC, win::flushLocalAll);
    }

    private static void targets() {
        refused(MPI.ERR_RANK, () -> win.put(MINE, 1, MPI.LONG, size, 0, 1, MPI.LONG));
        refused(MPI.ERR_RANK, () -> win.get(MINE, 1, MPI.LONG, -1, 0, 1, MPI.LONG));
        refused(MPI.ERR_DISP, () -> win.put(MINE, 1, MPI.LONG, 0, -1, 1, MPI.LONG));
        refused(MPI.ERR_RMA_RANGE, () -> win.put(MINE, 1, MPI.LONG, 0, 8, 1, MPI.LONG));
        refused(MPI.ERR_RMA_RANGE, () -> win.get(MINE, 2, MPI.LONG, 0, 7, 2, MPI.LONG));
        refused(MPI.ERR_RMA_RANGE, () -> win.put(MINE, 1, MPI.LONG, 0, Integer.MAX_VALUE, 1,
                MPI.LONG));
        refused(MPI.ERR_RMA_RANGE, () -> win.accumulate(MINE, 1, MPI.INT, 0, 8, 1, MPI.INT,
                MPI.SUM));
        Datatype before = Datatype.createHIndexed(new int[] {1}, new int[] {-8}, MPI.LONG);
        before.commit();
        refused(MPI.ERR_RMA_RANGE, () -> win.put(MINE, 1, MPI.LONG, 0, 0, 1, before));
        Datatype behind = Datatype.createVector(2, 1, 8, MPI.LONG);
        behind.commit();
        refused(MPI.ERR_RMA_RANGE, () -> win.put(MINE, 2, MPI.LONG, 0, 0, 1, behind));
        refused(MPI.ERR_RMA_FLAVOR, () -> win.attach(MINE, 1));
        refused(MPI.ERR_RMA_FLAVOR, () -> win.detach(MINE));
    }

    private static void data() {
        refused(MPI.ERR_BUFFER, () -> win.put(null, 1, MPI.LONG, 0, 0, 1, MPI.LONG));
        refused(MPI.ERR_BUFFER, () -> win.put(MINE, 9, MPI.LONG, 0, 0, 1, MPI.LONG));
        refused(MPI.ERR_BUFFER, () -> win.get(MINE.asReadOnlyBuffer(), 1, MPI.LONG, 0, 0, 1,
                MPI.LONG));
        refused(MPI.ERR_COUNT, () -> win.put(MINE, -1, MPI.LONG, 0, 0, 1, MPI.LONG));
        refused(MPI.ERR_COUNT, () -> win.put(MINE, 1, MPI.LONG, 0, 0, -1, MPI.LONG));
        refused(MPI.ERR_TYPE, () -> win.put(MINE, 1, null, 0, 0, 1, MPI.LONG));
        refused(MPI.ERR_TYPE, () -> win.put(MINE, 1, MPI.LONG, 0, 0, 1, null));
        refused(MPI.ERR_TYPE, () -> win.put(MINE, 1, MPI.OBJECT, 0, 0, 1, MPI.LONG));
        refused(MPI.ERR_TYPE, () -> win.get(MINE, 1, MPI.LONG, 0, 0, 1, MPI.OBJECT));
        Datatype uncommitted = Datatype.createContiguous(2, MPI.INT);
        refused(MPI.ERR_TYPE, () -> win.put(MINE, 1, MPI.LONG, 0, 0, 1, uncommitted));
        refused(MPI.ERR_TYPE, () -> win.get(MINE, 1, uncommitted, 0, 0, 1, MPI.LONG));
        refused(MPI.ERR_TRUNCATE, () -> win.put(MINE, 2, MPI.LONG, 0, 0, 1, MPI.LONG));
        refused(MPI.ERR_TRUNCATE, () -> win.get(MINE, 1, MPI.LONG, 0, 0, 2, MPI.LONG));
        refused(MPI.ERR_TRUNCATE, () -> win.getAccumulate(MINE, 2, MPI.LONG, local(8), 1, MPI.LONG,
                0, 0, 2, MPI.LONG, MPI.SUM));
        win.put(null, 0, MPI.LONG, 0, 0, 0, MPI.LONG);
        win.get(MINE, 0, MPI.LONG, 0, 100, 0, MPI.LONG);
    }

    private static void operations() {
        refused(MPI.ERR_OP, () -> win.accumulate(MINE, 1, MPI.LONG, 0, 0, 1, MPI.LONG, null));
        refused(MPI.ERR_OP, () -> win.accumulate(MINE, 1, MPI.LONG, 0, 0, 1, MPI.LONG, MPI.NO_OP));
        refused(MPI.ERR_OP, () -> win.accumulate(MINE, 1, MPI.DOUBLE, 0, 0, 1, MPI.DOUBLE,
                MPI.BXOR));
        Op own = new Op(new UserFunction() { }, true);
        refused(MPI.ERR_OP, () -> win.accumulate(MINE, 1, MPI.LONG, 0, 0, 1, MPI.LONG, own));
        own.free();
        refused(MPI.ERR_OP, () -> win.fetchAndOp(MINE, MINE, MPI.LONG, 0, 0, own));
        refused(MPI.ERR_TYPE, () -> win.accumulate(MINE, 2, MPI.INT, 0, 0, 1, MPI.LONG, MPI.SUM));
        refused(MPI.ERR_TYPE, () -> win.compareAndSwap(MINE, MINE, MINE, MPI.DOUBLE, 0, 0));
        Datatype mixed = Datatype.createStruct(new int[] {1, 1}, new int[] {0, 8},
                new Datatype[] {MPI.LONG, MPI.INT});
        mixed.commit();
        refused(MPI.ERR_TYPE, () -> win.accumulate(MINE, 1, mixed, 0, 0, 1, mixed, MPI.REPLACE));
        refused(MPI.ERR_BUFFER, () -> win.fetchAndOp(null, MINE, MPI.LONG, 0, 0, MPI.SUM));
        refused(MPI.ERR_BUFFER, () -> win.fetchAndOp(MINE, null, MPI.LONG, 0, 0, MPI.SUM));
        refused(MPI.ERR_BUFFER, () -> win.compareAndSwap(MINE, null, MINE, MPI.LONG, 0, 0));
    }

    private static void assertions() {
        refused(MPI.ERR_ASSERT, () -> win.fence(MPI.MODE_NOCHECK));
        refused(MPI.ERR_ASSERT, () -> win.post(win.getGroup(), MPI.MODE_NOPRECEDE));
        refused(MPI.ERR_ASSERT, () -> win.start(win.getGroup(), MPI.MODE_NOSTORE));
        refused(MPI.ERR_ASSERT, () -> win.lock(MPI.LOCK_SHARED, 0, MPI.MODE_NOSUCCEED));
        refused(MPI.ERR_ASSERT, () -> win.lockAll(-1));
    }

    private static void fences() {
        win.fence(0);
        win.put(MINE, 1, MPI.LONG, 0, 0, 1, MPI.LONG);
        refused(MPI.ERR_RMA_SYNC, () -> win.lock(MPI.LOCK_SHARED, 0, 0));
        refused(MPI.ERR_RMA_SYNC, () -> win.lockAll(0));
        refused(MPI.ERR_RMA_SYNC, () -> win.start(win.getGroup(), 0));
        win.fence(0);
        win.lock(MPI.LOCK_SHARED, 0, 0); // nobody has used the epoch of the fence
        win.unlock(0);
        refused(MPI.ERR_RMA_SYNC, () -> win.put(MINE, 1, MPI.LONG, 0, 0, 1, MPI.LONG));
    }

    private static void locks() {
        Info hint = new Info();
        hint.set("no_locks", "true");
        Win without = new Win(memory(8), 8, 1, hint, WORLD);
        refused(MPI.ERR_RMA_SYNC, () -> without.lock(MPI.LOCK_SHARED, 0, 0));
        refused(MPI.ERR_RMA_SYNC, () -> without.lockAll(0));
        without.free();
        refused(MPI.ERR_LOCKTYPE, () -> win.lock(3, 0, 0));
        refused(MPI.ERR_RANK, () -> win.lock(MPI.LOCK_SHARED, size, 0));
        refused(MPI.ERR_RANK, () -> win.unlock(-7));
        win.lock(MPI.LOCK_SHARED, rank, 0);
        refused(MPI.ERR_RMA_SYNC, () -> win.lock(MPI.LOCK_SHARED, rank, 0));
        refused(MPI.ERR_RMA_SYNC, () -> win.lockAll(0));
        refused(MPI.ERR_RMA_SYNC, () -> win.fence(0));
        refused(MPI.ERR_RMA_SYNC, () -> win.start(win.getGroup(), 0));
        refused(MPI.ERR_RMA_SYNC, win::unlockAll);
        refused(MPI.ERR_RMA_SYNC, win::complete);
        refused(MPI.ERR_RMA_SYNC, win::free);
        if (size > 1) {
            int other = (rank + 1) % size;
            refused(MPI.ERR_RMA_SYNC, () -> win.put(MINE, 1, MPI.LONG, other, 0, 1, MPI.LONG));
            refused(MPI.ERR_RMA_SYNC, () -> win.unlock(other));
            refused(MPI.ERR_RMA_SYNC, () -> win.flush(other));
        }
        win.unlock(rank);
        win.lockAll(0);
        refused(MPI.ERR_RMA_SYNC, () -> win.lock(MPI.LOCK_SHARED, 0, 0));
        refused(MPI.ERR_RMA_SYNC, () -> win.lockAll(0));
        refused(MPI.ERR_RMA_SYNC, () -> win.unlock(0));
        refused(MPI.ERR_RMA_SYNC, win::free);
        refused(MPI.ERR_RANK, () -> win.flush(size));
        win.unlockAll();
    }

    private static void groups() {
        refused(MPI.ERR_GROUP, () -> win.post(null, 0));
        refused(MPI.ERR_GROUP, () -> win.start(null, 0));
        Win self = new Win(null, 0, 1, MPI.INFO_NULL, MPI.COMM_SELF);
        if (size > 1) {
            refused(MPI.ERR_GROUP, () -> self.start(WORLD.getGroup(), 0));
            refused(MPI.ERR_GROUP, () -> self.post(WORLD.getGroup(), 0));
        }
        Group own = self.getGroup();
        self.post(own, 0);
        refused(MPI.ERR_RMA_SYNC, () -> self.post(own, 0));
        refused(MPI.ERR_RMA_SYNC, () -> self.fence(0));
        refused(MPI.ERR_RMA_SYNC, self::free);
        check(!self.test(), "an exposure without complete() is not over");
        self.start(own, 0);
        refused(MPI.ERR_RMA_SYNC, () -> self.start(own, 0));
        refused(MPI.ERR_RMA_SYNC, () -> self.lock(MPI.LOCK_SHARED, 0, 0));
        refused(MPI.ERR_RMA_SYNC, self::free);
        self.complete();
        refused(MPI.ERR_RMA_SYNC, self::complete);
        self.waitFor();
        refused(MPI.ERR_RMA_SYNC, self::waitFor);
        self.free();
    }

    /** All are told that one is in an epoch. */
    private static void refusedByOne() {
        if (rank == size - 1) {
            win.lock(MPI.LOCK_SHARED, rank, 0);
        }
        refused(MPI.ERR_RMA_SYNC, win::free);
        if (rank == size - 1) {
            win.unlock(rank);
        }
        win.fence(0);
    }

    private static void regions() {
        Win dynamic = new Win(MPI.INFO_NULL, MPI.COMM_SELF);
        ByteBuffer one = local(8);
        refused(MPI.ERR_RMA_ATTACH, () -> dynamic.attach(null, 1));
        refused(MPI.ERR_RMA_ATTACH, () -> dynamic.attach(ByteBuffer.allocate(8), 8));
        refused(MPI.ERR_RMA_ATTACH, () -> dynamic.attach(one, 0));
        refused(MPI.ERR_SIZE, () -> dynamic.attach(one, 9));
        refused(MPI.ERR_RMA_ATTACH, () -> dynamic.detach(one));
        dynamic.attach(one, 8);
        refused(MPI.ERR_RMA_ATTACH, () -> dynamic.attach(one, 8));
        dynamic.lockAll(0);
        refused(MPI.ERR_RMA_RANGE, () -> dynamic.put(MINE, 1, MPI.LONG, 0, 8, 1, MPI.LONG));
        refused(MPI.ERR_RMA_RANGE, () -> dynamic.put(MINE, 2, MPI.LONG, 0, 0, 2, MPI.LONG));
        dynamic.unlockAll();
        for (int i = 1; i < 64; i++) {
            dynamic.attach(local(8), 8);
        }
        refused(MPI.ERR_RMA_ATTACH, () -> dynamic.attach(local(8), 8));
        dynamic.free();
    }

    private static void handlers() {
        refused(MPI.ERR_ARG, () -> win.setErrhandler(null));
        refused(MPI.ERR_ARG, () -> win.setName(null));
        refused(MPI.ERR_INFO, () -> win.setInfo(null));
        refused(MPI.ERR_KEYVAL, () -> win.getAttr(123456));
        refused(MPI.ERR_KEYVAL, () -> win.setAttr(MPI.WIN_SIZE, 1));
        refused(MPI.ERR_KEYVAL, () -> win.deleteAttr(MPI.WIN_BASE));
    }

    private static void freed() {
        refused(MPI.ERR_WIN, win::free);
        refused(MPI.ERR_WIN, () -> win.fence(0));
        refused(MPI.ERR_WIN, () -> win.put(MINE, 1, MPI.LONG, 0, 0, 1, MPI.LONG));
        refused(MPI.ERR_WIN, () -> win.get(MINE, 1, MPI.LONG, 0, 0, 1, MPI.LONG));
        refused(MPI.ERR_WIN, () -> win.fetchAndOp(MINE, MINE, MPI.LONG, 0, 0, MPI.SUM));
        refused(MPI.ERR_WIN, () -> win.lock(MPI.LOCK_SHARED, 0, 0));
        refused(MPI.ERR_WIN, () -> win.flush(0));
        refused(MPI.ERR_WIN, win::sync);
        refused(MPI.ERR_WIN, win::getGroup);
        refused(MPI.ERR_WIN, win::getName);
        refused(MPI.ERR_WIN, () -> win.getAttr(MPI.WIN_BASE));
    }
}
