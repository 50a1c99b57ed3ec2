// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.WindowProgram.WORLD;
import static mpi.WindowProgram.check;
import static mpi.WindowProgram.local;
import static mpi.WindowProgram.memory;
import static mpi.WindowProgram.rank;
import static mpi.WindowProgram.size;
import static mpi.WindowProgram.window;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/**
 * Random accesses. Each rank owns a section of the memory of each rank, of which it knows what it
 * must contain; what all ranks add up is in a section of its own. Nothing is accessed twice without
 * a flush or a new epoch between, because nothing orders these accesses.
 */
final class WindowModel {
    private static final int SECTION = 512;
    private static final int SUMS = 64;
    private static final int ACCESSES = 60;
    private static final int EPOCHS = 12;
    private static final Datatype[] TYPES = {Types.BYTE, Types.SHORT, Types.INT, Types.LONG,
        Types.DOUBLE};

    private final Random random;
    private final Win win;
    private final ByteBuffer memory;
    /** For each rank, what this rank's section there contains. */
    private final byte[][] model = new byte[size][SECTION];
    /** For each rank, what was accessed there since the last flush or epoch. */
    private final boolean[][] touched = new boolean[size][SECTION];
    private final long[] added = new long[size * SUMS / 8];

    private WindowModel(long seed) {
        random = new Random(seed * 1000 + rank);
        memory = memory(size * SECTION + SUMS);
        win = window(memory, 1);
    }

    static void run() {
        long first = Long.getLong("hayate.test.seed", 1);
        for (long seed = first; seed < first + 3; seed++) {
            new WindowModel(seed).run("seed " + seed);
        }
    }

    private void run(String seed) {
        for (int epoch = 0; epoch < EPOCHS; epoch++) {
            int kind = (epoch + (seed.hashCode() & 7)) % 3;
            if (kind == 0) {
                win.fence(0);
            } else if (kind == 1) {
                win.lockAll(0);
            } else {
                win.post(win.getGroup(), 0);
                win.start(win.getGroup(), 0);
            }
            for (boolean[] section : touched) {
                Arrays.fill(section, false);
            }
            for (int i = 0; i < ACCESSES; i++) {
                access(seed, kind == 1);
            }
            if (kind == 0) {
                win.fence(MPI.MODE_NOSUCCEED);
            } else if (kind == 1) {
                win.unlockAll();
            } else {
                win.complete();
                win.waitFor();
            }
        }
        WORLD.barrier();
        compare(seed);
        win.free();
    }

    private void access(String seed, boolean canFlush) {
        int target = random.nextInt(size);
        Datatype basic = TYPES[random.nextInt(TYPES.length)];
        int blocks = 1 + random.nextInt(4);
        int length = 1 + random.nextInt(3);
        Datatype type = Datatype.createVector(blocks, length, length + random.nextInt(3), basic);
        type.commit();
        int extent = (int) type.map.trueUb;
        int at = random.nextInt(SECTION - extent) / basic.kind.bytes * basic.kind.bytes;
        int data = (int) type.bytes;
        if (!isFree(target, at, extent, canFlush)) {
            return;
        }
        ByteBuffer mine = local(data);
        random.ints(data).forEach(value -> mine.put((byte) value));
        mine.clear();
        int disp = rank * SECTION + at;
        int elements = blocks * length;
        ByteBuffer before = local(data);
        switch (random.nextInt(canFlush ? 5 : 4)) {
            case 0 -> win.put(mine, elements, basic, target, disp, 1, type);
            case 1 -> win.accumulate(mine, elements, basic, target, disp, 1, type, MPI.REPLACE);
            case 2 -> {
                win.getAccumulate(mine, elements, basic, before, elements, basic, target, disp, 1,
                        type, MPI.REPLACE);
                check(before.equals(expected(target, at, type)), seed + ": previous elements");
            }
            case 3 -> {
                win.get(before, elements, basic, target, disp, 1, type);
                check(before.equals(expected(target, at, type)), seed + ": get");
                add(target);
                return;
            }
            default -> {
                win.put(mine, elements, basic, target, disp, 1, type);
                win.flush(target);
                win.get(before, elements, basic, target, disp, 1, type);
                check(before.equals(mine), seed + ": get after put");
            }
        }
        Packing.unpack(mine.duplicate(), model[target], at, 1, asBytes(type));
    }

    /** Says whether memory can be accessed, and notes that it is. */
    private boolean isFree(int target, int at, int bytes, boolean canFlush) {
        boolean free = true;
        for (int i = at; i < at + bytes; i++) {
            free &= !touched[target][i];
        }
        if (!free && canFlush) {
            win.flush(target);
            Arrays.fill(touched[target], false);
            free = true;
        }
        Arrays.fill(touched[target], at, at + bytes, true);
        return free;
    }

    /** Returns the same places as bytes, for an array of bytes. */
    private static Datatype asBytes(Datatype type) {
        int each = type.kind.bytes;
        Datatype bytes = Datatype.createHIndexed(new int[0], new int[0], Types.BYTE);
        Piece piece = type.map.regular(1);
        if (piece != null) {
            bytes = Datatype.createHVector((int) piece.count(), (int) piece.block(),
                    (int) Math.max(piece.stride(), piece.block()), Types.BYTE);
        }
        check(each > 0 && piece != null, "a vector is regular");
        bytes.commit();
        return bytes;
    }

    private ByteBuffer expected(int target, int at, Datatype type) {
        ByteBuffer bytes = local((int) type.bytes);
        Packing.pack(model[target], at, 1, asBytes(type), bytes);
        return bytes.clear();
    }

    private void add(int target) {
        int word = random.nextInt(SUMS / 8);
        ByteBuffer number = local(8).putLong(0, random.nextInt(100));
        win.accumulate(number, 1, MPI.LONG, target, size * SECTION + 8 * word, 1, MPI.LONG,
                MPI.SUM);
        added[target * SUMS / 8 + word] += number.getLong(0);
    }

    /** Each looks at its own memory, of which all others say what must be there. */
    private void compare(String seed) {
        long[] sums = new long[added.length];
        WORLD.allReduce(added, sums, added.length, MPI.LONG, MPI.SUM);
        byte[] mine = new byte[size * SECTION];
        byte[] told = new byte[size * SECTION];
        for (int i = 0; i < size; i++) {
            System.arraycopy(model[i], 0, mine, i * SECTION, SECTION);
        }
        WORLD.allToAll(mine, SECTION, MPI.BYTE, told, SECTION, MPI.BYTE);
        win.lock(MPI.LOCK_SHARED, rank, 0);
        for (int i = 0; i < told.length; i++) {
            check(told[i] == memory.get(i), seed + ": byte " + i + " of this rank's memory");
        }
        for (int word = 0; word < SUMS / 8; word++) {
            check(sums[rank * SUMS / 8 + word] == memory.getLong(size * SECTION + 8 * word),
                    seed + ": sum " + word);
        }
        win.unlock(rank);
    }
}
