// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.ArgumentException;
import io.hayate.BusyException;
import io.hayate.ClosedException;
import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.MismatchException;
import io.hayate.Reduction;
import io.hayate.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Communicators of some of the ranks. */
final class CommunicatorScenarios {
    @Scenario
    static void should_run_collectives_on_every_subset(Rank rank) {
        for (int subset = 0; subset < 1 << rank.size; subset++) {
            boolean member = (subset >> rank.me & 1) != 0;
            try (Communicator comm = rank.fmpl.create(member)) {
                check(comm.isMember() == member, "member of " + subset);
                if (member) {
                    collectives(rank, comm, subset);
                } else {
                    equal(0, comm.size(), "size without membership");
                    equal(-1, comm.rank(), "rank without membership");
                    expect(ArgumentException.class, "not a member", () -> rank.fmpl.barrier(comm));
                }
            }
        }
    }

    private static void collectives(Rank rank, Communicator comm, int subset) {
        equal(Integer.bitCount(subset), comm.size(), "size of " + subset);
        equal(Integer.bitCount(subset & (1 << rank.me) - 1), comm.rank(), "rank in " + subset);
        int[] bits = {1 << rank.me, 0};
        rank.fmpl.allreduce(Span.of(bits), Reduction.INT_SUM, comm);
        equal(subset, bits[0], "sum over " + subset);
        int root = comm.size() - 1;
        double[] values = new double[3000];
        values[2999] = rank.me + 1;
        rank.fmpl.bcast(Span.of(values), root, comm);
        equal(32 - Integer.numberOfLeadingZeros(subset), (long) values[2999], "from the last");
        int[] count = {1};
        rank.fmpl.reduce(Span.of(count), Reduction.INT_SUM, root, comm);
        equal(comm.rank() == root ? comm.size() : 1, count[0], "count at " + root);
        rank.fmpl.barrier(comm);
    }

    @Scenario
    static void should_split_by_color_and_key(Rank rank) {
        Communicator world = rank.fmpl.world();
        for (int round = 0; round < 3; round++) {
            int color = rank.me % 2;
            try (Communicator half = world.split(color, -rank.me)) {
                int size = (rank.size + 1 - color) / 2;
                equal(size, half.size(), "half of the ranks");
                equal(size - 1 - rank.me / 2, half.rank(), "ordered by key");
                int[] bits = {1 << rank.me};
                rank.fmpl.allreduce(Span.of(bits), Reduction.INT_SUM, half);
                int expected = 0;
                for (int other = color; other < rank.size; other += 2) {
                    expected |= 1 << other;
                }
                equal(expected, bits[0], "ranks of the color");
                double[] values = new double[5000];
                values[4999] = rank.me;
                rank.fmpl.bcast(Span.of(values), 0, half);
                equal(color + 2L * (size - 1), (long) values[4999], "from the highest rank");
                if (color == 0) { // the other half takes no part
                    splitAgain(rank, half);
                }
            }
        }
        try (Communicator none = world.split(-1, 0)) {
            check(!none.isMember(), "nobody joins");
            Communicator all = world.split(Integer.MAX_VALUE, Integer.MIN_VALUE);
            equal(rank.size, all.size(), "all join");
            check(!all.split(Integer.MIN_VALUE, 0).isMember(), "nobody joins by any number");
            all.close();
            expect(ArgumentException.class, "not a member", () -> none.split(0, 0));
        }
    }

    private static void splitAgain(Rank rank, Communicator half) {
        boolean joins = half.rank() > 0;
        try (Communicator part = half.split(joins ? 7 : -7, 1)) {
            equal(joins ? half.size() - 1 : 0, part.size(), "all but the first");
            if (joins) {
                equal(half.rank() - 1, part.rank(), "in the order of the parent");
                long[] count = {1};
                rank.fmpl.allreduce(Span.of(count), Reduction.LONG_SUM, part);
                equal(part.size(), count[0], "count");
            }
        }
    }

    /** Of more than two, some hear from nobody who makes another call. */
    @Scenario(ranks = 2)
    static void should_tell_all_who_does_not_split(Rank rank) {
        try (Communicator comm = rank.fmpl.create(true)) {
            expect(MismatchException.class, "collective", () -> {
                if (rank.me == 0) {
                    comm.split(0, 0);
                } else {
                    rank.fmpl.barrier(comm);
                }
            });
        }
    }

    /** All of them wait. */
    @Scenario(ranks = 2)
    static void should_tell_all_that_their_roots_differ(Rank rank) {
        try (Communicator comm = rank.fmpl.create(true)) {
            expect(MismatchException.class, "collective", () -> rank.fmpl.bcast(
                    Span.of(new long[3]), (rank.me + 1) % rank.size, comm));
        }
    }

    @Scenario(ranks = 2)
    static void should_keep_collectives_of_communicators_apart(Rank rank) throws Exception {
        Communicator one = rank.fmpl.create(true);
        Communicator two = rank.fmpl.create(true);
        AtomicInteger wrong = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (Communicator comm : List.of(rank.fmpl.world(), one, two)) {
            threads.add(new Thread(() -> {
                for (int i = 1; i <= 300; i++) {
                    long[] value = new long[i % 3 == 0 ? 3000 : 1];
                    value[0] = i;
                    rank.fmpl.allreduce(Span.of(value), Reduction.LONG_SUM, comm);
                    if (value[0] != (long) i * rank.size) {
                        wrong.incrementAndGet();
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        equal(0, wrong.get(), "wrong sums");
    }

    @Scenario(ranks = 2)
    static void should_refuse_a_second_collective_at_the_same_time(Rank rank) throws Exception {
        if (rank.me == 0) {
            AtomicInteger refused = new AtomicInteger();
            Thread[] threads = new Thread[2];
            for (int i = 0; i < 2; i++) {
                threads[i] = new Thread(() -> {
                    try {
                        rank.fmpl.barrier();
                    } catch (BusyException expected) {
                        refused.incrementAndGet();
                        for (int other = 1; other < rank.size; other++) {
                            rank.tell(other);
                        }
                    }
                });
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            equal(1, refused.get(), "refused");
        } else {
            rank.listen(0);
            rank.fmpl.barrier();
        }
    }

    @Scenario
    static void should_have_many_communicators_and_refuse_closed_ones(Rank rank) {
        List<Communicator> made = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            made.add(i % 2 == 0 ? rank.fmpl.create(true) : made.get(i - 1).split(0, -rank.me));
        }
        made.forEach(rank.fmpl::barrier);
        made.forEach(Communicator::close);
        Communicator closed = made.get(5);
        expect(ClosedException.class, "split of a closed one", () -> closed.split(0, 0));
        closed.close();
        expect(ClosedException.class, "closed", () -> rank.fmpl.barrier(closed));
        try (Communicator again = rank.fmpl.create(true)) {
            rank.fmpl.barrier(again);
        }
        rank.fmpl.world().close();
        rank.fmpl.barrier();
    }

    @Scenario
    static void should_make_and_close_communicators_for_ever(Rank rank) {
        long[] one = new long[2000];
        for (int i = 0; i < 300; i++) {
            try (Communicator comm = rank.fmpl.create(true)) {
                one[0] = 1;
                rank.fmpl.allreduce(Span.of(one), Reduction.LONG_SUM, comm);
                equal(rank.size, one[0], "sum");
            }
        }
    }

    /** Members are numbered backwards in the communicator of each color. */
    @Scenario(ranks = 2)
    static void should_exchange_messages_by_ranks_of_a_communicator(Rank rank) {
        Communicator half = rank.fmpl.world().split(rank.me % 2, -rank.me);
        for (int member = 0; member < half.size(); member++) {
            equal(member, half.rankOf(half.jobRank(member)), "there and back");
            equal(rank.me % 2, half.jobRank(member) % 2, "color of a member");
        }
        equal(rank.me, half.jobRank(half.rank()), "this rank");
        equal(-1, half.rankOf(rank.me % 2 == 0 ? 1 : 0), "a rank of the other color");
        int right = half.rank() + 1 == half.size() ? Fmpl.NO_RANK : half.rank() + 1;
        int left = half.rank() == 0 ? Fmpl.NO_RANK : half.rank() - 1;
        for (int size : new int[] {8, 100_000}) {
            Memory out = BufferKind.HEAP.of(rank, size).fill(rank.me);
            Memory in = BufferKind.DIRECT.of(rank, size).clear();
            long got = half.sendrecv(out.span(), right, 0, in.span(), left, 0);
            equal(half.rank() == 0 ? 0 : size, got, "length");
            in.verify(half.rank() == 0 ? 0 : half.jobRank(left), (int) got);
        }
        half.close();
    }
}
