// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A program that uses files in every way, on 1 to 4 ranks, in a folder that its argument names, and
 * ends with exit code 0 if all of them contain what they have to.
 */
public final class FileProgram {
    static final Intracomm WORLD = MPI.COMM_WORLD;
    static final int BOTH = MPI.MODE_RDWR | MPI.MODE_CREATE;
    static Path folder;
    static int rank;
    static int size;

    private FileProgram() {
    }

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("rank " + rank + " of " + size + ": " + what);
        }
    }

    static void check(long expected, long actual, String what) {
        check(expected == actual, what + " is " + actual + ", expected " + expected);
    }

    /** Begins and ends MPI, and checks everything. */
    public static void main(String[] args) throws Exception {
        folder = Path.of(args[0]);
        MPI.InitThread(args, MPI.THREAD_MULTIPLE);
        rank = WORLD.getRank();
        size = WORLD.getSize();
        properties();
        explicitOffsets();
        individualPointers();
        blockCyclicViews();
        columns();
        splitAccesses();
        requests();
        sizes();
        FileSharedPointers.run();
        atomicity();
        communicators();
        open("left open", BOTH).writeShared(new int[1], 1, MPI.INT);
        MPI.Finalize();
    }

    static File open(String name, int mode) {
        return new File(WORLD, folder.resolve(name).toString(), mode);
    }

    /** Ends what other ranks have to see. */
    static void settle(File file) {
        file.sync();
        WORLD.barrier();
    }

    static int[] ints(int from, int count) {
        return IntStream.range(from, from + count).toArray();
    }

    static int[] contents(String name) throws IOException {
        IntBuffer ints = ByteBuffer.wrap(Files.readAllBytes(folder.resolve(name)))
                .order(ByteOrder.nativeOrder()).asIntBuffer();
        int[] found = new int[ints.remaining()];
        ints.get(found);
        return found;
    }

    private static void properties() {
        Info hints = new Info();
        hints.set("first", "4");
        File file = new File(WORLD, folder.resolve("properties").toString(), BOTH, hints);
        hints.set("later", "yes");
        check(BOTH, file.getAMode(), "mode");
        check(0, file.getSize(), "size");
        check(Group.compare(file.getGroup(), WORLD.getGroup()) == MPI.IDENT, "group");
        check(file.getInfo().get("first").equals("4") && file.getInfo().size() == 1, "hint");
        file.setInfo(hints);
        file.setInfo(MPI.INFO_NULL);
        check(file.getInfo().size(), 2, "hints");
        check(file.getView().getDisp() == 0 && file.getView().getEType() == MPI.BYTE
                && file.getView().getFileType() == MPI.BYTE
                && file.getView().getDataRep().equals("native"), "first view");
        check(1, file.getTypeExtent(MPI.INT), "extent");
        check(!file.getAtomicity(), "atomicity");
        check(file.getErrhandler() == MPI.ERRORS_RETURN, "error handler");
        file.setErrhandler(MPI.ERRORS_ARE_FATAL);
        check(file.getErrhandler() == MPI.ERRORS_ARE_FATAL, "second error handler");
        file.setErrhandler(MPI.ERRORS_RETURN);
        file.callErrhandler(MPI.ERR_OTHER);
        file.close();
        FileView view = new FileView(3, MPI.INT, MPI.LONG, "x");
        check(view.getDisp() == 3 && view.getEType() == MPI.INT && view.getDataRep().equals("x")
                && view.getFileType() == MPI.LONG, "view");
    }

    private static void explicitOffsets() throws IOException {
        File file = open("explicit", BOTH);
        file.setView(8, MPI.INT, MPI.INT, "native");
        check(10, file.writeAt(rank * 10, ints(rank * 10, 10), 10, MPI.INT).getCount(MPI.INT),
                "written");
        Status none = file.writeAtAll(1 << 20, new int[0], 0, MPI.INT);
        check(0, none.getCount(MPI.INT), "nothing written");
        settle(file);
        int[] all = new int[size * 10 + 5];
        Status status = file.readAtAll(0, all, all.length, MPI.INT);
        check(size * 10, status.getCount(MPI.INT), "read up to the end");
        check(size * 10, status.getElements(MPI.INT), "elements");
        check(Arrays.equals(ints(0, size * 10), Arrays.copyOf(all, size * 10)), "contents");
        check(0, all[size * 10], "what is behind");
        check(0, file.readAt(1L << 40, all, 5, MPI.INT).getCount(MPI.INT), "far behind the end");
        check(0, file.getPosition(), "the individual pointer");
        file.close();
        if (rank == 0) {
            check(8 + 40 * size, Files.size(folder.resolve("explicit")), "size");
        }
    }

    private static void individualPointers() {
        File file = open("individual", BOTH);
        Datatype pairs = Datatype.createResized(Datatype.Contiguous(2, MPI.INT), 0, 8 * size);
        pairs.commit();
        file.setView(8L * rank, MPI.INT, pairs, "internal");
        check(6, file.write(ints(100 * rank, 6), 6, MPI.INT).getCount(MPI.INT), "written");
        check(6, file.getPosition(), "position");
        check(8L * rank + 8L * size * 3, file.getByteOffset(6), "place");
        check(8L * rank + 8L * size + 4, file.getByteOffset(3), "place of the fourth");
        file.writeAll(IntBuffer.wrap(ints(100 * rank + 6, 2)), 2, MPI.INT);
        settle(file);
        check(8L * size * 4, file.getSize(), "size");
        file.seek(-8, MPI.SEEK_END);
        check(0, file.getPosition(), "position of the first");
        int[] found = new int[8];
        file.readAll(found, 5, MPI.INT);
        file.seek(1, MPI.SEEK_CUR);
        check(6, file.getPosition(), "position after a seek");
        check(2, file.read(found, 3, MPI.INT).getCount(MPI.INT), "read at the end");
        check(9, file.getPosition(), "position behind the end");
        check(100 * rank + 6, found[0], "the last but one");
        file.seek(3, MPI.SEEK_SET);
        ByteBuffer direct = MPI.newByteBuffer(8);
        file.read(direct, 2, MPI.INT);
        check(100 * rank + 3, direct.getInt(0), "the fourth");
        file.close();
    }

    /** All ranks write a matrix of blocks in turn, and one reads it as it is. */
    private static void blockCyclicViews() throws IOException {
        Random random = new Random(7);
        for (int round = 0; round < 12; round++) {
            int block = 1 + random.nextInt(700);
            int blocks = 1 + random.nextInt(40);
            int disp = random.nextInt(50);
            Datatype mine = Datatype.createResized(
                    Datatype.Contiguous(block, MPI.INT), 0, block * size * 4);
            mine.commit();
            File file = open("cyclic" + round, BOTH);
            file.setView(disp * 4L + rank * block * 4L, MPI.INT, mine, "native");
            int[] data = new int[block * blocks];
            Arrays.setAll(data, i -> i / block * block * size + rank * block + i % block);
            if (round % 2 == 0) {
                file.writeAll(data, data.length, MPI.INT);
            } else {
                file.writeAtAll(block, Arrays.copyOfRange(data, block, data.length),
                        data.length - block, MPI.INT);
                file.writeAtAll(0, data, 1, Datatype.Contiguous(block, MPI.INT));
            }
            settle(file);
            int[] all = contents("cyclic" + round);
            check(disp + block * blocks * size, all.length, "ints");
            check(Arrays.equals(ints(0, block * blocks * size),
                    Arrays.copyOfRange(all, disp, all.length)), "blocks of " + block);
            int[] again = new int[data.length];
            file.readAtAll(0, again, again.length, MPI.INT);
            check(Arrays.equals(data, again), "blocks that are read");
            file.close();
        }
    }

    /** Each rank reads columns of a matrix, whose tiles of the view lie between each other. */
    private static void columns() {
        int rows = 5;
        int width = 3 * size;
        File file = open("columns", BOTH);
        if (rank == 0) {
            file.write(ints(0, rows * width), rows * width, MPI.INT);
        }
        settle(file);
        Datatype column = Datatype.createResized(
                Datatype.Vector(rows, 1, width, MPI.INT), 0, 4);
        column.commit();
        file.setView(12L * rank, MPI.INT, column, "native");
        int[] mine = new int[3 * rows];
        check(3 * rows, file.readAll(mine, 3 * rows, MPI.INT).getCount(MPI.INT), "columns");
        for (int i = 0; i < mine.length; i++) {
            check(i % rows * width + 3 * rank + i / rows, mine[i], "element " + i);
        }
        file.close();
    }

    private static void splitAccesses() {
        File file = open("split", BOTH);
        file.setView(400L * rank, MPI.INT, MPI.INT, "native");
        int[] data = ints(rank, 100);
        file.writeAllBegin(data, 60, MPI.INT);
        check(60, file.writeAllEnd(data).getCount(MPI.INT), "written");
        int[] rest = ints(rank + 60, 40);
        file.writeAtAllBegin(60, rest, 40, MPI.INT);
        file.writeAtAllEnd(rest);
        int[] found = new int[100];
        file.readAtAllBegin(0, found, 100, MPI.INT);
        check(100, file.readAtAllEnd(found).getCount(MPI.INT), "read");
        check(Arrays.equals(data, found), "contents");
        file.readAllBegin(found, 5, MPI.INT);
        file.readAllEnd(found);
        check(rank + 60, found[0], "behind what was written");
        file.close();
    }

    /** Requests of files and messages are waited for together. */
    private static void requests() {
        File file = open("requests", BOTH);
        file.setView(4000L * rank, MPI.INT, MPI.INT, "native");
        int right = (rank + 1) % size;
        int left = (rank + size - 1) % size;
        for (int round = 0; round < 20; round++) {
            IntBuffer data = MPI.newIntBuffer(1000).put(0, ints(round, 1000));
            IntBuffer message = MPI.newIntBuffer(1000);
            IntBuffer again = MPI.newIntBuffer(1000);
            Request[] all = {WORLD.iRecv(message, 1000, MPI.INT, left, round),
                file.iWriteAt(0, data, 500, MPI.INT), WORLD.iSend(data, 1000, MPI.INT, right,
                        round), file.iWriteAtAll(500, MPI.slice(data, 500), 500, MPI.INT),
                MPI.REQUEST_NULL};
            if (round % 2 == 0) {
                Status[] each = Request.waitAllStatus(all);
                check(500, each[1].getCount(MPI.INT), "written");
                check(1000, each[0].getCount(MPI.INT), "received");
            } else {
                waitOneByOne(all, round);
            }
            check(data.equals(message), "message");
            Request[] reads = {file.iReadAt(0, again, 500, MPI.INT),
                file.iReadAtAll(500, MPI.slice(again, 500), 500, MPI.INT)};
            while (!Request.testAll(reads)) {
                Thread.onSpinWait();
            }
            check(data.equals(again), "what is read");
        }
        pointersOfRequests(file);
        freedTypes(file);
        file.close();
    }

    /** Views and accesses go on with datatypes that the program has freed. */
    private static void freedTypes(File file) {
        Datatype every = Datatype.createVector(500, 1, 2, MPI.INT);
        every.commit();
        file.setView(4000L * rank, MPI.INT, every, "native");
        IntBuffer data = MPI.newIntBuffer(1000).put(0, ints(0, 1000));
        Request write = file.iWriteAt(0, data, 1, every);
        every.free();
        check(500, write.waitStatus().getCount(MPI.INT), "written");
        int[] found = new int[500];
        file.readAt(0, found, 500, MPI.INT);
        check(IntStream.range(0, 500).allMatch(i -> found[i] == 2 * i), "every other int");
    }

    private static void waitOneByOne(Request[] all, int round) {
        int left = 4;
        while (left > 0) {
            if (round % 4 == 1) {
                Status one = Request.waitAnyStatus(all);
                check(one.getIndex() < 4 && all[one.getIndex()].isNull(), "any");
                left--;
            } else {
                left -= Request.waitSome(all).length;
            }
        }
        check(MPI.UNDEFINED, Request.waitAny(all), "all are null");
    }

    private static void pointersOfRequests(File file) {
        IntBuffer data = MPI.newIntBuffer(4).put(0, new int[] {1, 2, 3, 4});
        Request one = file.iWrite(data, 2, MPI.INT);
        Request two = file.iWriteAll(MPI.slice(data, 2), 2, MPI.INT);
        check(4, file.getPosition(), "position of what is under way");
        while (two.getStatus() == null) {
            Thread.onSpinWait();
        }
        check(2, two.getStatus().getCount(MPI.INT), "status that stays");
        check(2, two.waitStatus().getCount(MPI.INT), "status at the end");
        one.waitFor();
        file.seek(0, MPI.SEEK_SET);
        IntBuffer found = MPI.newIntBuffer(4);
        one = file.iRead(found, 3, MPI.INT);
        file.iReadAll(MPI.slice(found, 3), 1, MPI.INT).waitFor();
        one.free();
        check(found.equals(data), "in the order of the calls");
    }

    private static void sizes() throws IOException {
        File file = open("sizes", BOTH);
        file.setSize(1000);
        check(1000, file.getSize(), "size");
        file.preallocate(500);
        check(1000, file.getSize(), "size that stays");
        file.preallocate(5000);
        check(5000, file.getSize(), "greater size");
        file.setSize(10);
        check(10, file.getSize(), "smaller size");
        WORLD.barrier();
        long far = 5L << 30;
        file.writeAt(far + rank, new byte[] {(byte) rank}, 1, MPI.BYTE);
        settle(file);
        check(far + size, file.getSize(), "size beyond 4 GiB");
        byte[] found = {9, 9};
        check(1, file.readAt(far + size - 1, found, 2, MPI.BYTE).getCount(MPI.BYTE), "the last");
        check(size - 1, found[0], "its value");
        WORLD.barrier();
        file.setSize(0);
        file.close();
    }

    /** What one rank writes by one call, in many blocks, others see as a whole. */
    private static void atomicity() {
        int length = 20_000;
        File file = open("atomic", BOTH);
        file.setAtomicity(true);
        check(file.getAtomicity(), "atomicity");
        file.setView(0, MPI.INT, Datatype.Vector(length / 50, 50, 100, MPI.INT), "native");
        if (rank == 0) {
            file.writeAt(0, new int[length], length, MPI.INT);
        }
        WORLD.barrier();
        int[] data = new int[length];
        for (int i = 0; i < 60; i++) {
            if (rank % 2 == 0) {
                Arrays.fill(data, rank * 1000 + i);
                file.writeAt(0, data, length, MPI.INT);
            } else {
                check(length, file.readAt(0, data, length, MPI.INT).getCount(MPI.INT), "read");
                int first = data[0];
                check(Arrays.stream(data).allMatch(x -> x == first), "all of one write");
            }
        }
        file.setAtomicity(false);
        file.close();
    }

    /** Files of parts, several at a time, whose communicators are freed. */
    private static void communicators() throws IOException {
        Intracomm part = WORLD.split(rank % 2, -rank);
        int own = part.getRank();
        File[] files = new File[3];
        for (int i = 0; i < files.length; i++) {
            files[i] = new File(part, folder.resolve("part" + rank % 2 + i).toString(), BOTH);
        }
        File self = new File(MPI.COMM_SELF, folder.resolve("self" + rank).toString(), BOTH);
        part.free();
        for (int i = 0; i < files.length; i++) {
            files[i].writeOrdered(new int[] {own, i}, 2, MPI.INT);
            check(8L * files[i].getGroup().getSize(), files[i].getPositionShared(), "shared");
        }
        self.writeShared(new int[] {rank}, 1, MPI.INT);
        self.close();
        for (File file : files) {
            file.close();
        }
        check(rank, contents("self" + rank)[0], "own file");
        check(own, contents("part" + rank % 2 + "2")[2 * own], "file of a part");
    }
}
