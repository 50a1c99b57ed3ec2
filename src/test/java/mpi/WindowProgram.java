// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * A program that uses windows in every way, on any number of ranks, and ends with exit code 0 if
 * they do what MPI says. With the argument "copied", their memory is outside of the heap.
 */
public final class WindowProgram {
    static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int ROUNDS = 40;
    private static final int LONG = 1 << 20;
    static boolean copied;
    static int rank;
    static int size;

    private WindowProgram() {
    }

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("rank " + rank + " of " + size + ": " + what);
        }
    }

    static void same(long expected, long actual, String what) {
        check(expected == actual, what + ": " + actual + ", expected " + expected);
    }

    /** Begins and ends MPI, and checks everything. */
    public static void main(String[] args) throws InterruptedException {
        copied = Arrays.asList(args).contains("copied");
        MPI.InitThread(args, MPI.THREAD_MULTIPLE);
        rank = WORLD.getRank();
        size = WORLD.getSize();
        fences();
        derivedTypes();
        longOnes();
        words();
        generalActiveTargets();
        exclusiveLocks();
        sharedLocks();
        ownMemory();
        looks();
        threads();
        WindowKinds.run();
        WindowCopies.run();
        WindowAtomics.run();
        WindowModel.run();
        WindowErrors.run();
        leftOpen();
        MPI.Finalize();
    }

    // ---- memory ----

    /** Returns memory for a window, in native order. */
    static ByteBuffer memory(int bytes) {
        return copied ? ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder())
                : MPI.newByteBuffer(bytes);
    }

    static ByteBuffer local(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    static Win window(ByteBuffer memory, int unit) {
        return new Win(memory, memory.capacity(), unit, MPI.INFO_NULL, WORLD);
    }

    // ---- synchronisation ----

    /** Each puts to the right, and reads from the left what that has put, stored or accumulated. */
    private static void fences() {
        IntBuffer memory = memory(4 * (size + 1)).asIntBuffer();
        Win win = new Win(memory, size + 1, 1, MPI.INFO_NULL, WORLD);
        IntBuffer mine = local(8).asIntBuffer();
        int right = (rank + 1) % size;
        int left = (rank + size - 1) % size;
        for (int round = 0; round < ROUNDS; round++) {
            memory.put(size, 1000 + round + rank);
            win.fence(round == 0 ? MPI.MODE_NOPRECEDE : 0);
            mine.put(0, 100 * round + rank);
            win.put(mine, 1, MPI.INT, right, rank, 1, MPI.INT);
            win.fence(0);
            same(100 * round + left, memory.get(left), "what the left one has put");
            win.get(mine, 1, MPI.INT, right, size, 1, MPI.INT);
            same(1000 + round + right, mine.get(0), "what the right one has stored");
            win.rGet(mine, 1, MPI.INT, right, rank, 1, MPI.INT).waitFor();
            same(100 * round + rank, mine.get(0), "what this one has put to the right");
            win.fence(round == ROUNDS - 1 ? MPI.MODE_NOSUCCEED : 0);
        }
        win.free();
    }

    /** Every second int of the origin goes to every third one of the target, and comes back. */
    private static void derivedTypes() {
        ByteBuffer memory = memory(4 * 12);
        Win win = window(memory, 4);
        Datatype second = Datatype.createVector(4, 1, 2, MPI.INT);
        Datatype third = Datatype.createVector(4, 1, 3, MPI.INT);
        second.commit();
        third.commit();
        IntBuffer mine = local(4 * 8).asIntBuffer();
        for (int i = 0; i < 8; i++) {
            mine.put(i, 10 * rank + i);
        }
        int right = (rank + 1) % size;
        int left = (rank + size - 1) % size;
        win.fence(0);
        win.put(mine, 1, second, right, 1, 1, third);
        win.fence(0);
        for (int i = 0; i < 12; i++) {
            int expected = i % 3 == 1 ? 10 * left + 2 * (i / 3) : 0;
            same(expected, memory.getInt(4 * i), "int " + i + " of a vector");
        }
        IntBuffer back = local(4 * 8).asIntBuffer();
        win.get(back, 1, second, right, 1, 1, third);
        IntBuffer packed = local(4 * 4).asIntBuffer();
        win.rGet(packed, 4, MPI.INT, right, 1, 1, third).waitFor();
        for (int i = 0; i < 8; i++) {
            same(i % 2 == 0 ? mine.get(i) : 0, back.get(i), "int " + i + " that came back");
        }
        same(mine.get(6), packed.get(3), "the last int, packed");
        IntBuffer array = IntBuffer.wrap(new int[] {-1, -2, -3, -4});
        win.fence(0);
        win.put(array, 4, MPI.INT, right, 1, 1, third);
        win.fence(0);
        same(-4, memory.getInt(40), "what came from an array");
        win.free();
    }

    private static void longOnes() {
        int bytes = 1_000_003;
        ByteBuffer memory = memory(bytes);
        Win win = window(memory, 1);
        ByteBuffer mine = local(bytes);
        ByteBuffer back = local(bytes);
        for (int i = 0; i < bytes; i++) {
            mine.put(i, (byte) (i * 7 + rank));
        }
        int right = (rank + 1) % size;
        int left = (rank + size - 1) % size;
        win.fence(0);
        win.put(mine, bytes, MPI.BYTE, right, 0, bytes, MPI.BYTE);
        win.fence(0);
        for (int i = 0; i < bytes; i += 997) {
            same((byte) (i * 7 + left), memory.get(i), "byte " + i);
        }
        same((byte) ((bytes - 1) * 7 + left), memory.get(bytes - 1), "the last byte");
        win.get(back, bytes, MPI.BYTE, right, 0, bytes, MPI.BYTE);
        check(back.equals(mine), "what came back differs");
        win.free();
    }

    /** Words of all buffers, in both byte orders, which do not matter, aligned or not. */
    private static void words() {
        ByteBuffer memory = memory(64);
        Win win = window(memory, 1);
        int right = (rank + 1) % size;
        long bits = 0x7ff4_0102_0304_0506L; // a NaN that is not quiet
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(8).order(order);
            for (Buffer origin : new Buffer[] {bytes, bytes.asLongBuffer(), bytes.asDoubleBuffer(),
                bytes.asIntBuffer(), bytes.asFloatBuffer(), bytes.asShortBuffer()}) {
                for (int at = 8; at < 26; at++) {
                    for (int length = 4; length <= 8; length += 4) {
                        bytes.order(ByteOrder.nativeOrder()).putLong(0, bits + at);
                        bytes.order(order);
                        win.lock(MPI.LOCK_EXCLUSIVE, right, 0);
                        win.put(origin, length, MPI.BYTE, right, at, length, MPI.BYTE);
                        bytes.putLong(0, 0);
                        win.flush(right);
                        win.get(origin, length, MPI.BYTE, right, at, length, MPI.BYTE);
                        win.unlock(right);
                        long mask = length == 8 ? -1 : 0xffff_ffffL;
                        same(bits + at & mask, bytes.order(ByteOrder.nativeOrder()).getLong(0),
                                "a word at " + at);
                        bytes.order(order);
                    }
                }
            }
        }
        win.free();
    }

    /** Rank 0 lets all others access it, and accesses them; some ask by test(). */
    private static void generalActiveTargets() {
        ByteBuffer memory = memory(8 * size);
        Win win = window(memory, 8);
        Group everybody = win.getGroup();
        Group first = everybody.incl(new int[] {0});
        Group others = everybody.excl(new int[] {0});
        LongBuffer mine = local(8).asLongBuffer();
        for (int round = 1; round <= ROUNDS; round++) {
            if (rank == 0) {
                win.post(others, 0);
                if (round % 2 == 0) {
                    win.waitFor();
                } else {
                    while (!win.test()) {
                        Thread.onSpinWait();
                    }
                }
                win.start(others, 0);
                for (int i = 1; i < size; i++) {
                    same(100L * round + i, memory.getLong(8 * i), "round " + round);
                    win.put(mine.put(0, -round - i), 1, MPI.LONG, i, 0, 1, MPI.LONG);
                }
                win.complete();
            } else {
                win.start(first, 0);
                win.put(mine.put(0, 100L * round + rank), 1, MPI.LONG, 0, rank, 1, MPI.LONG);
                win.complete();
                win.post(first, MPI.MODE_NOSTORE);
                win.waitFor();
                same(-round - rank, memory.getLong(0), "from rank 0 in round " + round);
            }
        }
        win.post(everybody, 0); // everybody accesses everybody, also itself
        win.start(everybody, 0);
        for (int i = 0; i < size; i++) {
            win.put(mine.put(0, 7L * rank), 1, MPI.LONG, i, rank, 1, MPI.LONG);
        }
        win.complete();
        win.waitFor();
        for (int i = 0; i < size; i++) {
            same(7L * i, memory.getLong(8 * i), "from all");
        }
        win.free();
    }

    /** A rank that only tests answers what others ask meanwhile: here, to cancel a send. */
    private static void looks() {
        if (size == 1) {
            return;
        }
        Win win = window(memory(8), 8);
        if (rank == 0) {
            win.post(win.getGroup().incl(new int[] {1}), 0);
            while (!win.test()) {
                Thread.onSpinWait();
            }
        } else if (rank == 1) {
            win.start(win.getGroup().incl(new int[] {0}), 0);
            Request sending = WORLD.iSend(local(LONG), LONG, MPI.BYTE, 0, 0);
            sending.cancel();
            check(sending.waitStatus().isCancelled(), "a send was not cancelled");
            win.complete();
        }
        win.free();
    }

    /** A read, an addition and a write of all ranks, which only a lock can keep together. */
    private static void exclusiveLocks() {
        ByteBuffer memory = memory(16);
        Win win = window(memory, 8);
        LongBuffer mine = local(16).asLongBuffer();
        for (int round = 0; round < ROUNDS; round++) {
            for (int target = 0; target < size; target++) {
                win.lock(MPI.LOCK_EXCLUSIVE, target, 0);
                win.get(mine, 2, MPI.LONG, target, 0, 2, MPI.LONG);
                same(mine.get(0), -mine.get(1), "two numbers under a lock");
                mine.put(0, mine.get(0) + 1).put(1, mine.get(1) - 1);
                win.put(mine, 1, MPI.LONG, target, 0, 1, MPI.LONG);
                if (round % 3 == 0) {
                    win.flush(target);
                }
                mine.put(0, mine.get(1));
                win.put(mine, 1, MPI.LONG, target, 1, 1, MPI.LONG);
                win.unlock(target);
            }
        }
        WORLD.barrier();
        same((long) ROUNDS * size, memory.getLong(0), "the number of all locks");
        win.free();
    }

    /** Readers share; all numbers that they see are equal, and never get less. */
    private static void sharedLocks() {
        int words = 100;
        ByteBuffer memory = memory(8 * words);
        Win win = window(memory, 8);
        LongBuffer mine = local(8 * words).asLongBuffer();
        long before = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            if (rank == round % size) {
                for (int i = 0; i < words; i++) {
                    mine.put(i, round);
                }
                win.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
                win.put(mine, words, MPI.LONG, 0, 0, words, MPI.LONG);
                win.unlock(0);
            }
            if (round % 2 == 0) {
                win.lock(MPI.LOCK_SHARED, 0, 0);
            } else {
                win.lockAll(0);
            }
            win.get(mine, words, MPI.LONG, 0, 0, words, MPI.LONG);
            for (int i = 0; i < words; i++) {
                same(mine.get(0), mine.get(i), "number " + i + " under a shared lock");
            }
            check(size > 1 || mine.get(0) == round, "the number that this rank has put");
            win.flushLocalAll();
            if (round % 2 == 0) {
                win.flushLocal(0);
                win.unlock(0);
            } else {
                win.flushAll();
                win.unlockAll();
            }
            before = Math.max(before, mine.get(0));
        }
        check(before > 0, "nobody has put anything");
        win.lockAll(MPI.MODE_NOCHECK);
        win.unlockAll();
        win.lock(MPI.LOCK_EXCLUSIVE, rank, MPI.MODE_NOCHECK);
        win.unlock(rank);
        win.lock(MPI.LOCK_SHARED, MPI.PROC_NULL, 0);
        win.put(mine, 1, MPI.LONG, MPI.PROC_NULL, 0, 1, MPI.LONG);
        win.unlock(MPI.PROC_NULL);
        win.free();
    }

    /** A rank waits for a number in its own memory, and another one for what that has stored. */
    private static void ownMemory() {
        ByteBuffer memory = memory(16);
        Win win = window(memory, 8);
        LongBuffer mine = local(8).asLongBuffer();
        int right = (rank + 1) % size;
        win.lockAll(0);
        for (long round = 1; round <= ROUNDS; round++) {
            win.put(mine.put(0, round), 1, MPI.LONG, right, 0, 1, MPI.LONG);
            win.flush(right);
            while (memory.getLong(0) < round) {
                win.sync();
                Thread.yield();
            }
            memory.putLong(8, round * 11);
            win.sync();
            do {
                win.get(mine, 1, MPI.LONG, right, 1, 1, MPI.LONG);
                Thread.yield();
            } while (mine.get(0) < round * 11);
        }
        win.unlockAll();
        win.free();
    }

    // ---- threads, and the end ----

    /** Threads of a rank that access and lock at the same time. */
    private static void threads() throws InterruptedException {
        Win win = window(memory(16), 8);
        Win locks = window(memory(16), 8);
        win.lockAll(0);
        Thread[] all = new Thread[3];
        Throwable[] failure = new Throwable[1];
        for (int t = 0; t < all.length; t++) {
            int target = t;
            all[t] = new Thread(() -> {
                LongBuffer mine = local(8).asLongBuffer().put(0, 1);
                for (int i = 0; i < ROUNDS; i++) {
                    win.accumulate(mine, 1, MPI.LONG, 0, 0, 1, MPI.LONG, MPI.SUM);
                    win.flush(0);
                    if (target < size) {
                        locks.lock(MPI.LOCK_EXCLUSIVE, target, 0);
                        locks.put(mine, 1, MPI.LONG, target, 0, 1, MPI.LONG);
                        locks.unlock(target);
                    }
                }
            });
            all[t].setUncaughtExceptionHandler((thread, why) -> failure[0] = why);
            all[t].start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        check(failure[0] == null, "a thread failed: " + failure[0]);
        win.unlockAll();
        WORLD.barrier();
        win.lock(MPI.LOCK_SHARED, 0, 0);
        LongBuffer sum = local(8).asLongBuffer();
        win.get(sum, 1, MPI.LONG, 0, 0, 1, MPI.LONG);
        same((long) all.length * ROUNDS * size, sum.get(0), "the sum of all threads");
        win.unlock(0);
        locks.free();
        win.free();
    }

    /** A window that nobody frees does no harm. */
    private static void leftOpen() {
        window(memory(100), 1).fence(MPI.MODE_NOSUCCEED);
    }
}
