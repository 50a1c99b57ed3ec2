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
                Request request = MPI.COMM_WORLD.iRecv(java.nio.IntBuffer.wrap(got), 1, MPI.INT,
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

    private static void refuseAnotherJob() {
        try {
            Hayate.init();
            throw new AssertionError("a second job");
        } catch (StateException expected) {
            MessagesProgram.check(expected.getMessage().contains("job open"), expected);
        }
    }
}
