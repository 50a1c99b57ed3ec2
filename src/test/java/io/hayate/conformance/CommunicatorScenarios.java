// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.ArgumentException;
import io.hayate.BusyException;
import io.hayate.ClosedException;
import io.hayate.Communicator;
import io.hayate.MemoryExhaustedException;
import io.hayate.Reduction;
import io.hayate.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Communicators of some of the ranks. */
final class CommunicatorScenarios {
    private CommunicatorScenarios() {
    }

    @Scenario
    static void shouldRunCollectivesOnEverySubset(Rank rank) {
        for (int subset = 0; subset < 1 << rank.size; subset++) {
            boolean member = (subset >> rank.me & 1) != 0;
            try (Communicator comm = rank.fmpl.create(member)) {
                check(comm.isMember() == member, "member of " + subset);
                if (member) {
                    collectives(rank, comm, subset);
                } else {
                    equal(0, comm.size(), "size without membership");
                    expect(ArgumentException.class, "not a member",
                            () -> rank.fmpl.barrier(comm));
                }
            }
        }
    }

    private static void collectives(Rank rank, Communicator comm, int subset) {
        equal(Integer.bitCount(subset), comm.size(), "size of " + subset);
        equal(Integer.bitCount(subset & (1 << rank.me) - 1), comm.rank(), "rank in " + subset);
        int[] bits = {1 << rank.me, 0};
        rank.fmpl.allreduce(Span.of(bits), Reduction.ISUM, comm);
        equal(subset, bits[0], "sum over " + subset);
        int root = comm.size() - 1;
        double[] values = new double[3000];
        values[2999] = rank.me + 1;
        rank.fmpl.bcast(Span.of(values), root, comm);
        equal(32 - Integer.numberOfLeadingZeros(subset), (long) values[2999], "from the last");
        int[] count = {1};
        rank.fmpl.reduce(Span.of(count), Reduction.ISUM, root, comm);
        equal(comm.rank() == root ? comm.size() : 1, count[0], "count at " + root);
        rank.fmpl.barrier(comm);
    }

    @Scenario(ranks = 2)
    static void shouldKeepCollectivesOfCommunicatorsApart(Rank rank) throws Exception {
        Communicator one = rank.fmpl.create(true);
        Communicator two = rank.fmpl.create(true);
        AtomicInteger wrong = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (Communicator comm : List.of(rank.fmpl.world(), one, two)) {
            threads.add(new Thread(() -> {
                for (int i = 1; i <= 300; i++) {
                    long[] value = new long[i % 3 == 0 ? 3000 : 1];
                    value[0] = i;
                    rank.fmpl.allreduce(Span.of(value), Reduction.LSUM, comm);
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
    static void shouldRefuseASecondCollectiveAtTheSameTime(Rank rank) throws Exception {
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
    static void shouldRefuseTooManyAndClosedCommunicators(Rank rank) {
        List<Communicator> made = new ArrayList<>();
        for (int i = 0; i < 63; i++) {
            made.add(rank.fmpl.create(true));
        }
        expect(MemoryExhaustedException.class, "number 65", () -> rank.fmpl.create(true));
        made.forEach(Communicator::close);
        Communicator closed = made.get(5);
        closed.close();
        expect(ClosedException.class, "closed", () -> rank.fmpl.barrier(closed));
        try (Communicator again = rank.fmpl.create(true)) {
            rank.fmpl.barrier(again);
        }
        rank.fmpl.world().close();
        rank.fmpl.barrier();
    }

    @Scenario
    static void shouldMakeAndCloseCommunicatorsForEver(Rank rank) {
        long[] one = new long[2000];
        for (int i = 0; i < 300; i++) {
            try (Communicator comm = rank.fmpl.create(true)) {
                one[0] = 1;
                rank.fmpl.allreduce(Span.of(one), Reduction.LSUM, comm);
                equal(rank.size, one[0], "sum");
            }
        }
    }
}
