// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.ArgumentException;
import io.hayate.BusyException;
import io.hayate.ClosedException;
import io.hayate.CollOptions;
import io.hayate.Communicator;
import io.hayate.Element;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.MemoryExhaustedException;
import io.hayate.MismatchException;
import io.hayate.PeerFailedException;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reduction;
import io.hayate.Span;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Persistent collectives that do not match, or are used incorrectly. */
final class PersistentBadInputScenarios {
    private static PersistentColl world(Rank rank) {
        return PersistentColl.on(rank.fmpl.world());
    }

    /** The next preparation, and the next ordinary collective, work as if nothing had been. */
    private static void stillWorks(Rank rank) {
        long[] one = {1};
        try (PersistentOperation made = world(rank).allreduce(Span.of(one), Reduction.LONG_SUM)) {
            made.start();
            made.await();
        }
        equal(rank.size, one[0], "sum");
        rank.fmpl.allreduce(Span.of(one), Reduction.LONG_SUM);
        equal((long) rank.size * rank.size, one[0], "sum of sums");
    }

    // ---- members that mean different things ----

    /** The last rank differs: it names the first one, and all others name it. */
    private static void mismatch(Rank rank, String argument,
            Function<PersistentColl, PersistentOperation> most,
            Function<PersistentColl, PersistentOperation> last) {
        boolean odd = rank.me == rank.size - 1;
        MismatchException thrown = expect(MismatchException.class, argument, () ->
                (odd ? last : most).apply(world(rank)));
        check(thrown.reason().contains(argument), argument + ": " + thrown.reason());
        int named = thrown.peer();
        check(odd ? named >= 0 && named < rank.size - 1 : named == rank.size - 1,
                argument + ": names " + named + ", " + thrown.reason());
        check(thrown.reason().contains("rank " + named), thrown.reason());
    }

    @Scenario(ranks = 2)
    static void should_name_the_member_and_the_argument_that_differ(Rank rank) {
        Span span = Span.of(new double[8 * rank.size]);
        Span part = Span.of(new double[8]);
        mismatch(rank, "root", on -> on.bcast(span, 0), on -> on.bcast(span, 1));
        mismatch(rank, "size", on -> on.bcast(span, 0), on -> on.bcast(part, 0));
        mismatch(rank, "size", on -> on.allgather(part, span),
                on -> on.allgather(part.slice(0, 56), span));
        mismatch(rank, "reduction", on -> on.allreduce(span, Reduction.DOUBLE_SUM),
                on -> on.allreduce(span, Reduction.DOUBLE_ABS_MAX));
        mismatch(rank, "reduction", on -> on.reduce(span, Reduction.DOUBLE_SUM, 0),
                on -> on.reduce(span.as(Element.FLOAT), Reduction.FLOAT_SUM, 0));
        mismatch(rank, "prepares ", PersistentColl::barrier, on -> on.bcast(span, 0));
        mismatch(rank, "alltoall", on -> on.alltoall(span, Span.of(new double[8 * rank.size])),
                on -> on.allgather(part, span));
        mismatch(rank, "options", PersistentColl::barrier,
                on -> on.barrier(CollOptions.parse("algorithm=dissemination")));
        mismatch(rank, "options", on -> on.bcast(span, 0, CollOptions.parse("transfer=put")),
                on -> on.bcast(span, 0, CollOptions.parse("transfer=get")));
        stillWorks(rank);
    }

    @Scenario(ranks = 2)
    static void should_name_the_member_whose_blocks_differ(Rank rank) {
        int size = rank.size;
        Span all = Span.of(new byte[64 * size]);
        Span own = Span.of(new byte[64]);
        long[] sizes = new long[size];
        Arrays.fill(sizes, 8);
        long[] other = sizes.clone();
        other[0] = 16;
        String longer = "rank 0 sends 8 bytes to this rank, which expects 16 bytes";
        mismatch(rank, rank.me == size - 1 ? longer : "sizes or offsets of blocks",
                on -> on.allgatherv(own, all, sizes, null),
                on -> on.allgatherv(own, all, other, null));
        mismatch(rank, "blocks of unequal length", on -> on.allgatherv(own, all, sizes, null),
                on -> on.allgather(own.slice(0, 8), all));
        String more = "sends 64 bytes to this rank, which expects 32 bytes";
        mismatch(rank, rank.me == 0 ? more : "sizes or offsets of blocks",
                on -> on.reduceScatterv(all, own, sizes, Reduction.INT_SUM),
                on -> on.reduceScatterv(all, own, other, Reduction.INT_SUM));
    }

    /** Only two know what they send each other; all learn that it does not fit. */
    @Scenario(ranks = 2)
    static void should_refuse_blocks_that_are_not_as_long_as_expected(Rank rank) {
        int size = rank.size;
        Span in = Span.of(new byte[16 * size]);
        Span out = Span.of(new byte[16 * size]);
        long[] sizes = new long[size];
        Arrays.fill(sizes, 8);
        long[] more = sizes.clone();
        more[0] = 16;
        boolean odd = rank.me == size - 1;
        expect(MismatchException.class, "alltoallv", () -> world(rank).alltoallv(
                in, odd ? more : sizes, null, out, sizes, null));
        expect(MismatchException.class, "gatherv", () -> world(rank).gatherv(
                in.slice(0, odd ? 16 : 8), out, rank.me == 0 ? sizes : null, null, 0));
        expect(MismatchException.class, "scatterv", () -> world(rank).scatterv(
                in, rank.me == 0 ? sizes : null, null, out.slice(0, odd ? 16 : 8), 0));
        stillWorks(rank);
    }

    @Scenario
    static void should_allow_each_member_its_own_progress(Rank rank) {
        CollOptions.Progress own = CollOptions.Progress.values()[rank.me % 4];
        double[] value = {rank.me};
        try (PersistentOperation made = world(rank).allreduce(
                Span.of(value), Reduction.DOUBLE_ABS_MAX, CollOptions.AUTO.progress(own))) {
            made.start();
            made.await();
        }
        check(value[0] == rank.size - 1, "largest: " + value[0]);
    }

    // ---- one member ----

    /** The others wait meanwhile. */
    @Scenario
    static void should_let_a_member_call_again_after_wrong_arguments(Rank rank) {
        PersistentColl on = world(rank);
        Span span = Span.of(new double[8]);
        if (rank.me == 0) {
            expect(ArgumentException.class, "root", () -> on.bcast(span, rank.size));
            expect(ArgumentException.class, "no span", () -> on.bcast(null, 0));
            expect(ArgumentException.class, "small", () ->
                    on.allgather(span, Span.of(new double[8 * rank.size - 1])));
        }
        try (PersistentOperation made = on.bcast(span, 0)) {
            made.start();
            made.await();
        }
        stillWorks(rank);
    }

    @Scenario(ranks = 2)
    static void should_refuse_memory_that_is_too_small_or_overlaps(Rank rank) {
        PersistentColl on = world(rank);
        int size = rank.size;
        Span own = Span.of(new double[8]);
        Span all = Span.of(new double[8 * size]);
        HeapSpan heap = rank.job.allocate(128L * size);
        Map<String, Rank.Action> calls = new LinkedHashMap<>();
        calls.put("allgather", () -> on.allgather(own, all.slice(0, 64L * size - 1)));
        calls.put("alltoall", () -> on.alltoall(all, all.slice(0, 64)));
        calls.put("alltoall of 63", () -> on.alltoall(all.slice(0, 64L * size - 1), all));
        calls.put("reduceScatter", () -> on.reduceScatter(own, own, Reduction.DOUBLE_SUM));
        calls.put("itself", () -> on.alltoall(heap, heap));
        calls.put("overlap", () -> on.alltoall(
                heap.slice(0, 64L * size), heap.slice(64L * size - 1, 64L * size)));
        calls.put("own block elsewhere", () -> on.allgather(
                heap.slice((rank.me + 1) % size * 64L, 64), heap));
        calls.put("blocks", () -> on.allgatherv(own, all, new long[size + 1], null));
        calls.put("blocks that overlap", () -> on.allgatherv(
                own, all, filled(size, 8), filled(size, 8)));
        if (rank.me == 0) {
            calls.put("gather", () -> on.gather(own, own, 0));
            calls.put("gather to null", () -> on.gather(own, null, 0));
            calls.put("scatter from null", () -> on.scatter(null, own, 0));
        }
        calls.forEach((what, call) -> expect(ArgumentException.class, what, call));
        check(expect(ArgumentException.class, "allgather", calls.get("allgather")).reason()
                .contains(Integer.toString(64 * size)), "does not say how much was expected");
        heap.close();
        stillWorks(rank);
    }

    private static long[] filled(int size, long value) {
        long[] numbers = new long[size];
        Arrays.fill(numbers, value);
        return numbers;
    }

    @Scenario(ranks = 2)
    static void should_tell_all_members_that_one_has_no_memory(Rank rank) {
        Span array = Span.of(new byte[8 << 20]); // needs a stand-in of its length in the heap
        Span out = Span.of(new byte[rank.size * (8 << 20)]);
        rank.fmpl.barrier();
        List<HeapSpan> most = rank.me == 0 ? allocateAllBut(rank.job, 3 << 20) : List.of();
        MemoryExhaustedException thrown = expect(MemoryExhaustedException.class, "allgather",
                () -> world(rank).allgather(array, out));
        check(rank.me == 0 || thrown.peer() == 0, "names " + thrown.peer());
        most.forEach(HeapSpan::close);
        stillWorks(rank);
    }

    /** What is free need not be in one piece: of others it leaves less than 1 MiB each. */
    private static List<HeapSpan> allocateAllBut(Hayate job, long bytes) {
        List<HeapSpan> taken = new ArrayList<>();
        HeapSpan left = job.allocate(bytes);
        for (long size = job.heapFree(); size >= 1 << 20;) {
            try {
                taken.add(job.allocate(size));
                size = job.heapFree();
            } catch (MemoryExhaustedException e) {
                size -= size / 16;
            }
        }
        left.close();
        return taken;
    }

    // ---- algorithms ----

    @Scenario
    static void should_refuse_algorithms_that_there_are_not_or_that_do_not_fit(Rank rank) {
        PersistentColl on = world(rank);
        Span in = Span.of(new int[8 * rank.size]);
        Span out = Span.of(new int[8]);
        ArgumentException unknown = expect(ArgumentException.class, "unknown", () ->
                on.bcast(out, 0, CollOptions.AUTO.algorithm("telegraph")));
        check(unknown.reason().contains("telegraph") && unknown.reason().contains("binomial"),
                unknown.reason());
        expect(ArgumentException.class, "of another collective", () ->
                on.barrier(CollOptions.AUTO.algorithm("rabenseifner")));
        CollOptions halving = CollOptions.AUTO.algorithm("halving");
        if (Integer.bitCount(rank.size) == 1) {
            on.reduceScatter(in, out, Reduction.INT_SUM, halving).close();
        } else {
            ArgumentException unfit = expect(ArgumentException.class, "halving", () ->
                    on.reduceScatter(in, out, Reduction.INT_SUM, halving));
            check(unfit.reason().contains("power of two")
                    && unfit.reason().contains(rank.size + " ranks"), unfit.reason());
        }
        stillWorks(rank);
    }

    @Scenario
    static void should_go_on_with_a_damaged_rules_file(Rank rank) throws Exception {
        Path file = Files.createTempFile("rules", ".conf");
        Files.writeString(file, "allreduce = algorithm=");
        System.setProperty("hayate.coll.rules", file.toString());
        try {
            stillWorks(rank);
        } finally {
            System.clearProperty("hayate.coll.rules");
            Files.delete(file);
        }
    }

    // ---- the life of an operation ----

    @Scenario
    static void should_refuse_a_second_start_and_an_early_close(Rank rank) {
        PersistentOperation made =
                world(rank).allreduce(Span.of(new long[100]), Reduction.LONG_SUM);
        for (int run = 0; run < 3; run++) {
            made.start();
            expect(BusyException.class, "start", made::start);
            expect(BusyException.class, "close", made::close);
            made.await();
        }
        made.close();
        made.close();
        stillWorks(rank);
    }

    @Scenario
    static void should_refuse_a_communicator_that_is_closed_or_in_use(Rank rank) {
        Communicator comm = rank.fmpl.create(true);
        PersistentColl on = PersistentColl.on(comm);
        PersistentOperation made = on.barrier();
        expect(BusyException.class, "close", comm::close);
        made.start();
        made.await();
        made.close();
        rank.fmpl.barrier();
        comm.close();
        expect(ClosedException.class, "barrier", on::barrier);
        expect(ClosedException.class, "start", made::start);
        stillWorks(rank);
    }

    @Scenario
    static void should_end_with_the_fmpl(Rank rank) {
        Fmpl other = Fmpl.init(rank.job, 1);
        PersistentColl on = PersistentColl.on(other.world());
        HeapSpan heap = rank.job.allocate(64);
        PersistentOperation idle = on.bcast(heap, 0);
        PersistentOperation done = on.barrier();
        done.start();
        done.await();
        rank.fmpl.barrier();
        other.close();
        expect(ClosedException.class, "start", idle::start);
        expect(ClosedException.class, "await", done::await);
        expect(ClosedException.class, "prepare", on::barrier);
        heap.close();
        idle.close();
        done.close();
        stillWorks(rank);
    }

    /** A thread that waits comes out when another closes. */
    @Scenario(ranks = 2)
    static void should_end_a_wait_when_the_fmpl_is_closed(Rank rank) throws Exception {
        Fmpl other = Fmpl.init(rank.job, 1);
        PersistentOperation made = PersistentColl.on(other.world()).barrier();
        rank.fmpl.barrier();
        if (rank.me == 0) {
            Throwable[] thrown = new Throwable[1];
            Thread waiter = new Thread(() -> {
                try {
                    made.start();
                    made.await();
                } catch (RuntimeException e) {
                    thrown[0] = e;
                }
            });
            waiter.start();
            while (waiter.isAlive() && waiter.getState() != Thread.State.RUNNABLE) {
                Thread.onSpinWait();
            }
            other.close();
            waiter.join();
            check(thrown[0] instanceof ClosedException, "thrown: " + thrown[0]);
        }
        rank.fmpl.barrier();
        other.close();
        made.close();
    }

    /** A member that will never start: the others learn that it has closed. */
    @Scenario(ranks = 2)
    static void should_not_wait_for_a_member_that_has_closed_its_side(Rank rank) {
        PersistentOperation made = world(rank).barrier();
        int last = rank.size - 1;
        if (rank.me == last) {
            made.close();
        } else {
            made.start();
            PeerFailedException thrown = expect(PeerFailedException.class, "await", made::await);
            check(rank.size > 2 || thrown.peer() == last, "names " + thrown.peer());
            expect(PeerFailedException.class, "start", made::start);
            made.close();
        }
        stillWorks(rank);
    }

    @Scenario
    static void should_keep_memory_and_reductions_in_use(Rank rank) {
        HeapSpan heap = rank.job.allocate(64);
        Reduction own = Reduction.of(rank.fmpl, 8, (inout, in, count) -> { });
        PersistentOperation made = world(rank).allreduce(heap.slice(8, 16), own);
        expect(BusyException.class, "heap", heap::close);
        expect(BusyException.class, "reduction", own::close);
        made.close();
        heap.close();
        own.close();
        expect(ClosedException.class, "start", made::start);
        expect(ClosedException.class, "memory given back", () -> world(rank).bcast(heap, 0));
        expect(ClosedException.class, "reduction", () -> world(rank).allreduce(
                Span.of(new double[2]), own));
        stillWorks(rank);
    }
}
