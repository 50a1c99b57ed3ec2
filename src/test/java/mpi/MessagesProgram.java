// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Hayate;
import io.hayate.internal.bindings.TaggedBinding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * Messages of the package mpi, as a rank of one or more: throws if one is not as MPI requires it.
 */
final class MessagesProgram {
    private static final Comm WORLD = MPI.COMM_WORLD;
    private static int rank;
    private static int size;
    private static int right;
    private static int left;

    private MessagesProgram() {
    }

    public static void main(String[] args) {
        MPI.Init(args);
        rank = WORLD.getRank();
        size = WORLD.getSize();
        right = (rank + 1) % size;
        left = (rank + size - 1) % size;
        arraysOfEachKind();
        buffers();
        collectedBuffers();
        longMessages();
        derivedTypes();
        objects();
        probes();
        persistent();
        requests();
        sharedRequests();
        leftRequests();
        nobody();
        errors();
        random();
        WORLD.barrier();
        MPI.Finalize();
        refused(ErrorClass.OTHER, () -> WORLD.send(new int[1], 1, Types.INT, 0, 0));
    }

    static void check(boolean holds, Object what) {
        if (!holds) {
            throw new AssertionError("rank " + rank + ": " + what);
        }
    }

    private static void refused(int errorClass, Runnable call) {
        try {
            call.run();
        } catch (MPIException expected) {
            check(expected.getErrorClass() == errorClass, expected);
            return;
        }
        throw new AssertionError("rank " + rank + ": nothing was refused");
    }

    /** Sends to the right and receives from the left, in both dialects. */
    private static Status pass(Object out, Object in, int offset, int count, Datatype type) {
        Request sending = WORLD.Isend(out, offset, count, type, right, 3);
        Status status = WORLD.Recv(in, offset, count, type, left, 3);
        sending.Wait();
        return status;
    }

    // ---- memory ----

    private static void arraysOfEachKind() {
        for (int n : new int[] {1, 5, 40, 3000}) {
            double[] doubles = new double[n];
            Arrays.setAll(doubles, i -> i + 0.5);
            double[] in = new double[n];
            check(pass(doubles, in, 0, n, Types.DOUBLE).getCount(Types.DOUBLE) == n, n);
            check(Arrays.equals(doubles, in), n);
            char[] chars = new char[n + 2];
            Arrays.fill(chars, 'x');
            char[] got = new char[n + 2];
            pass(chars, got, 1, n, Types.CHAR);
            check(got[0] == 0 && got[1] == 'x' && got[n] == 'x' && got[n + 1] == 0, n);
            boolean[] flags = new boolean[n];
            Arrays.fill(flags, true);
            boolean[] other = new boolean[n];
            pass(flags, other, 0, n, Types.BOOLEAN);
            check(Arrays.equals(flags, other), n);
            short[] shorts = new short[n];
            Arrays.fill(shorts, (short) -7);
            short[] far = new short[n];
            pass(shorts, far, 0, n, Types.SHORT);
            check(Arrays.equals(shorts, far), n);
            byte[] bytes = new byte[n];
            Arrays.fill(bytes, (byte) 9);
            byte[] near = new byte[n];
            pass(bytes, near, 0, n, Types.BYTE);
            check(Arrays.equals(bytes, near), n);
            long[] longs = new long[n];
            Arrays.fill(longs, Long.MIN_VALUE + n);
            long[] back = new long[n];
            pass(longs, back, 0, n, Types.LONG);
            check(Arrays.equals(longs, back), n);
            float[] floats = new float[n];
            Arrays.fill(floats, 1.25f);
            float[] same = new float[n];
            pass(floats, same, 0, n, Types.FLOAT);
            check(Arrays.equals(floats, same), n);
            int[] ints = new int[n];
            Arrays.setAll(ints, i -> -i);
            int[] last = new int[n];
            pass(ints, last, 0, n, Types.INT);
            check(Arrays.equals(ints, last), n);
        }
    }

    private static void buffers() {
        DoubleBuffer direct = Buffers.newDoubleBuffer(100);
        DoubleBuffer in = Buffers.newDoubleBuffer(100);
        for (int i = 0; i < 100; i++) {
            direct.put(i, rank + i);
        }
        pass(direct, in, 0, 100, Types.DOUBLE);
        check(in.get(99) == left + 99, in.get(99));
        pass(Buffers.slice(direct, 50), in, 0, 10, Types.DOUBLE);
        check(in.get(0) == left + 50, in.get(0));
        ByteBuffer wrapped = ByteBuffer.wrap(new byte[80], 8, 72).slice();
        wrapped.order(ByteOrder.nativeOrder()).putDouble(0, rank);
        ByteBuffer room = ByteBuffer.allocate(80).order(ByteOrder.nativeOrder());
        pass(wrapped, room, 0, 72, Types.BYTE);
        check(room.getDouble(0) == left, room.getDouble(0));
        CharBuffer text = CharBuffer.wrap("abc".toCharArray());
        char[] got = new char[3];
        pass(text, got, 0, 3, Types.CHAR);
        check("abc".equals(new String(got)), new String(got));
        pass(ByteBuffer.allocateDirect(8).asReadOnlyBuffer(), room, 0, 8, Types.BYTE);
    }

    /** Memory of buffers that the program has forgotten is used again, but not that of a view. */
    private static void collectedBuffers() {
        Hayate job = MPI.COMM_WORLD.engine.job;
        long free = job.heapFree();
        DoubleBuffer view = null;
        for (int i = 0; i < 8; i++) {
            view = MPI.newByteBuffer(1 << 20).asDoubleBuffer();
        }
        check(free - job.heapFree() >= 1 << 20, "buffers are not in the heap");
        for (int looks = 0; looks < 1000 && free - job.heapFree() >= 2 << 20; looks++) {
            System.gc();
            LockSupport.parkNanos(10_000_000);
        }
        long taken = free - job.heapFree();
        check(taken < 2 << 20 && view.get(0) == 0, taken + " bytes are still taken");
    }

    private static void longMessages() {
        int n = 200_000;
        double[] out = new double[n];
        double[] in = new double[n];
        Request[] sends = new Request[3];
        for (int tag = 0; tag < 3; tag++) {
            out[n - 1] = tag;
            sends[tag] = WORLD.Isend(out.clone(), 0, n - tag, Types.DOUBLE, right, tag);
        }
        for (int tag = 2; tag >= 0; tag--) { // in reverse order
            Status status = WORLD.recv(in, n, Types.DOUBLE, left, tag);
            check(status.getCount(Types.DOUBLE) == n - tag, status.getCount(Types.DOUBLE));
        }
        check(in[n - 1] == 0, in[n - 1]);
        Request.waitAll(sends);
        WORLD.sendRecvReplace(in, n, Types.DOUBLE, right, 8, left, 8);
        Comm fresh = WORLD.dup();
        Request first = fresh.Irecv(in, 0, n, Types.DOUBLE, left, 9);
        fresh.sSend(out, n, Types.DOUBLE, right, 9);
        first.waitFor();
        check(in[n - 1] == 2, "the first message on a communicator: " + in[n - 1]);
        fresh.free();
    }

    private static void derivedTypes() {
        ByteBuffer data = MPI.newByteBuffer(Long.BYTES);
        Datatype pair = Datatype.createContiguous(2, Types.INT);
        pair.commit();
        Prequest persistent = WORLD.sendInit(data, 1, pair, right, 10);
        pair.free(); // the request keeps it
        persistent.start();
        WORLD.recv(new int[2], 2, Types.INT, left, 10);
        persistent.waitFor();
        persistent.free();
        Datatype column = Datatype.createVector(4, 1, 5, Types.INT);
        column.commit();
        int[] out = new int[20];
        Arrays.setAll(out, i -> i);
        int[] in = new int[20];
        Status status = pass(out, in, 0, 1, column);
        check(status.getElements(column) == 4, status.getElements(column));
        check(in[0] == 0 && in[5] == 5 && in[15] == 15 && in[1] == 0, Arrays.toString(in));
        int[] packed = new int[4];
        Request sending = WORLD.Isend(out, 1, 1, column, right, 4);
        WORLD.recv(packed, 4, Types.INT, left, 4);
        sending.waitFor();
        check(Arrays.equals(packed, new int[] {1, 6, 11, 16}), Arrays.toString(packed));
        column.free();
    }

    private static void objects() {
        Object[] out = {"hello from " + rank, 17, new double[] {1, 2, 3}};
        Object[] in = new Object[4];
        Status status = pass(out, in, 0, 3, Types.OBJECT);
        check(status.getCount(Types.OBJECT) == 3, status.getCount(Types.OBJECT));
        check(in[0].equals("hello from " + left) && in[1].equals(17) && in[3] == null, in[0]);
        Request receiving = WORLD.Irecv(in, 0, 4, Types.OBJECT, Constants.ANY_SOURCE, 6);
        WORLD.Send(new Object[] {new byte[100_000]}, 0, 1, Types.OBJECT, right, 6);
        receiving.Wait();
        check(((byte[]) in[0]).length == 100_000, in[0]);
    }

    // ---- probes and requests ----

    private static void probes() {
        check(WORLD.iProbe(Constants.ANY_SOURCE, 77) == null, "a message that nobody has sent");
        Request sending = WORLD.Isend(new int[] {1, 2, 3}, 0, 3, Types.INT, right, 11);
        Status seen = WORLD.probe(Constants.ANY_SOURCE, Constants.ANY_TAG);
        check(seen.getSource() == left && seen.getTag() == 11, seen.getTag());
        Message message = new Message();
        check(message.isNull(), "a message before a probe");
        int[] in = new int[seen.getCount(Types.INT)];
        message.mProbe(left, 11, WORLD);
        check(WORLD.iProbe(left, 11) == null, "the message was taken");
        message.mRecv(in, 3, Types.INT);
        check(in[2] == 3 && message.isNull(), in[2]);
        sending.waitFor();
        refused(ErrorClass.REQUEST, () -> message.mRecv(in, 3, Types.INT));
    }

    private static void persistent() {
        DoubleBuffer out = Buffers.newDoubleBuffer(1);
        DoubleBuffer in = Buffers.newDoubleBuffer(1);
        Prequest[] both = {WORLD.sendInit(out, 1, Types.DOUBLE, right, 1),
            WORLD.recvInit(in, 1, Types.DOUBLE, left, 1)};
        for (int i = 0; i < 10; i++) {
            out.put(0, 10 * rank + i);
            Prequest.startAll(both);
            refused(ErrorClass.REQUEST, both[0]::start);
            Request.waitAll(both);
            check(in.get(0) == 10 * left + i, in.get(0));
            check(!both[0].isNull(), "it stays");
        }
        both[0].free();
        refused(ErrorClass.REQUEST, both[0]::start);
        both[1].free();
    }

    private static void requests() {
        int[][] in = new int[6][1];
        Request[] all = new Request[6];
        for (int i = 0; i < 6; i++) {
            all[i] = WORLD.Irecv(in[i], 0, 1, Types.INT, left, 20 + i);
        }
        check(!all[0].test() && Request.testAny(all) == Constants.UNDEFINED
                && !Request.testAll(all), "nothing was sent");
        WORLD.barrier();
        for (int i = 5; i >= 0; i--) {
            WORLD.send(new int[] {i}, 1, Types.INT, right, 20 + i);
        }
        boolean[] seen = new boolean[6];
        int first = Request.waitAny(all);
        seen[first] = true;
        for (int left = 5; left > 0;) {
            for (Status one : Request.waitSomeStatus(all)) {
                check(!seen[one.getIndex()] && one.getTag() == 20 + one.getIndex(), one.getTag());
                seen[one.getIndex()] = true;
                left--;
            }
        }
        check(Request.waitSome(all) == null && Request.waitAny(all) == Constants.UNDEFINED,
                "all are null");
        check(Request.Testsome(all).length == 0, "mpiJava: none of them is complete");
        for (int i = 0; i < 6; i++) {
            check(in[i][0] == i && all[i].isNull(), in[i][0]);
        }
        Request never = WORLD.Irecv(new int[1], 0, 1, Types.INT, left, 99);
        never.cancel();
        check(never.waitStatus().isCancelled(), "cancelled");
        int[] fiveBytes = {-1, -1};
        WORLD.sendRecv(new int[] {7, 0}, 5, Types.BYTE, right, 28, fiveBytes, 8, Types.BYTE, left,
                28);
        check(fiveBytes[0] == 7 && Integer.bitCount(fiveBytes[1]) == 24, fiveBytes[1]);
        WORLD.bSend(new int[] {6}, 1, Types.INT, right, 29);
        WORLD.recv(in[0], 1, Types.INT, left, 29);
        check(in[0][0] == 6, "a small message needs no attached buffer");
        MPI.COMM_WORLD.engine.buffered.attach(MPI.COMM_WORLD.engine, new byte[1000], 1000);
        WORLD.bSend(new int[] {5}, 1, Types.INT, right, 30);
        refused(ErrorClass.BUFFER,
                () -> WORLD.bSend(new int[1025], 1025, Types.INT, right, 31));
        WORLD.recv(in[0], 1, Types.INT, left, 30);
        check(MPI.COMM_WORLD.engine.buffered.detach(WORLD.engine).length == 1000, "detached");
        WORLD.sendRecv(new int[] {1}, 1, Types.INT, right, 1, in[0], 1, Types.INT, left, 1);
    }

    /** One that a wait names twice, and one whose outcome another thread has. */
    private static void sharedRequests() {
        int[][] in = new int[2][1];
        Request one = WORLD.Irecv(in[0], 0, 1, Types.INT, left, 50);
        Request other = WORLD.Irecv(in[1], 0, 1, Types.INT, left, 51);
        WORLD.send(new int[] {1}, 1, Types.INT, right, 50);
        WORLD.send(new int[] {2}, 1, Types.INT, right, 51);
        Status[] all = Request.waitAllStatus(new Request[] {one, one, other});
        check(in[0][0] == 1 && in[1][0] == 2, Arrays.deepToString(in));
        check(all[0].getTag() == 50 && all[2].getTag() == 51 && all[1].getCount(Types.INT) == 0,
                "the status of each");
        check(one.isNull() && other.isNull(), "both are over");
        Request taken = WORLD.Irecv(in[0], 0, 1, Types.INT, left, 52);
        WORLD.barrier(); // before its message is sent
        WORLD.send(new int[1], 1, Types.INT, right, 52);
        TaggedBinding.await(WORLD.engine.tags.handle(), taken.name(), false, new long[3]);
        refused(ErrorClass.REQUEST, taken::waitFor);
    }

    /** A freed receive goes on, and so does the send of an exchange whose receive fails. */
    private static void leftRequests() {
        int[] late = new int[100_000];
        int[] out = new int[late.length];
        Arrays.fill(out, 7);
        Request receiving = WORLD.Irecv(late, 0, late.length, Types.INT, left, 60);
        receiving.free();
        receiving.free();
        Request sending = WORLD.Isend(out, 0, 2, Types.INT, right, 61);
        refused(ErrorClass.TRUNCATE, () -> WORLD.sendRecv(out, out.length, Types.INT, right, 60,
                new int[1], 1, Types.INT, left, 61));
        sending.waitFor();
        for (int looks = 0; looks < 1000 && !Arrays.equals(out, late); looks++) {
            Request never = WORLD.Irecv(new int[1], 0, 1, Types.INT, left, 62);
            never.cancel();
            never.free(); // looks for others that are over
            LockSupport.parkNanos(5_000_000);
        }
        check(Arrays.equals(out, late), "what a freed request has received");
    }

    private static void nobody() {
        int nobody = Constants.PROC_NULL;
        int[] in = {4};
        WORLD.send(in, 1, Types.INT, nobody, 0);
        Status status = WORLD.recv(in, 1, Types.INT, nobody, 0);
        check(status.getSource() == nobody && status.getCount(Types.INT) == 0 && in[0] == 4, in[0]);
        WORLD.Irecv(in, 0, 1, Types.INT, nobody, 0).Wait();
        check(WORLD.probe(nobody, 1).getSource() == nobody, "a probe of nobody");
    }

    private static void errors() {
        int[] one = new int[1];
        refused(ErrorClass.RANK, () -> WORLD.send(one, 1, Types.INT, size, 0));
        refused(ErrorClass.RANK, () -> WORLD.recv(one, 1, Types.INT, -7, 0));
        refused(ErrorClass.TAG, () -> WORLD.send(one, 1, Types.INT, right, -1));
        refused(ErrorClass.TAG, () -> WORLD.recv(one, 1, Types.INT, left, -9));
        refused(ErrorClass.COUNT, () -> WORLD.send(one, -1, Types.INT, right, 0));
        refused(ErrorClass.TYPE, () -> WORLD.send(one, 1, null, right, 0));
        refused(ErrorClass.BUFFER, () -> WORLD.send(one, 1, Types.DOUBLE, right, 0));
        refused(ErrorClass.TYPE, () -> WORLD.send(one, 1,
                Datatype.createContiguous(1, Types.INT), right, 0));
        refused(ErrorClass.BUFFER, () -> WORLD.send(one, 2, Types.INT, right, 0));
        refused(ErrorClass.BUFFER, () -> WORLD.send(null, 1, Types.INT, right, 0));
        refused(ErrorClass.BUFFER, () -> WORLD.send(new int[2][2], 1, Types.INT, right, 0));
        refused(ErrorClass.BUFFER, () -> WORLD.recv(
                ByteBuffer.allocateDirect(8).asReadOnlyBuffer(), 8, Types.BYTE, left, 0));
        Request sending = WORLD.Isend(new int[] {1, 2, 3}, 0, 3, Types.INT, right, 40);
        refused(ErrorClass.TRUNCATE, () -> WORLD.recv(one, 1, Types.INT, left, 40));
        check(one[0] == 1, one[0]);
        sending.waitFor();
        refused(ErrorClass.OTHER, () -> MPI.Init(new String[0]));
    }

    // ---- any program ----

    /** All ranks draw the same messages; each sends its own, and receives what is for it. */
    private static void random() {
        for (int round = 0; round < 30; round++) {
            Random random = new Random(round);
            int messages = 40;
            int[] from = random.ints(messages, 0, size).toArray();
            int[] to = random.ints(messages, 0, size).toArray();
            int[] tag = random.ints(messages, 0, 3).toArray();
            int[] count = random.ints(messages, 0, 9).map(power -> 1 << 2 * power).toArray();
            Request[] open = new Request[messages];
            int[][] in = new int[messages][];
            boolean any = round % 2 == 1;
            for (int i = 0; i < messages; i++) {
                if (to[i] == rank) {
                    in[i] = new int[1 << 16];
                    open[i] = WORLD.Irecv(in[i], 0, 1 << 16, Types.INT, from[i],
                            any ? Constants.ANY_TAG : tag[i]);
                }
            }
            for (int i = 0; i < messages; i++) {
                if (from[i] == rank) {
                    int[] out = new int[count[i]];
                    Arrays.fill(out, i);
                    if (to[i] == rank || i % 3 == 0) {
                        WORLD.Isend(out, 0, count[i], Types.INT, to[i], tag[i]).free();
                    } else {
                        WORLD.send(out, count[i], Types.INT, to[i], tag[i]);
                    }
                }
            }
            for (int i = 0; i < messages; i++) {
                if (open[i] != null) {
                    Status status = open[i].waitStatus();
                    check(status.getTag() == tag[i] && status.getSource() == from[i]
                            && status.getCount(Types.INT) == count[i] && in[i][0] == i
                            && in[i][count[i] - 1] == i, "message " + i + " of round " + round);
                }
            }
            WORLD.barrier();
        }
    }
}
