// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;
import static io.hayate.conformance.Rank.expect;

import io.hayate.CallbackException;
import io.hayate.ClosedException;
import io.hayate.MismatchException;
import io.hayate.Reducer;
import io.hayate.Reduction;
import io.hayate.Span;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.SplittableRandom;

/** Broadcasts, barriers, custom reductions, and collectives that do not match. */
final class CollectiveScenarios {
    @Scenario
    static void should_broadcast_every_size_from_every_root(Rank rank) {
        for (int size : new int[] {0, 1, 8, 57, 4097, 32_768, 131_080, 1 << 20}) {
            for (BufferKind kind : BufferKind.values()) {
                if (rank.takesNextCase()) {
                    for (int root = 0; root < rank.size; root++) {
                        broadcast(rank, kind, size, root, false);
                        broadcast(rank, kind, size, root, true);
                    }
                }
            }
        }
    }

    private static void broadcast(Rank rank, BufferKind kind, int size, int root, boolean shared) {
        try (Memory memory = kind.of(rank, size)) {
            int seed = size + root + (shared ? 1 : 0);
            if (rank.me == root) {
                memory.fill(seed);
            } else {
                memory.clear();
            }
            if (shared) {
                rank.fmpl.hbcast(memory.span(), root);
            } else {
                rank.fmpl.bcast(memory.span(), root);
            }
            memory.verify(seed, size);
        } catch (AssertionError | RuntimeException wrong) {
            throw new AssertionError(kind + ", " + size + " bytes, root " + root
                    + (shared ? ", hbcast" : ""), wrong);
        }
    }

    /** Ranks of one machine share its clock: nobody leaves before the last has come. */
    @Scenario
    static void should_hold_everybody_at_the_barrier(Rank rank) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(rank.me);
        for (int i = 0; i < 60; i++) {
            if (random.nextInt(rank.size) == 0) {
                Thread.sleep(random.nextInt(4));
            }
            long[] last = {System.nanoTime()};
            rank.fmpl.barrier();
            long left = System.nanoTime();
            rank.fmpl.allreduce(Span.of(last), Reduction.LONG_ABS_MAX);
            check(left >= last[0], "left " + (last[0] - left) + " ns before the last came");
        }
    }

    /** Elements of three doubles: smallest, largest, sum. */
    private static final Reducer EXTREMES = (inout, in, count) -> {
        var a = inout.order(ByteOrder.nativeOrder());
        var b = in.order(ByteOrder.nativeOrder());
        for (int i = 0; i < count; i++) {
            int at = 24 * i;
            a.putDouble(at, Math.min(a.getDouble(at), b.getDouble(at)));
            a.putDouble(at + 8, Math.max(a.getDouble(at + 8), b.getDouble(at + 8)));
            a.putDouble(at + 16, a.getDouble(at + 16) + b.getDouble(at + 16));
        }
    };

    @Scenario
    static void should_reduce_by_a_function_of_the_user(Rank rank) {
        try (Reduction extremes = Reduction.of(rank.fmpl, 24, EXTREMES)) {
            for (int count : new int[] {1, 10, 3000}) {
                double[] values = new double[3 * count];
                for (int i = 0; i < values.length; i++) {
                    values[i] = rank.me + i / 3;
                }
                rank.fmpl.allreduce(Span.of(values), extremes);
                int sumOfRanks = rank.size * (rank.size - 1) / 2;
                for (int i = 0; i < count; i++) {
                    check(values[3 * i] == i, "smallest " + values[3 * i]);
                    check(values[3 * i + 1] == i + rank.size - 1, "largest " + values[3 * i + 1]);
                    check(values[3 * i + 2] == sumOfRanks + i * rank.size, "sum");
                }
            }
        }
    }

    /** What the reducer threw; between nodes only the first rank of a node may have called it. */
    private static Optional<CallbackException> broken(Rank rank, long[] values,
            Reduction reduction) {
        try {
            rank.fmpl.allreduce(Span.of(values), reduction);
        } catch (CallbackException thrown) {
            return Optional.of(thrown);
        }
        check(rank.me > 0, "allreduce: expected CallbackException, nothing thrown");
        return Optional.empty();
    }

    @Scenario(ranks = 2)
    static void should_go_on_after_a_reducer_threw(Rank rank) {
        Reducer broken = (inout, in, count) -> {
            throw new IllegalStateException("on purpose");
        };
        try (Reduction reduction = Reduction.of(rank.fmpl, 8, broken)) {
            for (int count : new int[] {1, 20_000}) {
                broken(rank, new long[count], reduction).ifPresent(thrown -> {
                    check(thrown.getCause() instanceof IllegalStateException, "cause: "
                            + thrown.getCause());
                    equal(-14, thrown.code(), "code");
                });
            }
        }
        long[] one = {1};
        rank.fmpl.allreduce(Span.of(one), Reduction.LONG_SUM);
        equal(rank.size, one[0], "the next collective");
    }

    @Scenario(ranks = 2)
    static void should_survive_a_reducer_that_overflows_the_stack(Rank rank) {
        Reducer endless = new Reducer() {
            @Override
            public void reduce(java.nio.ByteBuffer inout, java.nio.ByteBuffer in, long count) {
                reduce(in, inout, count + 1);
            }
        };
        try (Reduction reduction = Reduction.of(rank.fmpl, 8, endless)) {
            broken(rank, new long[4], reduction);
        }
    }

    /** Each on a fresh communicator, as it is broken afterwards. */
    @Scenario(ranks = 2)
    static void should_report_collectives_that_do_not_match(Rank rank) {
        Span few = Span.of(new double[4]);
        Span many = Span.of(new double[400]);
        boolean first = rank.me == 0;
        mismatch(rank, "is in another collective", comm -> {
            if (first) {
                rank.fmpl.barrier(comm);
            } else {
                rank.fmpl.allreduce(few, Reduction.DOUBLE_SUM, comm);
            }
        });
        mismatch(rank, "allreduce: rank OTHER passes another size", comm ->
                rank.fmpl.allreduce(first ? few : many, Reduction.DOUBLE_SUM, comm));
        Span bytes = Span.of(new byte[32]); // every reduction accepts them
        mismatch(rank, "another reduction", comm -> rank.fmpl.allreduce(
                bytes, first ? Reduction.DOUBLE_SUM : Reduction.FLOAT_SUM, comm));
        mismatch(rank, "passes another reduction", comm ->
                rank.fmpl.allreduce(few,
                        first ? Reduction.DOUBLE_SUM : Reduction.DOUBLE_ABS_MAX, comm));
        mismatch(rank, "it in ", comm -> {
            if (first) {
                rank.fmpl.bcast(few, 0, comm);
            } else {
                rank.fmpl.barrier(comm);
            }
        });
        mismatch(rank, "reduce: rank OTHER passes another root", comm ->
                comm.reduce(few, Reduction.DOUBLE_SUM, comm.rank()));
        mismatch(rank, "allgather: rank OTHER passes another size", comm ->
                comm.allgather(first ? few : many, Span.of(new double[800])));
        mismatch(rank, "16 bytes", comm ->
                comm.alltoallv(Span.of(new byte[16]), new long[] {8, 8}, null,
                        Span.of(new byte[24]),
                        first ? new long[] {8, 16} : new long[] {16, 8}, null));
    }

    private interface OnCommunicator {
        void run(io.hayate.Communicator comm);
    }

    /**
     * Among the first two ranks: one of them sees it and names what differs, then both refuse the
     * communicator.
     */
    private static void mismatch(Rank rank, String what, OnCommunicator wrong) {
        io.hayate.Communicator comm = rank.fmpl.create(rank.me < 2);
        if (rank.me >= 2) {
            return;
        }
        boolean[] seen = new boolean[1];
        String[] text = new String[1];
        Thread caller = new Thread(() -> {
            try {
                wrong.run(comm);
            } catch (MismatchException expected) {
                text[0] = expected.reason();
                seen[0] = true;
            } catch (ClosedException expected) {
                // It has waited until the end of the scenario.
            }
        });
        caller.setDaemon(true);
        caller.start();
        int[] told = {join(caller) && seen[0] ? 1 : 0};
        int[] other = {0};
        rank.fmpl.isend(Span.of(told), 1 - rank.me, 7);
        rank.fmpl.recv(Span.of(other), 1 - rank.me, 7);
        check(told[0] + other[0] > 0, what + ": seen by nobody");
        if (seen[0]) {
            check(text[0].contains(what.replace("OTHER", "" + (1 - rank.me)))
                    || text[0].contains("see the error of that rank"), what + ": " + text[0]);
            expect(MismatchException.class, what + ", afterwards", () -> rank.fmpl.barrier(comm));
        } else if (!caller.isAlive()) {
            closeWhatMayDisagree(comm);
        }
    }

    /** Its call was complete before the other one made another: the end may tell. */
    private static void closeWhatMayDisagree(io.hayate.Communicator comm) {
        try {
            comm.close();
        } catch (MismatchException expected) {
            check(expected.reason().contains("it in ")
                    || expected.reason().contains("has made other collectives"), expected.reason());
        }
    }

    /** The one that does not see it may wait for ever. */
    private static boolean join(Thread caller) {
        try {
            caller.join(1000);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        return !caller.isAlive();
    }
}
