// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reduction;
import io.hayate.Span;
import io.hayate.StateException;
import java.nio.IntBuffer;
import java.util.concurrent.locks.LockSupport;

/** Hayate's own API beside MPI in one program. */
final class BesideProgram {
    private static final int ROUNDS = 20;

    private BesideProgram() {
    }

    public static void main(String[] args) {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        Hayate job = Hayate.current();
        MessagesProgram.check(job.rank() == rank && job.size() == size, job);
        try (Fmpl fmpl = Fmpl.init(job); HeapSpan sum = job.allocate(Double.BYTES)) {
            exchange(fmpl, sum, rank, size);
            if (size == 2) {
                receiveInReduction(fmpl, rank);
            }
        }
        refuseAnotherJob();
        MPI.COMM_WORLD.barrier();
        MPI.Finalize();
        try {
            Hayate.current();
            throw new AssertionError("there is a job after Finalize");
        } catch (StateException expected) {
            MessagesProgram.check(expected.getMessage().contains("is in no job"), expected);
        }
    }

    /** Messages of both are under way at the same time, between the same ranks. */
    private static void exchange(Fmpl fmpl, HeapSpan sum, int rank, int size) {
        int right = (rank + 1) % size;
        int left = (rank + size - 1) % size;
        try (PersistentOperation total = PersistentColl.on(fmpl.world())
                .allreduce(sum, Reduction.DOUBLE_SUM)) {
            for (int round = 0; round < ROUNDS; round++) {
                sum.putDouble(0, rank + round);
                total.start();
                int[] got = new int[1];
                int[] own = new int[1];
                Request request = MPI.COMM_WORLD.iRecv(IntBuffer.wrap(got), 1, MPI.INT,
                        left, 0);
                fmpl.sendrecv(Span.of(new int[] {-rank}), right, 0, Span.of(own), left, 0);
                MPI.COMM_WORLD.send(new int[] {rank * ROUNDS + round}, 1, MPI.INT, right, 0);
                request.waitFor();
                total.await();
                double expected = size * (size - 1) / 2.0 + size * round;
                MessagesProgram.check(got[0] == left * ROUNDS + round && own[0] == -left
                        && sum.getDouble(0) == expected, round);
            }
        }
    }

    /**
     * A reduction that goes on within a receive calls the program, which itself receives from the
     * same rank. The pauses let that happen there, and not before.
     */
    static void receiveInReduction(Fmpl fmpl, int rank) {
        int[] in = new int[2];
        long[] one = {1};
        try (Reduction receives = Reduction.of(fmpl, Long.BYTES, (sum, next, count) -> {
            sum.putLong(0, sum.getLong(0) + next.getLong(0));
            if (rank == 0) {
                MPI.COMM_WORLD.Recv(in, 0, 1, MPI.INT, 1, 1);
            }
        })) {
            if (rank == 0) {
                io.hayate.Request sum = fmpl.world().iallreduce(Span.of(one), receives);
                MPI.COMM_WORLD.send(in, 0, MPI.INT, 1, 0);
                pause();
                MPI.COMM_WORLD.Recv(in, 1, 1, MPI.INT, 1, 2);
                sum.await();
                MessagesProgram.check(in[0] == 1 && in[1] == 2, in[0]);
            } else {
                MPI.COMM_WORLD.recv(in, 0, MPI.INT, 0, 0);
                io.hayate.Request sum = fmpl.world().iallreduce(Span.of(one), receives);
                pause();
                pause();
                MPI.COMM_WORLD.send(new int[] {1}, 1, MPI.INT, 0, 1);
                pause();
                MPI.COMM_WORLD.send(new int[] {2}, 1, MPI.INT, 0, 2);
                sum.await();
            }
        }
        MessagesProgram.check(one[0] == 2, one[0]);
    }

    private static void pause() {
        LockSupport.parkNanos(50_000_000);
    }

    private static void refuseAnotherJob() {
        try {
            Hayate.init();
            throw new AssertionError("a second job");
        } catch (StateException expected) {
            MessagesProgram.check(expected.getMessage().contains("job open"), expected);
        }
    }
}
