// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Calls all collectives of MPI.COMM_WORLD on any number of ranks, with all types of memory, and
 * compares the results with what each rank computes by itself. Throws if one differs.
 */
public final class CollectivesProgram {
    private static final int ELEMENTS = 3;
    /** A value that nobody sends. */
    private static final int UNTOUCHED = 99;

    private static Intracomm world;
    private static int rank;
    private static int size;

    /** A type of memory: how to make it, and to read and write the value of an element. */
    private interface Shelf {
        Datatype type();

        /** Returns memory for elements, each with the value UNTOUCHED. */
        Object make(int elements);

        void set(Object memory, int element, int value);

        int get(Object memory, int element);
    }

    private CollectivesProgram() {
    }

    public static void main(String[] args) {
        MPI.Init(args);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        size = world.getSize();
        for (Shelf shelf : shelves()) {
            for (boolean waits : new boolean[] {true, false}) {
                if (waits || shelf.make(1) instanceof Buffer) {
                    moves(shelf, waits);
                }
            }
            upperCase(shelf);
        }
        CollectivesReductions.run(world);
        CollectivesErrors.run(world);
        CollectivesNeighbors.run(world);
        CollectivesAtOnce.run(world);
        CollectivesOtherKinds.run(world);
        world.barrier();
        MPI.Finalize();
    }

    // ---- memories ----

    private static List<Shelf> shelves() {
        List<Shelf> all = new ArrayList<>();
        for (Kind kind : List.of(Kind.BYTE, Kind.CHAR, Kind.SHORT, Kind.INT, Kind.LONG, Kind.FLOAT,
                Kind.DOUBLE, Kind.BOOLEAN)) {
            all.add(arrays(kind));
        }
        Datatype column = Datatype.createVector(2, 1, 2, Types.INT);
        column.commit();
        all.add(direct(Types.INT, 1));
        all.add(direct(Types.DOUBLE, 1));
        all.add(direct(column, 3));
        all.add(views());
        all.add(vectors(column));
        all.add(objects());
        return all;
    }

    private static Shelf arrays(Kind kind) {
        return shelf(Operands.basic(kind), elements -> {
            Object array = Operands.array(kind, elements);
            for (int i = 0; i < elements; i++) {
                put(array, i, UNTOUCHED);
            }
            return array;
        }, CollectivesProgram::put, CollectivesProgram::value);
    }

    private interface Setter {
        void set(Object memory, int element, int value);
    }

    private interface Getter {
        int get(Object memory, int element);
    }

    private static Shelf shelf(Datatype type, IntFunction<Object> maker, Setter setter,
            Getter getter) {
        return new Shelf() {
            @Override
            public Datatype type() {
                return type;
            }

            @Override
            public Object make(int elements) {
                return maker.apply(elements);
            }

            @Override
            public void set(Object memory, int element, int value) {
                setter.set(memory, element, value);
            }

            @Override
            public int get(Object memory, int element) {
                return getter.get(memory, element);
            }
        };
    }

    /** Direct buffers of bytes; the value is in the first bytes of an element. */
    private static Shelf direct(Datatype type, int ints) {
        int each = type == Types.DOUBLE ? 8 : 4 * ints;
        return shelf(type, elements -> {
            ByteBuffer memory = NATIVE.apply(elements * each);
            for (int i = 0; i < elements; i++) {
                memory.putInt(i * each, UNTOUCHED);
            }
            return memory;
        }, (memory, i, value) -> ((ByteBuffer) memory).putInt(i * each, value),
                (memory, i) -> ((ByteBuffer) memory).getInt(i * each));
    }

    private static final IntFunction<ByteBuffer> NATIVE =
            bytes -> ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());

    /** Direct buffers of ints in the other byte order. */
    private static Shelf views() {
        return shelf(Types.INT, elements -> {
            IntBuffer memory = ByteBuffer.allocateDirect(4 * elements)
                    .order(ByteOrder.BIG_ENDIAN).asIntBuffer();
            for (int i = 0; i < elements; i++) {
                memory.put(i, UNTOUCHED);
            }
            return memory;
        }, (memory, i, value) -> ((IntBuffer) memory).put(i, value),
                (memory, i) -> ((IntBuffer) memory).get(i));
    }

    /** Two ints of three; the one in the gap must not change. */
    private static Shelf vectors(Datatype type) {
        return shelf(type, elements -> {
            int[] memory = new int[3 * elements];
            Arrays.fill(memory, UNTOUCHED);
            return memory;
        }, (memory, i, value) -> {
            int[] ints = (int[]) memory;
            ints[3 * i] = value;
            ints[3 * i + 2] = -value;
        }, (memory, i) -> {
            int[] ints = (int[]) memory;
            int value = ints[3 * i];
            check(ints[3 * i + 1] == UNTOUCHED, "the gap has " + ints[3 * i + 1]);
            check(ints[3 * i + 2] == (value == UNTOUCHED ? value : -value), "the second is "
                    + ints[3 * i + 2] + " with " + value);
            return value;
        });
    }

    private static Shelf objects() {
        return shelf(Types.OBJECT, elements -> {
            Object[] memory = new Object[elements];
            Arrays.fill(memory, List.of(UNTOUCHED));
            return memory;
        }, (memory, i, value) -> ((Object[]) memory)[i] = List.of(value),
                (memory, i) -> (Integer) ((List<?>) ((Object[]) memory)[i]).get(0));
    }

    private static void put(Object array, int i, int value) {
        if (array instanceof boolean[] flags) {
            flags[i] = value % 2 != 0;
        } else {
            switch (Kind.of(array)) {
                case BYTE -> ((byte[]) array)[i] = (byte) value;
                case CHAR -> ((char[]) array)[i] = (char) value;
                case SHORT -> ((short[]) array)[i] = (short) value;
                case INT -> ((int[]) array)[i] = value;
                case LONG -> ((long[]) array)[i] = value;
                case FLOAT -> ((float[]) array)[i] = value;
                default -> ((double[]) array)[i] = value;
            }
        }
    }

    private static int value(Object array, int i) {
        return array instanceof boolean[] flags ? flags[i] ? 1 : 0
                : array instanceof char[] chars ? chars[i]
                : ((Number) java.lang.reflect.Array.get(array, i)).intValue();
    }

    // ---- data ----

    /** What a rank sends to another one as its i-th element. */
    private static int sent(int from, int to, int i) {
        return (17 * from + 5 * to + 3 * i + 1) % 90;
    }

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("rank " + rank + " of " + size + ": " + what);
        }
    }

    /** Checks the value of an element, of booleans whether it is odd. */
    private static void expect(Shelf shelf, Object memory, int element, int value, String what) {
        int got = shelf.get(memory, element);
        int expected = shelf.type() == Types.BOOLEAN ? value % 2 : value;
        check(got == expected, what + " of " + shelf.type() + ": element " + element + " is " + got
                + ", expected " + expected);
    }

    private static Object filled(Shelf shelf, int from, int to) {
        Object memory = shelf.make(ELEMENTS);
        fill(shelf, memory, 0, from, to, ELEMENTS);
        return memory;
    }

    private static void fill(Shelf shelf, Object memory, int at, int from, int to, int count) {
        for (int i = 0; i < count; i++) {
            shelf.set(memory, at + i, sent(from, to, i));
        }
    }

    private static void expectBlock(Shelf shelf, Object memory, int at, int from, int to,
            int count, String what) {
        for (int i = 0; i < count; i++) {
            expect(shelf, memory, at + i, sent(from, to, i), what + " from " + from);
        }
    }

    // ---- collectives ----

    private static void moves(Shelf shelf, boolean waits) {
        for (int root = 0; root < size; root++) {
            broadcast(shelf, root, waits);
            gathers(shelf, root, waits);
            scatters(shelf, root, waits);
        }
        allGathers(shelf, waits);
        allToAlls(shelf, waits);
    }

    private static void broadcast(Shelf shelf, int root, boolean waits) {
        Object memory = rank == root ? filled(shelf, root, 0) : shelf.make(ELEMENTS);
        if (waits) {
            world.bcast(memory, ELEMENTS, shelf.type(), root);
        } else {
            world.iBcast((Buffer) memory, ELEMENTS, shelf.type(), root).waitFor();
        }
        expectBlock(shelf, memory, 0, root, 0, ELEMENTS, "bcast");
    }

    private static void gathers(Shelf shelf, int root, boolean waits) {
        Datatype type = shelf.type();
        Object own = filled(shelf, rank, 0);
        Object all = shelf.make(ELEMENTS * size);
        Object inPlace = rank == root ? shelf.make(ELEMENTS * size) : own;
        fill(shelf, inPlace, rank == root ? ELEMENTS * rank : 0, rank, 0, ELEMENTS);
        if (waits) {
            world.gather(own, ELEMENTS, type, rank == root ? all : null, ELEMENTS, type, root);
            world.gather(inPlace, ELEMENTS, type, root);
        } else {
            Buffer to = rank == root ? (Buffer) all : null;
            world.iGather((Buffer) own, ELEMENTS, type, to, ELEMENTS, type, root).waitFor();
            world.iGather((Buffer) inPlace, ELEMENTS, type, root).waitFor();
        }
        for (int i = 0; rank == root && i < size; i++) {
            expectBlock(shelf, all, ELEMENTS * i, i, 0, ELEMENTS, "gather");
            expectBlock(shelf, inPlace, ELEMENTS * i, i, 0, ELEMENTS, "gather in place");
        }
        gathersOfUnequal(shelf, root, waits);
    }

    /** Rank i has i elements, which are in reverse order, with a gap of one before each block. */
    private static int[] counts() {
        int[] counts = new int[size];
        Arrays.setAll(counts, i -> i);
        return counts;
    }

    private static int[] places() {
        int[] places = new int[size];
        int next = 0;
        for (int i = size - 1; i >= 0; i--) {
            places[i] = next + 1;
            next += i + 1;
        }
        return places;
    }

    private static int room() {
        return size * (size + 1) / 2 + 1;
    }

    private static void expectUnequal(Shelf shelf, Object all, int to, String what) {
        for (int i = 0; i < size; i++) {
            expectBlock(shelf, all, places()[i], i, to, i, what);
            expect(shelf, all, places()[i] - 1, UNTOUCHED, what + ": the gap");
        }
    }

    private static void gathersOfUnequal(Shelf shelf, int root, boolean waits) {
        Datatype type = shelf.type();
        Object own = filled(shelf, rank, 0, Math.max(rank, 1));
        Object all = shelf.make(room());
        Object inPlace = shelf.make(room());
        fill(shelf, inPlace, places()[rank], rank, 0, rank);
        if (waits) {
            world.gatherv(own, rank, type, all, counts(), places(), type, root);
        } else {
            world.iGatherv((Buffer) own, rank, type, (Buffer) all, counts(), places(), type, root)
                    .waitFor();
        }
        if (rank != root) {
            if (waits) {
                world.gatherv(own, rank, type, root);
            } else {
                world.iGatherv((Buffer) own, rank, type, root).waitFor();
            }
            return;
        }
        if (waits) {
            world.gatherv(inPlace, counts(), places(), type, root);
        } else {
            world.iGatherv((Buffer) inPlace, counts(), places(), type, root).waitFor();
        }
        expectUnequal(shelf, all, 0, "gatherv");
        expectUnequal(shelf, inPlace, 0, "gatherv in place");
    }

    private static Object filled(Shelf shelf, int from, int to, int count) {
        Object memory = shelf.make(count);
        fill(shelf, memory, 0, from, to, count);
        return memory;
    }

    private static void scatters(Shelf shelf, int root, boolean waits) {
        Datatype type = shelf.type();
        Object all = shelf.make(ELEMENTS * size);
        Object own = shelf.make(ELEMENTS);
        Object other = rank == root ? all : shelf.make(ELEMENTS);
        for (int i = 0; i < size; i++) {
            fill(shelf, all, ELEMENTS * i, root, i, ELEMENTS);
        }
        if (waits) {
            world.scatter(rank == root ? all : null, ELEMENTS, type, own, ELEMENTS, type, root);
            world.scatter(other, ELEMENTS, type, root);
        } else {
            world.iScatter((Buffer) all, ELEMENTS, type, (Buffer) own, ELEMENTS, type, root)
                    .waitFor();
            world.iScatter((Buffer) other, ELEMENTS, type, root).waitFor();
        }
        expectBlock(shelf, own, 0, root, rank, ELEMENTS, "scatter");
        expectBlock(shelf, other, rank == root ? ELEMENTS * rank : 0, root, rank, ELEMENTS,
                "scatter in place");
        scattersOfUnequal(shelf, root, waits);
    }

    private static void scattersOfUnequal(Shelf shelf, int root, boolean waits) {
        Datatype type = shelf.type();
        Object all = shelf.make(room());
        for (int i = 0; i < size; i++) {
            fill(shelf, all, places()[i], root, i, i);
        }
        Object own = shelf.make(Math.max(rank, 1));
        Object other = shelf.make(Math.max(rank, 1));
        if (waits) {
            world.scatterv(all, counts(), places(), type, own, rank, type, root);
        } else {
            world.iScatterv((Buffer) all, counts(), places(), type, (Buffer) own, rank, type, root)
                    .waitFor();
        }
        if (rank == root && waits) {
            world.scatterv(all, counts(), places(), type, root);
        } else if (rank == root) {
            world.iScatterv((Buffer) all, counts(), places(), type, root).waitFor();
        } else if (waits) {
            world.scatterv(other, rank, type, root);
        } else {
            world.iScatterv((Buffer) other, rank, type, root).waitFor();
        }
        expectBlock(shelf, own, 0, root, rank, rank, "scatterv");
        expectBlock(shelf, rank == root ? all : other, rank == root ? places()[rank] : 0, root,
                rank, rank, "scatterv in place");
    }

    private static void allGathers(Shelf shelf, boolean waits) {
        Datatype type = shelf.type();
        Object own = filled(shelf, rank, 0);
        Object all = shelf.make(ELEMENTS * size);
        Object inPlace = shelf.make(ELEMENTS * size);
        fill(shelf, inPlace, ELEMENTS * rank, rank, 0, ELEMENTS);
        Object unequal = shelf.make(room());
        Object unequalInPlace = shelf.make(room());
        fill(shelf, unequalInPlace, places()[rank], rank, 0, rank);
        if (waits) {
            world.allGather(own, ELEMENTS, type, all, ELEMENTS, type);
            world.allGather(inPlace, ELEMENTS, type);
            world.allGatherv(own, Math.min(rank, ELEMENTS), type, unequal, counts(), places(),
                    type);
            world.allGatherv(unequalInPlace, counts(), places(), type);
        } else {
            world.iAllGather((Buffer) own, ELEMENTS, type, (Buffer) all, ELEMENTS, type).waitFor();
            world.iAllGather((Buffer) inPlace, ELEMENTS, type).waitFor();
            world.iAllGatherv((Buffer) own, Math.min(rank, ELEMENTS), type, (Buffer) unequal,
                    counts(), places(), type).waitFor();
            world.iAllGatherv((Buffer) unequalInPlace, counts(), places(), type).waitFor();
        }
        for (int i = 0; i < size; i++) {
            expectBlock(shelf, all, ELEMENTS * i, i, 0, ELEMENTS, "allGather");
            expectBlock(shelf, inPlace, ELEMENTS * i, i, 0, ELEMENTS, "allGather in place");
        }
        expectUnequal(shelf, unequal, 0, "allGatherv");
        expectUnequal(shelf, unequalInPlace, 0, "allGatherv in place");
    }

    /** Of unequal blocks: rank i sends (i + j) % 3 elements to rank j. */
    private static void allToAlls(Shelf shelf, boolean waits) {
        Datatype type = shelf.type();
        Object in = shelf.make(ELEMENTS * size);
        Object out = shelf.make(ELEMENTS * size);
        Object unequal = shelf.make(ELEMENTS * size);
        Object typed = shelf.make(ELEMENTS * size);
        int[] counts = new int[size];
        int[] places = new int[size];
        int[] bytes = new int[size];
        Datatype[] types = new Datatype[size];
        Arrays.fill(types, type);
        for (int i = 0; i < size; i++) {
            fill(shelf, in, ELEMENTS * i, rank, i, ELEMENTS);
            counts[i] = (rank + i) % ELEMENTS;
            places[i] = ELEMENTS * i;
            bytes[i] = (int) (places[i] * type.map.extent());
        }
        if (waits) {
            world.allToAll(in, ELEMENTS, type, out, ELEMENTS, type);
            world.allToAllv(in, counts, places, type, unequal, counts, places, type);
            world.allToAllw(in, counts, bytes, types, typed, counts, bytes, types);
        } else {
            world.iAllToAll((Buffer) in, ELEMENTS, type, (Buffer) out, ELEMENTS, type).waitFor();
            world.iAllToAllv((Buffer) in, counts, places, type, (Buffer) unequal, counts, places,
                    type).waitFor();
            world.iAllToAllw((Buffer) in, counts, bytes, types, (Buffer) typed, counts, bytes,
                    types).waitFor();
        }
        for (int i = 0; i < size; i++) {
            expectBlock(shelf, out, ELEMENTS * i, i, rank, ELEMENTS, "allToAll");
            expectBlock(shelf, unequal, ELEMENTS * i, i, rank, counts[i], "allToAllv");
            expectBlock(shelf, typed, ELEMENTS * i, i, rank, counts[i], "allToAllw");
            expect(shelf, unequal, ELEMENTS * i + counts[i], UNTOUCHED, "allToAllv: behind it");
        }
    }

    /** mpiJava's, which begin behind the first array element. */
    private static void upperCase(Shelf shelf) {
        if (shelf.make(1) instanceof Buffer || shelf.type().bytes != shelf.type().kind.bytes) {
            return;
        }
        Datatype type = shelf.type();
        Object own = shelf.make(ELEMENTS + 1);
        Object all = shelf.make(ELEMENTS * size + 1);
        fill(shelf, own, 1, rank, 0, ELEMENTS);
        world.Allgather(own, 1, ELEMENTS, type, all, 1, ELEMENTS, type);
        Object some = shelf.make(ELEMENTS + 1);
        world.Scatter(all, 1, ELEMENTS, type, some, 1, ELEMENTS, type, 0);
        Object again = shelf.make(room() + 1);
        world.Gatherv(own, 1, rank, type, again, 1, counts(), places(), type, size - 1);
        world.Bcast(again, 1, room(), type, size - 1);
        Object rest = shelf.make(size + 1);
        world.Scatterv(again, 1, counts(), places(), type, rest, 1, rank, type, 0);
        Object twice = shelf.make(ELEMENTS * size + 1);
        world.Alltoall(all, 1, ELEMENTS, type, twice, 1, ELEMENTS, type);
        world.Barrier();
        for (int i = 0; i < size; i++) {
            expectBlock(shelf, all, 1 + ELEMENTS * i, i, 0, ELEMENTS, "Allgather");
            expectBlock(shelf, again, 1 + places()[i], i, 0, i, "Gatherv and Bcast");
            expectBlock(shelf, twice, 1 + ELEMENTS * i, rank, 0, ELEMENTS, "Alltoall");
        }
        expectBlock(shelf, some, 1, rank, 0, ELEMENTS, "Scatter");
        expectBlock(shelf, rest, 1, rank, 0, rank, "Scatterv");
        expect(shelf, all, 0, UNTOUCHED, "Allgather: before it");
        expect(shelf, again, 0, UNTOUCHED, "Gatherv: before it");
    }
}
