// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.ArgumentException;
import io.hayate.BusyException;
import io.hayate.CallbackException;
import io.hayate.ClosedException;
import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.HeapSpan;
import io.hayate.MismatchException;
import io.hayate.Reducer;
import io.hayate.Reduction;
import io.hayate.Request;
import io.hayate.Span;
import java.util.Arrays;

/** Non-blocking collectives. That each gives the right result is in {@link BlockScenarios}. */
final class StartedScenarios {
    /** Every member passes its number; the data go through all ways to a result. */
    private static void verifySum(Rank rank, long[] sums) {
        for (long sum : sums) {
            equal((long) rank.size * (rank.size - 1) / 2, sum, "sum");
        }
    }

    private static long[] own(Rank rank, int count) {
        long[] values = new long[count];
        Arrays.fill(values, rank.me);
        return values;
    }

    @Scenario
    static void should_test_until_it_is_complete(Rank rank) {
        for (int count : new int[] {1, 5000, 200_000}) {
            long[] values = own(rank, count);
            Request sum = rank.fmpl.world().iallreduce(Span.of(values), Reduction.LONG_SUM);
            while (!sum.test()) {
                Thread.onSpinWait();
            }
            verifySum(rank, values);
            equal(0L, sum.await(), "a second await");
        }
    }

    /** The last rank starts late, and nobody else tests: messages make the progress. */
    @Scenario(ranks = 2)
    static void should_make_progress_while_others_wait(Rank rank) {
        long[] values = own(rank, 20_000);
        Request sum = rank.fmpl.world().iallreduce(Span.of(values), Reduction.LONG_SUM);
        for (int round = 0; round < 20; round++) {
            long[] token = {round};
            Request sent = rank.fmpl.isend(Span.of(token), rank.right(), 2);
            long[] got = new long[1];
            rank.fmpl.recv(Span.of(got), rank.left(), 2);
            equal(round, got[0], "token");
            sent.await();
        }
        sum.await();
        verifySum(rank, values);
    }

    @Scenario(ranks = 2)
    static void should_wait_together_with_messages(Rank rank) {
        try (Communicator other = rank.fmpl.world().dup()) {
            equal(rank.me, other.rank(), "number in the duplicate");
            long[] values = own(rank, 300);
            byte[] all = new byte[rank.size];
            long[] got = new long[1];
            Request[] requests = {
                rank.fmpl.irecv(Span.of(got), rank.left(), 1),
                rank.fmpl.world().iallreduce(Span.of(values), Reduction.LONG_SUM),
                other.iallgather(Span.of(new byte[] {(byte) rank.me}), Span.of(all)),
                rank.fmpl.isend(Span.of(new long[] {rank.me}), rank.right(), 1)};
            boolean[] seen = new boolean[requests.length];
            for (int i = 0; i < requests.length; i++) {
                int index = rank.fmpl.waitAny(requests);
                check(!seen[index], "request " + index + " was reported twice");
                seen[index] = true;
            }
            equal(-1, rank.fmpl.waitAny(requests), "after all were reported");
            verifySum(rank, values);
            equal(rank.left(), got[0], "message");
            for (int i = 0; i < all.length; i++) {
                equal((byte) i, all[i], "block " + i);
            }
            Request[] barriers = {rank.fmpl.world().ibarrier(), other.ibarrier()};
            rank.fmpl.waitAll(barriers);
        }
    }

    /** Members may mix both forms. */
    @Scenario
    static void should_meet_the_blocking_form(Rank rank) {
        long[] values = own(rank, 1000);
        if (rank.me % 2 == 0) {
            rank.fmpl.world().iallreduce(Span.of(values), Reduction.LONG_SUM).await();
        } else {
            rank.fmpl.allreduce(Span.of(values), Reduction.LONG_SUM);
        }
        verifySum(rank, values);
    }

    /** It is busy until the request is known to be complete, however early that is. */
    @Scenario
    static void should_occupy_the_communicator(Rank rank) {
        Communicator comm = rank.fmpl.world().dup();
        try (HeapSpan data = rank.job.allocate(8)) {
            Request barrier = comm.ibcast(data, 0);
            expect(BusyException.class, "a second one", comm::ibarrier);
            expect(BusyException.class, "a blocking one", comm::barrier);
            expect(BusyException.class, "close", comm::close);
            expect(BusyException.class, "a third one, after the close", comm::ibarrier);
            expect(BusyException.class, "close of its memory", data::close);
            expect(ArgumentException.class, "cancel", barrier::cancel);
            barrier.await();
            equal(0L, barrier.received(), "length");
            comm.barrier();
        }
        comm.close();
        expect(ClosedException.class, "after close", comm::ibarrier);
    }

    @Scenario
    static void should_refuse_bad_arguments_and_stay_usable(Rank rank) {
        Communicator world = rank.fmpl.world();
        Span one = Span.of(new long[1]);
        expect(ArgumentException.class, "root", () -> world.ibcast(one, rank.size));
        expect(ArgumentException.class, "null", () -> world.igather(null, one, 0));
        expect(ArgumentException.class, "no out", () -> world.igather(one, null, rank.me));
        expect(ArgumentException.class, "no reduction", () -> world.iallreduce(one, null));
        world.ibarrier().await();
    }

    /** Another thread may call it, whichever waits. */
    @Scenario(ranks = 2)
    static void should_tell_what_a_reducer_threw(Rank rank) {
        Reducer broken = (inout, in, count) -> {
            throw new IllegalStateException("on purpose");
        };
        try (Reduction reduction = Reduction.of(rank.fmpl, 8, broken)) {
            Request sum = rank.fmpl.world().iscan(Span.of(new long[1]), Span.of(new long[1]),
                    reduction);
            expect(BusyException.class, "close of the reduction", reduction::close);
            if (rank.me == 0) {
                sum.await();
            } else {
                CallbackException thrown =
                        expect(CallbackException.class, "the reducer", sum::await);
                check(thrown.getCause() instanceof IllegalStateException, "" + thrown.getCause());
            }
        }
        rank.fmpl.barrier();
    }

    /** One member never comes. */
    @Scenario(ranks = 2)
    static void should_end_with_the_fmpl(Rank rank) {
        Fmpl fmpl = Fmpl.init(rank.job);
        Request barrier = rank.me == 0 ? null : fmpl.world().ibarrier();
        rank.fmpl.barrier();
        try {
            fmpl.close();
        } catch (MismatchException expected) { // a message of another member has come before
            check(barrier == null, expected.toString());
        }
        if (barrier != null) {
            expect(ClosedException.class, "await", barrier::await);
            expect(ClosedException.class, "await again", barrier::await);
        }
    }
}
