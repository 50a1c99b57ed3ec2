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
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Accumulates of all operations and types, alone and against each other. */
final class WindowAtomics {
    private static final int ELEMENTS = 5;
    private static final int ROUNDS = 100;
    private static final List<Datatype> TYPES = List.of(Types.BYTE, Types.CHAR, Types.SHORT,
            Types.INT, Types.LONG, Types.FLOAT, Types.DOUBLE, Types.BOOLEAN, Types.FLOAT_COMPLEX,
            Types.DOUBLE_COMPLEX, Types.SHORT2, Types.INT2, Types.LONG2, Types.FLOAT2,
            Types.DOUBLE2, Types.SHORT_INT, Types.LONG_INT, Types.FLOAT_INT, Types.DOUBLE_INT);
    private static final List<Op> OPS = List.of(Ops.MAX, Ops.MIN, Ops.SUM, Ops.PROD, Ops.LAND,
            Ops.BAND, Ops.LOR, Ops.BOR, Ops.LXOR, Ops.BXOR, Ops.MAXLOC, Ops.MINLOC);

    private WindowAtomics() {
    }

    static void run() {
        everyOperation();
        replacements();
        pairs();
        misaligned();
        tickets();
        swaps();
        mixture();
    }

    /** Returns small numbers, so that the order of sums and products does not matter. */
    private static ByteBuffer operands(Datatype type, int from) {
        ByteBuffer bytes = local((int) type.map.extent() * ELEMENTS);
        Random random = new Random(31 * from + type.kind.ordinal());
        boolean pair = type.kind.second != null;
        for (int i = 0; i < ELEMENTS; i++) {
            int at = i * (int) type.map.extent();
            Kind first = pair ? type.kind.first : type.kind;
            put(bytes, at, first, type.kind == Kind.BOOLEAN ? random.nextInt(2)
                    : random.nextInt(4));
            if (pair) {
                put(bytes, at + Math.max(first.bytes, type.kind.second.bytes), type.kind.second,
                        random.nextInt(4));
            }
        }
        return bytes;
    }

    private static void put(ByteBuffer bytes, int at, Kind kind, int value) {
        switch (kind) {
            case CHAR, SHORT -> bytes.putShort(at, (short) value);
            case INT -> bytes.putInt(at, value);
            case LONG -> bytes.putLong(at, value);
            case FLOAT -> bytes.putFloat(at, value);
            case DOUBLE -> bytes.putDouble(at, value);
            default -> bytes.put(at, (byte) value);
        }
    }

    /** All ranks accumulate to all; the result is what one rank computes from all operands. */
    private static void everyOperation() {
        ByteBuffer memory = memory(16 * ELEMENTS);
        Win win = window(memory, 1);
        for (Datatype type : TYPES) {
            for (Op op : OPS) {
                if (!op.operator.takes(type.kind)) {
                    win.fence(0);
                    WindowErrors.refused(MPI.ERR_OP, () -> win.accumulate(memory, 1, type, 0, 0, 1,
                            type, op));
                    continue;
                }
                ByteBuffer start = operands(type, 1000);
                memory.put(0, start, 0, start.capacity());
                win.fence(0);
                for (int i = 0; i < size; i++) {
                    win.accumulate(operands(type, rank), ELEMENTS, type, i, 0, ELEMENTS, type, op);
                }
                win.fence(0);
                ByteBuffer expected = packed(start, type);
                for (int i = 0; i < size; i++) {
                    Combining.combine(op.operator, type.kind, packed(operands(type, i), type),
                            expected);
                }
                check(areEqual(packed(memory, type), expected, type.kind.element),
                        op.operator + " of " + type);
            }
        }
        win.free();
    }

    /** Products of complex numbers may be 0.0 or -0.0. */
    private static boolean areEqual(ByteBuffer one, ByteBuffer other, Kind element) {
        boolean equal = true;
        for (int at = 0; at < one.capacity(); at += element.bytes) {
            equal &= switch (element) {
                case FLOAT -> one.getFloat(at) == other.getFloat(at);
                case DOUBLE -> one.getDouble(at) == other.getDouble(at);
                default -> one.slice(at, element.bytes).equals(other.slice(at, element.bytes));
            };
        }
        return equal;
    }

    private static ByteBuffer packed(ByteBuffer memory, Datatype type) {
        ByteBuffer bytes = local(ELEMENTS * (int) type.bytes);
        Packing.pack(memory, 0, ELEMENTS, type, bytes);
        return bytes.clear();
    }

    private static void replacements() {
        ByteBuffer memory = memory(16 * ELEMENTS);
        Win win = window(memory, 1);
        int right = (rank + 1) % size;
        int left = (rank + size - 1) % size;
        for (Datatype type : TYPES) {
            ByteBuffer start = operands(type, 1000 + rank);
            memory.put(0, start, 0, start.capacity());
            ByteBuffer before = local((int) type.map.extent() * ELEMENTS);
            win.fence(0);
            win.getAccumulate(null, 0, null, before, ELEMENTS, type, right, 0, ELEMENTS, type,
                    MPI.NO_OP);
            check(packed(before, type).equals(packed(operands(type, 1000 + right), type)),
                    "NO_OP of " + type);
            before.put(new byte[before.capacity()]).clear();
            win.rGetAccumulate(operands(type, rank), ELEMENTS, type, before, ELEMENTS, type, right,
                    0, ELEMENTS, type, MPI.REPLACE).waitFor();
            check(packed(before, type).equals(packed(operands(type, 1000 + right), type)),
                    "before REPLACE of " + type);
            win.fence(0);
            check(packed(memory, type).equals(packed(operands(type, left), type)),
                    "REPLACE of " + type);
            win.fence(0);
            win.rAccumulate(start, ELEMENTS, type, right, 0, ELEMENTS, type, MPI.REPLACE).waitFor();
            win.fence(0);
            check(packed(memory, type).equals(packed(operands(type, 1000 + left), type)),
                    "accumulate with REPLACE of " + type);
        }
        win.free();
    }

    private static void pairs() {
        ByteBuffer memory = memory(8);
        Win win = window(memory, 1);
        memory.putInt(0, 5).putInt(4, 77);
        win.fence(0);
        IntBuffer mine = local(8).asIntBuffer().put(0, rank % 2 == 0 ? 9 : 3).put(1, rank);
        win.accumulate(mine, 1, MPI.INT2, 0, 0, 1, MPI.INT2, MPI.MAXLOC);
        win.fence(0);
        if (rank == 0) {
            same(9, memory.getInt(0), "the greatest value");
            same(0, memory.getInt(4), "where it is first");
        }
        win.free();
    }

    /** Elements of a window in bytes may begin anywhere; a derived type has gaps. */
    private static void misaligned() {
        ByteBuffer memory = memory(64);
        Win win = window(memory, 1);
        LongBuffer mine = local(8).asLongBuffer().put(0, rank + 1);
        LongBuffer before = local(8).asLongBuffer();
        Datatype gaps = Datatype.createHVector(2, 1, 12, MPI.INT);
        gaps.commit();
        IntBuffer ints = local(8).asIntBuffer().put(0, 1).put(1, 10 * rank);
        win.fence(0);
        win.accumulate(mine, 1, MPI.LONG, 0, 3, 1, MPI.LONG, MPI.SUM);
        win.accumulate(ints, 2, MPI.INT, 0, 32, 1, gaps, MPI.SUM);
        win.accumulate(ints, 2, MPI.INT, 0, 49, 2, MPI.INT, MPI.MAX);
        win.fence(0);
        if (rank == 0) {
            same((long) size * (size + 1) / 2, memory.getLong(3), "a misaligned sum");
            same(size, memory.getInt(32), "the first sum with gaps");
            same(10L * size * (size - 1) / 2, memory.getInt(44), "the second sum with gaps");
            same(10L * (size - 1), memory.getInt(53), "a misaligned maximum");
        }
        win.fence(0);
        win.compareAndSwap(mine, before.put(0, (long) size * (size + 1) / 2), before, MPI.LONG, 0,
                3);
        win.fence(0);
        if (rank == 0) {
            check(memory.getLong(3) <= size, "a misaligned swap");
        }
        win.free();
    }

    /** Each number of a counter goes to one rank, whoever asks how. */
    private static void tickets() {
        Win win = window(memory(64), 1);
        long[] mine = new long[ROUNDS];
        LongBuffer one = local(8).asLongBuffer().put(0, 1);
        LongBuffer before = local(8).asLongBuffer();
        for (int i = 0; i < ROUNDS; i++) {
            win.lock(MPI.LOCK_SHARED, 0, 0);
            win.fetchAndOp(one, before, MPI.LONG, 0, 8, MPI.SUM);
            mine[i] = before.get(0);
            win.fetchAndOp(one, before, MPI.LONG, 0, 8, MPI.NO_OP);
            check(before.get(0) > mine[i], "the counter went back");
            win.unlock(0);
        }
        win.lock(MPI.LOCK_SHARED, rank, 0);
        win.fetchAndOp(one, one, MPI.LONG, rank, 32, MPI.SUM); // the operand is overwritten
        same(0, one.get(0), "a new counter");
        win.fetchAndOp(null, one, MPI.LONG, rank, 32, MPI.NO_OP);
        same(1, one.get(0), "a counter that was increased");
        win.unlock(rank);
        long[] all = new long[ROUNDS * size];
        WORLD.allGather(mine, ROUNDS, MPI.LONG, all, ROUNDS, MPI.LONG);
        Arrays.sort(all);
        for (int i = 0; i < all.length; i++) {
            same(i, all[i], "ticket " + i);
        }
        win.free();
    }

    /** Counters of integers of all types, to which ranks add by compare-and-swap. */
    private static void swaps() {
        for (Datatype type : List.of(Types.BYTE, Types.CHAR, Types.SHORT, Types.INT, Types.LONG)) {
            int each = type.kind.bytes;
            Win win = window(memory(8 * each), each);
            ByteBuffer expected = local(8);
            ByteBuffer desired = local(8);
            ByteBuffer before = local(8);
            win.lockAll(0);
            for (int i = 0; i < 10; i++) {
                before.putLong(0, 0);
                do {
                    expected.put(0, before, 0, 8);
                    desired.putLong(0, expected.getLong(0) + 1);
                    win.compareAndSwap(desired, expected, before, type, size - 1, 3);
                } while (!before.equals(expected));
            }
            win.flushAll();
            WORLD.barrier();
            win.get(before.putLong(0, 0), 1, type, size - 1, 3, 1, type);
            same(10L * size, before.getLong(0), "swaps of " + type);
            win.unlockAll();
            win.free();
        }
    }

    /** Operations of native code and others are atomic against each other. */
    private static void mixture() {
        Win win = window(memory(16), 1);
        LongBuffer one = local(8).asLongBuffer().put(0, 1);
        LongBuffer before = local(8).asLongBuffer();
        LongBuffer expected = local(8).asLongBuffer();
        Datatype halves = Datatype.createHIndexed(new int[] {1, 1}, new int[] {0, 8}, MPI.LONG);
        halves.commit();
        LongBuffer two = local(16).asLongBuffer().put(0, 1).put(1, 1);
        win.lockAll(0);
        for (int i = 0; i < ROUNDS; i++) {
            switch ((i + rank) % 4) {
                case 0 -> win.accumulate(one, 1, MPI.LONG, 0, 0, 1, MPI.LONG, MPI.SUM);
                case 1 -> win.fetchAndOp(one, before, MPI.LONG, 0, 0, MPI.SUM);
                case 2 -> win.accumulate(two, 2, MPI.LONG, 0, 0, 1, halves, MPI.SUM);
                default -> {
                    do {
                        win.fetchAndOp(null, expected, MPI.LONG, 0, 0, MPI.NO_OP);
                        two.put(0, expected.get(0) + 1);
                        win.compareAndSwap(two, expected, before, MPI.LONG, 0, 0);
                    } while (before.get(0) != expected.get(0));
                    two.put(0, 1);
                }
            }
        }
        win.flush(0);
        WORLD.barrier();
        win.get(before, 1, MPI.LONG, 0, 0, 1, MPI.LONG);
        same((long) ROUNDS * size, before.get(0), "the sum of all accumulates");
        win.unlockAll();
        win.free();
    }
}
