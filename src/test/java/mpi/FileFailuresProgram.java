// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Path;

/**
 * A program whose calls of files fail, on 1 to 4 ranks, in a folder that its argument names: those
 * of one rank, and of all ranks although only one has done something wrong.
 */
public final class FileFailuresProgram {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int BOTH = MPI.MODE_RDWR | MPI.MODE_CREATE;
    private static Path folder;
    private static int rank;
    private static int size;

    private FileFailuresProgram() {
    }

    /** A call that is to fail. */
    private interface Call {
        void run();
    }

    private static void refused(int errorClass, Call call) {
        try {
            call.run();
        } catch (MPIException expected) {
            if (expected.getErrorClass() != errorClass) {
                throw new AssertionError("rank " + rank + ": expected the class "
                        + ErrorClass.name(errorClass), expected);
            }
            return;
        }
        throw new AssertionError("rank " + rank + ": nothing was refused, expected the class "
                + ErrorClass.name(errorClass));
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("rank " + rank + ": " + what);
        }
    }

    /** Begins and ends MPI, and checks everything. */
    public static void main(String[] args) throws Exception {
        folder = Path.of(args[0]);
        MPI.Init(args);
        rank = WORLD.getRank();
        size = WORLD.getSize();
        opening();
        openingOnOneRank();
        data();
        views();
        sizesAndPointers();
        directions();
        sequences();
        splitAccesses();
        requests();
        closing();
        MPI.Finalize();
        refused(MPI.ERR_OTHER, () -> File.delete("x"));
    }

    private static String path(String name) {
        return folder.resolve(name).toString();
    }

    private static File open(String name, int mode) {
        return new File(WORLD, path(name), mode);
    }

    /** The last rank does something else than the others. */
    private static boolean isLast() {
        return rank == size - 1;
    }

    private static void opening() {
        refused(MPI.ERR_COMM, () -> new File(null, "x", BOTH));
        refused(MPI.ERR_ARG, () -> new File(WORLD, null, BOTH));
        refused(MPI.ERR_INFO, () -> new File(WORLD, path("x"), BOTH, null));
        refused(MPI.ERR_AMODE, () -> open("x", MPI.MODE_CREATE));
        refused(MPI.ERR_AMODE, () -> open("x", MPI.MODE_RDONLY | MPI.MODE_CREATE));
        refused(MPI.ERR_NO_SUCH_FILE, () -> open("x", MPI.MODE_RDWR));
        refused(MPI.ERR_NO_SUCH_FILE, () -> open("x/y", BOTH));
        refused(MPI.ERR_BAD_FILE, () -> new File(WORLD, folder.toString(), MPI.MODE_RDONLY));
        refused(MPI.ERR_BAD_FILE, () -> new File(WORLD, "x\0y", BOTH));
        open("x", BOTH | MPI.MODE_EXCL).close();
        refused(MPI.ERR_FILE_EXISTS, () -> open("x", BOTH | MPI.MODE_EXCL));
        refused(MPI.ERR_NO_SUCH_FILE, () -> File.delete(path("y")));
        refused(MPI.ERR_BAD_FILE, () -> File.delete(folder.toString()));
        refused(MPI.ERR_ARG, () -> File.delete(null));
        if (size > 1) {
            Intracomm own = WORLD.split(rank % 2, 0);
            Intercomm both = WORLD.createIntercomm(own, 0, 1 - rank % 2, 5);
            refused(MPI.ERR_COMM, () -> new File(both, path("x"), BOTH));
            both.free();
            refused(MPI.ERR_COMM, () -> new File(both, path("x"), BOTH));
        }
    }

    private static void openingOnOneRank() throws Exception {
        if (size == 1) {
            return;
        }
        refused(MPI.ERR_NOT_SAME, () -> open("z", isLast() ? BOTH : BOTH | MPI.MODE_EXCL));
        refused(MPI.ERR_NOT_SAME, () -> open("z", isLast() ? 0 : BOTH));
        refused(MPI.ERR_ARG, () -> new File(WORLD, isLast() ? null : path("z"), BOTH));
        refused(MPI.ERR_NO_SUCH_FILE, () -> open(isLast() ? "none" : "x", MPI.MODE_RDONLY));
        refused(MPI.ERR_NO_SUCH_FILE, () -> open(rank == 0 ? "none" : "x", MPI.MODE_RDONLY));
        refused(MPI.ERR_NO_SUCH_FILE, () -> open("z", MPI.MODE_RDONLY));
        if (rank == 0) {
            new ProcessBuilder("mkfifo", path("pipe")).inheritIO().start().waitFor();
        }
        WORLD.barrier();
        refused(MPI.ERR_BAD_FILE, () -> open("pipe", MPI.MODE_RDONLY));
        refused(MPI.ERR_NO_SUCH_FILE, () -> open(rank == 0 ? "new" : "none/new",
                MPI.MODE_CREATE | MPI.MODE_EXCL | MPI.MODE_WRONLY));
        refused(MPI.ERR_NO_SUCH_FILE, () -> open("new", MPI.MODE_RDONLY)); // nothing is left
    }

    private static void data() {
        File file = open("data", BOTH);
        int[] ints = new int[4];
        refused(MPI.ERR_BUFFER, () -> file.write(ints, 5, MPI.INT));
        refused(MPI.ERR_BUFFER, () -> file.write(null, 1, MPI.INT));
        refused(MPI.ERR_BUFFER, () -> file.read(new int[2][2], 1, MPI.INT));
        refused(MPI.ERR_BUFFER, () -> file.read(IntBuffer.wrap(ints).asReadOnlyBuffer(), 1,
                MPI.INT));
        file.write(IntBuffer.wrap(ints).asReadOnlyBuffer(), 1, MPI.INT);
        refused(MPI.ERR_COUNT, () -> file.readAt(0, ints, -1, MPI.INT));
        refused(MPI.ERR_TYPE, () -> file.writeAt(0, ints, 1, null));
        refused(MPI.ERR_TYPE, () -> file.writeAt(0, ints, 1,
                Datatype.createContiguous(2, MPI.INT)));
        refused(MPI.ERR_TYPE, () -> file.write(new String[1], 1, MPI.OBJECT));
        refused(MPI.ERR_ARG, () -> file.writeAt(-1, ints, 1, MPI.INT));
        refused(MPI.ERR_ARG, () -> file.readAt(Long.MAX_VALUE, ints, 1, MPI.INT));
        refused(MPI.ERR_BUFFER, () -> file.iRead(ByteBuffer.allocate(4), 5, MPI.BYTE));
        refused(MPI.ERR_BUFFER, () -> file.iWriteShared(null, 1, MPI.BYTE));
        check(file.getPosition() == 4, "refused calls move no pointer");
        file.setView(0, MPI.DOUBLE, MPI.DOUBLE, "native");
        refused(MPI.ERR_TYPE, () -> file.writeAt(0, ints, 3, MPI.INT));
        refused(MPI.ERR_ARG, () -> file.readAt(Long.MAX_VALUE / 4, ints, 2, MPI.INT));
        file.close();
    }

    private static void views() {
        File file = open("views", BOTH);
        refused(MPI.ERR_UNSUPPORTED_DATAREP,
                () -> file.setView(0, MPI.INT, MPI.INT, isLast() ? "external32" : "native"));
        refused(MPI.ERR_UNSUPPORTED_DATAREP, () -> file.setView(0, MPI.INT, MPI.INT, null));
        refused(MPI.ERR_ARG, () -> file.setView(isLast() ? -1 : 0, MPI.INT, MPI.INT, "native"));
        refused(MPI.ERR_ARG, () -> file.setView(MPI.DISPLACEMENT_CURRENT, MPI.INT, MPI.INT,
                "native"));
        refused(MPI.ERR_TYPE, () -> file.setView(0, MPI.INT, isLast() ? MPI.SHORT : MPI.INT,
                "native"));
        refused(MPI.ERR_TYPE, () -> file.setView(0, MPI.INT,
                Datatype.Indexed(new int[] {1}, new int[] {-1}, MPI.INT), "native"));
        refused(MPI.ERR_INFO, () -> file.setView(0, MPI.INT, MPI.INT, "native", null));
        if (size > 1) {
            refused(MPI.ERR_NOT_SAME, () -> file.setView(0, isLast() ? MPI.INT : MPI.LONG,
                    MPI.LONG, "native"));
        }
        check(file.getView().getEType() == MPI.BYTE, "the view stays");
        file.setView(0, MPI.INT, Datatype.Contiguous(0, MPI.INT), "native");
        refused(MPI.ERR_ARG, () -> file.writeAt(0, new int[1], 1, MPI.INT));
        file.writeAt(5, new int[1], 0, MPI.INT);
        refused(MPI.ERR_TYPE, () -> file.getTypeExtent(null));
        file.close();
    }

    private static void sizesAndPointers() {
        File file = open("sizes", BOTH);
        refused(MPI.ERR_ARG, () -> file.setSize(isLast() ? -1 : 0));
        refused(MPI.ERR_ARG, () -> file.preallocate(-1));
        refused(MPI.ERR_ARG, () -> file.seek(-1, MPI.SEEK_END));
        refused(MPI.ERR_ARG, () -> file.seek(0, 1));
        refused(MPI.ERR_ARG, () -> file.seekShared(-1, MPI.SEEK_SET));
        refused(MPI.ERR_ARG, () -> file.seekShared(0, 99));
        refused(MPI.ERR_ARG, () -> file.getByteOffset(-1));
        refused(MPI.ERR_INFO, () -> file.setInfo(null));
        refused(MPI.ERR_ARG, () -> file.setErrhandler(null));
        file.seek(Long.MAX_VALUE, MPI.SEEK_SET);
        refused(MPI.ERR_ARG, () -> file.seek(1, MPI.SEEK_CUR));
        refused(MPI.ERR_ARG, () -> file.write(new int[1], 1, MPI.INT));
        check(file.getPosition() == Long.MAX_VALUE, "the pointer stays");
        if (size > 1) {
            refused(MPI.ERR_NOT_SAME, () -> file.setSize(rank));
            refused(MPI.ERR_NOT_SAME, () -> file.preallocate(rank));
            refused(MPI.ERR_NOT_SAME, () -> file.seekShared(rank, MPI.SEEK_SET));
            refused(MPI.ERR_NOT_SAME, () -> file.setAtomicity(isLast()));
        }
        check(file.getSize() == 0 && file.getPositionShared() == 0, "nothing has changed");
        file.close();
    }

    private static void directions() {
        File reading = open("sizes", MPI.MODE_RDONLY);
        refused(MPI.ERR_READ_ONLY, () -> reading.write(new int[1], 1, MPI.INT));
        refused(MPI.ERR_READ_ONLY, () -> reading.writeOrdered(new int[1], 1, MPI.INT));
        refused(MPI.ERR_READ_ONLY, () -> reading.setSize(0));
        refused(MPI.ERR_READ_ONLY, () -> reading.preallocate(0));
        reading.close();
        File writing = open("sizes", MPI.MODE_WRONLY);
        refused(MPI.ERR_ACCESS, () -> writing.readAtAll(0, new int[1], 1, MPI.INT));
        refused(MPI.ERR_ACCESS, () -> writing.readShared(new int[1], 1, MPI.INT));
        check(writing.getPositionShared() == 0, "the shared pointer stays");
        writing.close();
        File full = new File(WORLD, "/dev/full", MPI.MODE_WRONLY);
        refused(MPI.ERR_NO_SPACE, () -> full.write(new int[1], 1, MPI.INT));
        Request later = full.iWriteAt(0, MPI.newByteBuffer(1), 1, MPI.BYTE);
        refused(MPI.ERR_NO_SPACE, later::waitFor);
        check(later.isNull(), "a request that has failed is null");
        full.close();
    }

    private static void sequences() {
        File file = open("log", MPI.MODE_WRONLY | MPI.MODE_CREATE | MPI.MODE_SEQUENTIAL);
        int[] one = {1};
        refused(MPI.ERR_UNSUPPORTED_OPERATION, () -> file.write(one, 1, MPI.INT));
        refused(MPI.ERR_UNSUPPORTED_OPERATION, () -> file.writeAtAll(0, one, 1, MPI.INT));
        refused(MPI.ERR_UNSUPPORTED_OPERATION, () -> file.seek(0, MPI.SEEK_SET));
        refused(MPI.ERR_UNSUPPORTED_OPERATION, () -> file.seekShared(0, MPI.SEEK_SET));
        refused(MPI.ERR_UNSUPPORTED_OPERATION, file::getPosition);
        refused(MPI.ERR_UNSUPPORTED_OPERATION, file::getPositionShared);
        refused(MPI.ERR_UNSUPPORTED_OPERATION, () -> file.setSize(0));
        refused(MPI.ERR_ARG, () -> file.setView(0, MPI.INT, MPI.INT, "native"));
        file.close();
    }

    private static void splitAccesses() {
        File file = open("split", BOTH);
        int[] one = {rank};
        int[] other = {rank};
        refused(MPI.ERR_IO, () -> file.writeAllEnd(one));
        file.writeAllBegin(one, 1, MPI.INT);
        refused(MPI.ERR_IO, () -> file.writeAllBegin(other, 1, MPI.INT));
        refused(MPI.ERR_IO, () -> file.readOrderedBegin(other, 1, MPI.INT));
        refused(MPI.ERR_IO, () -> file.writeAtAllEnd(one));
        refused(MPI.ERR_IO, () -> file.readAllEnd(one));
        refused(MPI.ERR_BUFFER, () -> file.writeAllEnd(other));
        refused(MPI.ERR_IO, file::close);
        file.writeAllEnd(one);
        refused(MPI.ERR_IO, () -> file.writeAllEnd(one));
        file.close();
    }

    private static void requests() {
        File file = open("requests", BOTH);
        Request open = isLast() ? file.iWriteAt(0, MPI.newByteBuffer(9), 9, MPI.BYTE) : null;
        refused(MPI.ERR_REQUEST, file::close);
        check(file.getSize() >= 0, "the file is still open");
        if (isLast()) {
            open.waitFor();
            open.waitFor();
            open.free();
            file.iWriteAt(0, ByteBuffer.allocate(1 << 24), 1 << 24, MPI.BYTE).free();
        }
        file.close();
        check(Path.of(path("requests")).toFile().length() == 1 << 24,
                "close waits for freed requests");
    }

    private static void closing() {
        File file = open("closing", BOTH);
        file.close();
        refused(MPI.ERR_FILE, file::close);
        refused(MPI.ERR_FILE, file::getSize);
        refused(MPI.ERR_FILE, file::getView);
        refused(MPI.ERR_FILE, file::sync);
        refused(MPI.ERR_FILE, () -> file.read(new int[1], 1, MPI.INT));
        refused(MPI.ERR_FILE, () -> file.readOrdered(new int[1], 1, MPI.INT));
        refused(MPI.ERR_FILE, () -> file.iWrite(MPI.newByteBuffer(1), 1, MPI.BYTE));
        refused(MPI.ERR_FILE, () -> file.setView(0, MPI.INT, MPI.INT, "native"));
        File lost = open("closing", BOTH | MPI.MODE_DELETE_ON_CLOSE);
        if (rank == 0) {
            File.delete(path("closing"));
        }
        refused(MPI.ERR_NO_SUCH_FILE, lost::close);
        refused(MPI.ERR_FILE, lost::close);
    }
}
