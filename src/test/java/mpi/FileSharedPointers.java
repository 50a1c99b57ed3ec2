// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.FileProgram.BOTH;
import static mpi.FileProgram.WORLD;
import static mpi.FileProgram.check;
import static mpi.FileProgram.contents;
import static mpi.FileProgram.folder;
import static mpi.FileProgram.ints;
import static mpi.FileProgram.open;
import static mpi.FileProgram.rank;
import static mpi.FileProgram.settle;
import static mpi.FileProgram.size;

import java.io.IOException;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.util.Arrays;

/** The shared pointer of a file, its ordered accesses, and files that are sequences. */
final class FileSharedPointers {
    private FileSharedPointers() {
    }

    static void run() throws IOException, InterruptedException {
        sharedPointers();
        orderedAccesses();
        endsAndSequences();
        laterViews();
    }

    /** Two threads of each rank write records of three ints, and each rank reads some. */
    private static void sharedPointers() throws IOException, InterruptedException {
        int records = 150;
        int all = 2 * size * records;
        File file = open("shared", BOTH);
        file.setView(4, MPI.INT, MPI.INT, "native");
        Thread second = new Thread(() -> writeRecords(file, 2 * rank + 1, records));
        second.start();
        writeRecords(file, 2 * rank, records);
        second.join();
        WORLD.barrier();
        check(3L * all, file.getPositionShared(), "shared pointer");
        int[] found = contents("shared");
        int[] next = new int[2 * size];
        for (int i = 1; i < found.length; i += 3) {
            check(next[found[i]]++, found[i + 1], "record of writer " + found[i]);
            check(found[i] ^ found[i + 1], found[i + 2], "end of the record");
        }
        check(Arrays.stream(next).allMatch(count -> count == records), "all records");
        WORLD.barrier();
        file.seekShared(-3L * all, MPI.SEEK_END);
        int[] count = {0};
        while (file.readShared(found, 3, MPI.INT).getCount(MPI.INT) == 3) {
            check(found[0] ^ found[1], found[2], "record that is read");
            count[0]++;
        }
        Status end = file.iReadShared(MPI.newIntBuffer(1), 1, MPI.INT).waitStatus();
        check(0, end.getCount(MPI.INT), "behind the end");
        WORLD.allReduce(count, 1, MPI.INT, MPI.SUM);
        check(all, count[0], "records that all have read");
        check(0, file.getPosition(), "individual pointer");
        file.close();
    }

    private static void writeRecords(File file, int writer, int records) {
        for (int i = 0; i < records; i++) {
            int[] record = {writer, i, writer ^ i};
            if (i % 3 == 0) {
                IntBuffer own = MPI.newIntBuffer(3).put(0, record);
                check(3, file.iWriteShared(own, 3, MPI.INT).waitStatus().getCount(MPI.INT), "i");
            } else {
                file.writeShared(record, 3, MPI.INT);
            }
        }
    }

    private static void orderedAccesses() throws IOException {
        File file = open("ordered", BOTH);
        file.setView(0, MPI.INT, MPI.INT, "native");
        int before = rank * (rank + 1) / 2;
        int all = size * (size + 1) / 2;
        for (int round = 0; round < 3; round++) {
            file.writeOrdered(ints(round * all + before, rank + 1), rank + 1, MPI.INT);
        }
        check(3L * all, file.getPositionShared(), "shared pointer");
        settle(file);
        check(Arrays.equals(ints(0, 3 * all), contents("ordered")), "order of ranks");
        file.seekShared(all, MPI.SEEK_SET);
        int[] mine = new int[rank + 1];
        file.readOrdered(mine, rank + 1, MPI.INT);
        check(Arrays.equals(ints(all + before, rank + 1), mine), "what is read");
        file.readOrderedBegin(mine, rank + 1, MPI.INT);
        check(rank + 1, file.readOrderedEnd(mine).getCount(MPI.INT), "begun read");
        check(Arrays.equals(ints(2 * all + before, rank + 1), mine), "what was begun");
        file.writeOrderedBegin(mine, 1, MPI.INT);
        check(1, file.writeOrderedEnd(mine).getCount(MPI.INT), "begun write");
        settle(file);
        check(3L * all + size, file.getPositionShared(), "shared pointer at the end");
        check(2 * all + size * (size - 1) / 2, contents("ordered")[3 * all + size - 1], "last");
        if (size > 1) {
            oneFails(file);
        }
        file.close();
    }

    /** The others go on, as if it had written nothing. */
    private static void oneFails(File file) throws IOException {
        file.seekShared(0, MPI.SEEK_SET);
        try {
            file.writeOrdered(new int[] {77 + rank}, rank == 0 ? 2 : 1, MPI.INT);
            check(rank != 0, "a buffer that is too short is refused");
        } catch (MPIException refused) {
            check(rank == 0 && refused.getErrorClass() == MPI.ERR_BUFFER, refused.getMessage());
        }
        settle(file);
        check(size - 1, file.getPositionShared(), "shared pointer");
        check(78, contents("ordered")[0], "what rank 1 wrote");
    }

    private static void endsAndSequences() throws IOException {
        File file = open("log", MPI.MODE_WRONLY | MPI.MODE_CREATE | MPI.MODE_SEQUENTIAL);
        file.writeOrdered(ints(rank, 1), 1, MPI.INT);
        file.setView(MPI.DISPLACEMENT_CURRENT, MPI.INT, MPI.INT, "native");
        check(4L * size, file.getView().getDisp(), "where the view begins");
        file.writeOrdered(ints(size + rank, 1), 1, MPI.INT);
        file.close();
        File more = open("log", MPI.MODE_WRONLY | MPI.MODE_APPEND);
        check(8L * size, more.getPosition(), "the pointer begins at the end");
        check(8L * size, more.getPositionShared(), "the shared pointer, too");
        more.writeOrdered(ints(2 * size + rank, 1), 1, MPI.INT);
        more.close();
        check(Arrays.equals(ints(0, 3 * size), contents("log")), "log");
        WORLD.barrier();
        File once = open("log", MPI.MODE_RDONLY | MPI.MODE_DELETE_ON_CLOSE);
        once.close();
        check(!Files.exists(folder.resolve("log")), "deleted when it is closed");
        WORLD.barrier();
        if (rank == 0) {
            Files.createFile(folder.resolve("deleted"));
            File.delete(folder.resolve("deleted").toString());
            check(!Files.exists(folder.resolve("deleted")), "deleted");
        }
    }

    /** One rank still moves the pointer when the others take its place for their view. */
    private static void laterViews() throws IOException, InterruptedException {
        File file = open("later", MPI.MODE_WRONLY | MPI.MODE_CREATE | MPI.MODE_SEQUENTIAL);
        if (rank == 0) {
            Thread.sleep(50);
            file.writeShared(ints(0, 3), 3, MPI.INT);
        }
        file.setView(MPI.DISPLACEMENT_CURRENT, MPI.INT, MPI.INT, "native");
        check(12, file.getView().getDisp(), "where the view of this rank begins");
        file.writeOrdered(ints(3 + rank, 1), 1, MPI.INT);
        file.close();
        check(Arrays.equals(ints(0, 3 + size), contents("later")), "written from there on");
        WORLD.barrier();
    }
}
