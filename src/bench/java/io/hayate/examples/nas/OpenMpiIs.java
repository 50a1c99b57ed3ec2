/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.examples.nas;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;

/**
 * IS of the examples with its messages by Open MPI's Java binding, for scripts/bench/memory.sh:
 * {@code OpenMpiIs CLASS REPETITIONS}. Prints nothing; the exit code is 1 if a rank is wrong.
 */
public final class OpenMpiIs {
    private OpenMpiIs() {
    }

    /** What came with an exception of the binding, which no method of the interface declares. */
    private static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Failed(MPIException cause) {
            super(cause);
        }
    }

    private static final class Messages implements IsMessages {
        private final Comm world = MPI.COMM_WORLD;
        private final int rank = world.getRank();
        private final int size = world.getSize();
        private final Ints outgoing;
        private final Ints incoming;
        private final int[] receivedCounts = new int[size];
        private final int[] sends = new int[size];
        private final int[] receives = new int[size];

        Messages(Ints outgoing, Ints incoming) throws MPIException {
            this.outgoing = outgoing;
            this.incoming = incoming;
        }

        @Override
        public void sum(int[] numbers) {
            try {
                world.allReduce(numbers, numbers.length, MPI.INT, MPI.SUM);
            } catch (MPIException e) {
                throw new Failed(e);
            }
        }

        @Override
        public int exchange(int[] counts) {
            try {
                world.allToAll(counts, 1, MPI.INT, receivedCounts, 1, MPI.INT);
                for (int i = 1; i < size; i++) {
                    sends[i] = sends[i - 1] + counts[i - 1];
                    receives[i] = receives[i - 1] + receivedCounts[i - 1];
                }
                world.allToAllv(outgoing.values(), counts, sends, MPI.INT, incoming.values(),
                        receivedCounts, receives, MPI.INT);
            } catch (MPIException e) {
                throw new Failed(e);
            }
            return receives[size - 1] + receivedCounts[size - 1];
        }

        @Override
        public int pass(int key) {
            int[] before = {Integer.MIN_VALUE};
            try {
                if (rank + 1 < size) {
                    world.send(new int[] {key}, 1, MPI.INT, rank + 1, 0);
                }
                if (rank > 0) {
                    world.recv(before, 1, MPI.INT, rank - 1, 0);
                }
            } catch (MPIException e) {
                throw new Failed(e);
            }
            return before[0];
        }

        @Override
        public void close() {
            // nothing was taken
        }
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        IsProblem problem = IsProblem.of(ProblemClass.valueOf(args[0]));
        int size = MPI.COMM_WORLD.getSize();
        Ints outgoing = ints(IsSort.outgoing(problem, size));
        Ints incoming = ints(IsSort.incoming(problem, size));
        try (Messages messages = new Messages(outgoing, incoming)) {
            int rank = MPI.COMM_WORLD.getRank();
            IsSort sort = new IsSort(problem, rank, size, outgoing, incoming, messages);
            for (int i = 0; i < Integer.parseInt(args[1]); i++) {
                verify(problem, sort, messages);
            }
        }
        MPI.Finalize();
    }

    private static void verify(IsProblem problem, IsSort sort, Messages messages)
            throws MPIException {
        sort.makeKeys();
        sort.forget();
        for (int iteration = 1; iteration <= IsProblem.ITERATIONS; iteration++) {
            sort.rank(iteration);
        }
        int[] all = {sort.passed(), sort.misplaced()};
        messages.sum(all);
        if (all[0] != problem.testKeys().size() * IsProblem.ITERATIONS || all[1] != 0) {
            System.err.println("openmpi: " + all[0] + " test keys have their ranks, " + all[1]
                    + " keys are out of order");
            MPI.COMM_WORLD.abort(1);
        }
    }

    /** Direct memory, which the binding does not copy. */
    private static Ints ints(int count) {
        ByteBuffer memory = ByteBuffer.allocateDirect(count * Integer.BYTES);
        return new Ints(memory.order(ByteOrder.nativeOrder()).asIntBuffer(), null);
    }
}
