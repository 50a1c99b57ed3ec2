// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.Hayate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data between random datatypes of memory and random views of a file, against byte models. */
class TransferTest {
    private static final int SEEDS = 4000;

    @TempDir
    Path folder;
    private Path path;
    private Store store;

    @BeforeAll
    static void loadNativeLibrary() {
        Hayate.version();
    }

    @BeforeEach
    void create() {
        path = folder.resolve("file");
        store = Store.open(path, new AccessMode(MPI.MODE_RDWR | MPI.MODE_CREATE), true);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private long run(FileMap map, long from, Block data, boolean reads, boolean atomic) {
        return new Transfer(store, map, from, data, reads, atomic).run().bytes;
    }

    private static ByteBuffer memory(Random random, int length) {
        ByteBuffer memory = random.nextBoolean() ? ByteBuffer.allocateDirect(length)
                : ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            memory.put(i, (byte) random.nextInt());
        }
        return memory;
    }

    private static int span(long[] places) {
        return (int) Arrays.stream(places).max().orElse(-1) + 1;
    }

    @Test
    void should_write_and_read_the_bytes_of_random_types_and_views() throws IOException {
        int cases = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            ReferenceMap view = FileMapTest.ofSeed(seed);
            ReferenceMap type = FileMapTest.ofSeed(seed + SEEDS);
            int count = random.nextInt(4);
            long[] inFile = view.places(40);
            long[] inMemory = type.places(count);
            if (!FileMapTest.isAccepted(view.type, true) || inFile.length < inMemory.length
                    || Arrays.stream(inMemory).anyMatch(place -> place < 0)
                    || Arrays.stream(inFile).distinct().count() < inFile.length) {
                continue;
            }
            store.resize(0);
            int from = random.nextInt(inFile.length - inMemory.length + 1);
            long[] part = Arrays.copyOfRange(inFile, from, from + inMemory.length);
            FileMap map = new FileMap(seed % 5, view.type.map);
            ByteBuffer data = memory(random, span(inMemory));
            boolean atomic = seed % 3 == 0;
            assertEquals(inMemory.length,
                    run(map, from, new Block(data, 0, count, type.type), false, atomic));
            byte[] expected = new byte[part.length == 0 ? 0 : span(part) + seed % 5];
            for (int i = 0; i < part.length; i++) {
                expected[(int) part[i] + seed % 5] = data.get((int) inMemory[i]);
            }
            assertArrayEquals(expected, Files.readAllBytes(path), "seed " + seed);
            ByteBuffer again = memory(random, span(inMemory));
            byte[] before = new byte[again.capacity()];
            again.get(0, before);
            assertEquals(inMemory.length,
                    run(map, from, new Block(again, 0, count, type.type), true, atomic));
            for (long place : inMemory) {
                before[(int) place] = data.get((int) place);
            }
            byte[] actual = new byte[again.capacity()];
            again.get(0, actual);
            assertArrayEquals(before, actual, "seed " + seed);
            cases++;
        }
        assertTrue(cases > SEEDS / 10, cases + " cases");
    }

    @Test
    void should_move_data_that_are_many_windows_long() {
        int rows = 700_000;
        double[] matrix = new double[rows * 2];
        Arrays.setAll(matrix, i -> i);
        Datatype column = Datatype.createResized(Types.DOUBLE, 0, 16);
        column.commit();
        FileMap every = new FileMap(3, Datatype.Vector(7, 1000, 1500, Types.DOUBLE).map);
        assertEquals(rows * 8L, run(every, 80, Block.of(matrix, rows, column), false, false));
        double[] found = new double[rows * 2];
        assertEquals(rows * 8L, run(every, 80, Block.of(found, rows, column), true, false));
        for (int i = 0; i < matrix.length; i++) {
            assertEquals(i % 2 == 0 ? i : 0, found[i]);
        }
        DoubleBuffer direct = ByteBuffer.allocateDirect(rows * 8).asDoubleBuffer();
        byte[] bytes = new byte[rows * 8];
        assertEquals(rows * 8L, run(every, 80, Block.of(direct, rows, Types.DOUBLE), true, true));
        assertEquals(rows * 8L, run(every, 80, Block.of(bytes, rows * 8, Types.BYTE), true, true));
        for (int i = 0; i < rows; i++) {
            double expected = Double.longBitsToDouble(
                    ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getLong(8 * i));
            assertEquals(2.0 * i, expected);
        }
    }

    @Test
    void should_read_as_much_as_there_is() {
        FileMap bytes = new FileMap(0, Types.BYTE.map);
        FileMap every = new FileMap(0, Datatype.createResized(Types.INT, 0, 12).map);
        run(bytes, 0, Block.of(new byte[30], 30, Types.BYTE), false, false);
        byte[] room = new byte[40];
        Arrays.fill(room, (byte) 7);
        assertEquals(5, run(bytes, 25, Block.of(room, 40, Types.BYTE), true, false));
        assertEquals(0, room[4]);
        assertEquals(7, room[5]);
        assertEquals(0, run(bytes, 30, Block.of(room, 40, Types.BYTE), true, false));
        assertEquals(0, run(bytes, 1L << 40, Block.of(room, 40, Types.BYTE), true, true));
        int[] ints = {1, 1, 1, 1, 1};
        assertEquals(12, run(every, 0, Block.of(ints, 5, Types.INT), true, false));
        assertArrayEquals(new int[] {0, 0, 0, 1, 1}, ints);
        store.resize(26);
        Arrays.fill(ints, 1);
        assertEquals(8 + 2, run(every, 0, Block.of(ints, 5, Types.INT), true, true));
        assertEquals(1, ints[3]);
        store.resize(13);
        assertEquals(4 + 1, run(every, 0, Block.of(room, 8, Types.BYTE), true, false));
    }

    @Test
    void should_place_data_beyond_two_gigabytes() {
        FileMap every = new FileMap(1L << 32, Datatype.createResized(Types.LONG, 0, 1 << 30).map);
        assertEquals(24, run(every, 16, Block.of(new long[] {5, 6, 7}, 3, Types.LONG), false,
                true));
        assertEquals((1L << 32) + (4L << 30) + 8, store.size());
        long[] found = new long[6];
        assertEquals(40, run(every, 0, Block.of(found, 6, Types.LONG), true, false));
        assertArrayEquals(new long[] {0, 0, 5, 6, 7, 0}, found);
    }
}
