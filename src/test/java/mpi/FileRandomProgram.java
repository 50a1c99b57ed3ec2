// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A program that reads and writes a file by random calls, on any number of ranks, each of which has
 * a model of what its view contains. Blocks of all ranks lie in turn in the file. Its arguments are
 * a folder, a seed, and the number of calls.
 */
public final class FileRandomProgram {
    private static final int CAPACITY = 5040;
    /** They divide the capacity. */
    private static final int[] BLOCKS = {1, 2, 7, 40, 252, CAPACITY};
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    /** The same on all ranks, because collective calls have to be. */
    private final Random calls;
    private final Random random;
    private final File file;
    private final int block;
    private final int[] model = new int[CAPACITY];
    /** Where the individual pointer is to be. */
    private int position;

    private FileRandomProgram(String name, long seed) {
        calls = new Random(seed);
        block = BLOCKS[calls.nextInt(BLOCKS.length)];
        random = new Random(seed * 31 + WORLD.getRank());
        file = new File(WORLD, name, MPI.MODE_RDWR | MPI.MODE_CREATE);
        file.setSize(4L * CAPACITY * WORLD.getSize());
        Datatype mine = Datatype.createResized(Datatype.Contiguous(block, MPI.INT), 0,
                4 * block * WORLD.getSize());
        mine.commit();
        file.setView(4L * block * WORLD.getRank(), MPI.INT, mine, "native");
        mine.free();
        file.setAtomicity(seed % 4 == 0);
    }

    /** Begins and ends MPI, and prints the seed if something is wrong. */
    public static void main(String[] args) {
        MPI.Init(args);
        long seed = Long.parseLong(args[1]);
        FileRandomProgram program = new FileRandomProgram(
                Path.of(args[0]).resolve("random" + seed).toString(), seed);
        try {
            for (int i = 0; i < Integer.parseInt(args[2]); i++) {
                program.step();
            }
            program.compareAll();
        } catch (RuntimeException | Error wrong) {
            throw new AssertionError("seed " + seed + ", rank " + WORLD.getRank(), wrong);
        }
        program.file.close();
        MPI.Finalize();
    }

    /** A buffer of some ints, of which every first or every second is of the file. */
    private record Data(Object buf, int stride, int count, Datatype type) {
        static Data of(Random random, int count) {
            int stride = 1 + random.nextInt(2);
            int[] values = random.ints((long) stride * count).toArray();
            Datatype type = stride == 1 ? MPI.INT : Datatype.createResized(MPI.INT, 0, 8);
            type.commit();
            Object buf = switch (random.nextInt(3)) {
                case 0 -> values;
                case 1 -> IntBuffer.wrap(values);
                default -> MPI.newIntBuffer(values.length).put(0, values);
            };
            return new Data(buf, stride, count, type);
        }

        int get(int i) {
            return buf instanceof int[] array ? array[stride * i]
                    : ((IntBuffer) buf).get(stride * i);
        }

        IntBuffer buffer() {
            return buf instanceof int[] array ? IntBuffer.wrap(array) : (IntBuffer) buf;
        }
    }

    private void step() {
        int at = random.nextInt(CAPACITY + 10);
        int count = random.nextInt(random.nextInt(10) == 0 ? CAPACITY : 60);
        switch (calls.nextInt(6)) {
            case 0, 1 -> {
                count = Math.min(count, Math.max(0, CAPACITY - at));
                Data data = Data.of(random, count);
                check(count, writeAt(at, data), "written");
                store(at, data);
            }
            case 2 -> {
                Data data = Data.of(random, count);
                compare(at, data, readAt(at, data));
            }
            case 3 -> {
                count = Math.min(count, Math.max(0, CAPACITY - position));
                Data data = Data.of(random, count);
                check(count, write(data), "written");
                store(position, data);
                position += count;
            }
            case 4 -> {
                Data data = Data.of(random, count);
                compare(position, data, read(data));
                position += count;
            }
            default -> seek(at);
        }
        check(position, file.getPosition(), "position");
    }

    private static void check(long expected, long actual, String what) {
        if (expected != actual) {
            throw new AssertionError(what + " is " + actual + ", expected " + expected);
        }
    }

    private void store(int at, Data data) {
        for (int i = 0; i < data.count; i++) {
            model[at + i] = data.get(i);
        }
    }

    private void compare(int at, Data data, int found) {
        check(Math.min(data.count, Math.max(0, CAPACITY - at)), found, "read");
        for (int i = 0; i < found; i++) {
            check(model[at + i], data.get(i), "number " + (at + i) + " of blocks of " + block);
        }
    }

    private int writeAt(int at, Data data) {
        Status status = switch (calls.nextInt(4)) {
            case 0 -> file.writeAt(at, data.buf, data.count, data.type);
            case 1 -> file.iWriteAt(at, data.buffer(), data.count, data.type).waitStatus();
            case 2 -> file.writeAtAll(at, data.buf, data.count, data.type);
            default -> {
                file.writeAtAllBegin(at, data.buf, data.count, data.type);
                yield file.writeAtAllEnd(data.buf);
            }
        };
        return status.getCount(MPI.INT);
    }

    private int readAt(int at, Data data) {
        Status status = switch (calls.nextInt(4)) {
            case 0 -> file.readAt(at, data.buf, data.count, data.type);
            case 1 -> file.iReadAt(at, data.buffer(), data.count, data.type).waitStatus();
            case 2 -> file.readAtAll(at, data.buf, data.count, data.type);
            default -> {
                file.readAtAllBegin(at, data.buf, data.count, data.type);
                yield file.readAtAllEnd(data.buf);
            }
        };
        return status.getCount(MPI.INT);
    }

    private int write(Data data) {
        Status status = switch (calls.nextInt(4)) {
            case 0 -> file.write(data.buf, data.count, data.type);
            case 1 -> file.iWrite(data.buffer(), data.count, data.type).waitStatus();
            case 2 -> file.writeAll(data.buf, data.count, data.type);
            default -> {
                file.writeAllBegin(data.buf, data.count, data.type);
                yield file.writeAllEnd(data.buf);
            }
        };
        return status.getCount(MPI.INT);
    }

    private int read(Data data) {
        Status status = switch (calls.nextInt(4)) {
            case 0 -> file.read(data.buf, data.count, data.type);
            case 1 -> file.iRead(data.buffer(), data.count, data.type).waitStatus();
            case 2 -> file.readAll(data.buf, data.count, data.type);
            default -> {
                file.readAllBegin(data.buf, data.count, data.type);
                yield file.readAllEnd(data.buf);
            }
        };
        return status.getCount(MPI.INT);
    }

    private void seek(int at) {
        switch (random.nextInt(3)) {
            case 0 -> file.seek(at, MPI.SEEK_SET);
            case 1 -> file.seek(at - position, MPI.SEEK_CUR);
            default -> file.seek(at - CAPACITY, MPI.SEEK_END);
        }
        position = at;
        int ints = 4 * block * WORLD.getSize();
        check((long) at / block * ints + 4L * block * WORLD.getRank() + 4L * (at % block),
                file.getByteOffset(at), "place");
    }

    /** One rank reads the file as it is, and knows the models of all. */
    private void compareAll() {
        int size = WORLD.getSize();
        int[] models = new int[CAPACITY * size];
        WORLD.gather(model, CAPACITY, MPI.INT, models, CAPACITY, MPI.INT, 0);
        file.setView(0, MPI.INT, MPI.INT, "native");
        int[] found = new int[CAPACITY * size];
        check(found.length, file.readAll(found, found.length, MPI.INT).getCount(MPI.INT), "all");
        if (WORLD.getRank() == 0) {
            int[] expected = IntStream.range(0, found.length).map(i -> {
                int rank = i / block % size;
                int place = i / block / size * block + i % block;
                return models[rank * CAPACITY + place];
            }).toArray();
            check(-1, Arrays.mismatch(expected, found), "the first difference");
        }
    }
}
