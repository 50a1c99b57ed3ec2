// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.ArgumentException;
import io.hayate.CallbackException;
import io.hayate.CollOptions;
import io.hayate.Communicator;
import io.hayate.HeapSpan;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reducer;
import io.hayate.Reduction;
import io.hayate.Span;
import io.hayate.conformance.PersistentCase.Collective;
import io.hayate.conformance.PersistentCase.Layout;
import io.hayate.conformance.PersistentCase.Plan;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;

/** All persistent collectives, on all kinds of memory, with all transfer methods, repeatedly. */
final class PersistentScenarios {
    private static final int RUNS = 50;
    private static final int FEW = 5;

    private static Plan plan(Collective collective, int bytes, Layout layout, int root,
            BufferKind in, BufferKind out, String options) {
        return new Plan(collective, bytes, layout, root, in, out, CollOptions.parse(options));
    }

    private static BufferKind kind(int number) {
        return BufferKind.values()[number % BufferKind.values().length];
    }

    @Scenario
    static void should_run_every_collective_on_every_memory(Rank rank) {
        int number = 0;
        for (Collective collective : Collective.values()) {
            for (BufferKind in : BufferKind.values()) {
                for (int bytes : new int[] {4, 200, 4096, 20_000}) {
                    Plan plan = plan(collective, bytes, Layout.EVEN, number++ % rank.size, in,
                            kind(in.ordinal() + number % 3), "");
                    PersistentCase.runOneOfMany(rank, plan, bytes == 200 ? RUNS : FEW);
                }
            }
        }
    }

    /** Bytes that are no whole words, and nothing at all. */
    @Scenario
    static void should_run_with_any_number_of_bytes(Rank rank) {
        for (Collective collective : Collective.values()) {
            int[] sizes = collective.reduces() ? new int[] {0, 12, 1028, 65_540}
                    : new int[] {0, 1, 7, 57, 1023, 65_537};
            for (int bytes : sizes) {
                Plan plan = plan(collective, bytes, Layout.EVEN, bytes % rank.size,
                        kind(bytes + rank.me), kind(bytes + 3 * rank.me + 1), "");
                PersistentCase.runOneOfMany(rank, plan, FEW);
            }
        }
    }

    @Scenario
    static void should_run_long_collectives(Rank rank) {
        for (Collective collective : Collective.values()) {
            for (BufferKind kind : new BufferKind[] {
                BufferKind.HEAP, BufferKind.DIRECT, BufferKind.INTS}) {
                int bytes = collective.hasBlocks() && rank.size > 2 ? 1 << 17 : 1 << 20;
                Plan plan = plan(collective, bytes, Layout.EVEN, rank.size - 1, kind, kind, "");
                PersistentCase.runOneOfMany(rank, plan, 2);
            }
        }
    }

    // ---- options ----

    private static final String[] WAYS = {"transfer=put", "transfer=get", "buffers=straight",
        "buffers=prepared", "sync=counters", "sync=barrier", "transfer=get buffers=prepared",
        "transfer=put buffers=prepared", "transfer=put buffers=straight",
        "transfer=get buffers=straight", "transfer=put sync=barrier", "transfer=get sync=barrier",
        "segment=1K", "segment=none", "arity=3", "progress=caller", "progress=calls",
        "progress=thread"};

    /** What no algorithm can do has to be refused on all ranks alike. */
    private static boolean runIfPossible(Rank rank, Plan plan, int runs) {
        try (PersistentCase made = new PersistentCase(rank, rank.fmpl.world(), plan)) {
            made.run(runs);
            return true;
        } catch (ArgumentException impossible) {
            String reason = impossible.reason();
            check(reason.contains("support") || reason.contains("requested")
                    || reason.contains("cannot"),
                    plan + ": " + reason);
            return false;
        }
    }

    @Scenario
    static void should_run_every_collective_in_every_way(Rank rank) {
        int taken = 0;
        int possible = 0;
        for (Collective collective : Collective.values()) {
            for (int i = 0; i < WAYS.length; i++) {
                for (int bytes : new int[] {4, i % 2 == 0 ? 3000 : 40_000}) {
                    Plan plan = plan(collective, bytes, Layout.EVEN, i % rank.size,
                            kind(i), kind(3 * i + 1), WAYS[i]);
                    if (rank.takesNextCase()) {
                        taken++;
                        possible += runIfPossible(rank, plan, bytes == 4 ? RUNS : FEW) ? 1 : 0;
                    }
                }
            }
        }
        check(possible > taken / 2, "only " + possible + " of " + taken + " were possible");
    }

    /** The refusal of one that there is not lists those that there are. */
    private static List<String> algorithms(Rank rank, Collective collective) {
        ArgumentException refused = expect(ArgumentException.class, "an unknown algorithm", () ->
                new PersistentCase(rank, rank.fmpl.world(), plan(collective, 64, Layout.EVEN, 0,
                        BufferKind.HEAP, BufferKind.HEAP, "algorithm=unheard_of")));
        String reason = refused.reason();
        return List.of(reason.substring(reason.indexOf("one of ") + 7).split(", "));
    }

    @Scenario
    static void should_run_every_algorithm(Rank rank) {
        for (Collective collective : Collective.values()) {
            List<String> names = algorithms(rank, collective);
            check(names.size() > 1, collective + " has only " + names);
            for (String name : names) {
                for (String transfer : new String[] {"", " transfer=put", " transfer=get"}) {
                    for (int bytes : new int[] {8, 500, 30_000}) {
                        Plan plan = plan(collective, bytes, Layout.EVEN, bytes % rank.size,
                                BufferKind.HEAP, BufferKind.DIRECT,
                                "algorithm=" + name + transfer);
                        if (rank.takesNextCase()) {
                            runIfPossible(rank, plan, bytes == 8 ? RUNS : FEW);
                        }
                    }
                }
            }
        }
    }

    @Scenario
    static void should_say_what_was_chosen(Rank rank) {
        try (PersistentOperation made = PersistentColl.on(rank.fmpl.world()).barrier(
                CollOptions.parse("algorithm=dissemination progress=thread"))) {
            check(made.describe().contains("dissemination"), made.describe());
            check(made.describe().contains("progress thread"), made.describe());
        }
    }

    // ---- blocks ----

    @Scenario
    static void should_run_with_blocks_of_different_lengths(Rank rank) {
        for (Collective collective : Collective.values()) {
            if (!collective.hasBlocks()) {
                continue;
            }
            for (Layout layout : new Layout[] {Layout.UNEVEN, Layout.SCATTERED}) {
                for (BufferKind kind : BufferKind.values()) {
                    for (int bytes : new int[] {16, 2000, 50_000}) {
                        Plan plan = plan(collective, bytes, layout, kind.ordinal() % rank.size,
                                kind, kind(kind.ordinal() + 3), "");
                        PersistentCase.runOneOfMany(rank, plan, FEW);
                    }
                }
            }
        }
    }

    @Scenario
    static void should_leave_the_own_block_in_its_place(Rank rank) {
        int bytes = 1000;
        for (BufferKind kind : new BufferKind[] {BufferKind.HEAP, BufferKind.DIRECT,
            BufferKind.BYTES}) {
            try (Memory all = kind.of(rank, bytes * rank.size)) {
                PersistentColl on = PersistentColl.on(rank.fmpl.world());
                Span own = all.span().slice((long) bytes * rank.me, bytes);
                for (int run = 0; run < RUNS; run++) {
                    ownBlocks(rank, all, run, bytes);
                    try (PersistentOperation made = on.allgather(own, all.span())) {
                        made.start();
                        made.await();
                    }
                    all.verify(run, bytes * rank.size);
                }
            }
        }
    }

    /** The pattern of the whole at the own block, and nothing elsewhere. */
    private static void ownBlocks(Rank rank, Memory all, int seed, int bytes) {
        ByteBuffer whole = all.fill(seed).get();
        ByteBuffer image = Rank.direct(bytes * rank.size);
        image.put(bytes * rank.me, whole, bytes * rank.me, bytes);
        all.put(image);
    }

    // ---- several at once ----

    @Scenario
    static void should_finish_in_another_order_than_started(Rank rank) {
        String[] options = {"progress=caller", "progress=calls", "progress=thread", "", ""};
        List<PersistentCase> cases = new ArrayList<>();
        for (int i = 0; i < 14; i++) {
            Collective collective = Collective.values()[i % Collective.values().length];
            cases.add(new PersistentCase(rank, rank.fmpl.world(), plan(collective,
                    i % 3 == 0 ? 9000 : 40, Layout.EVEN, i % rank.size, kind(i), kind(i + 1),
                    options[i % options.length])));
        }
        Random random = new Random(rank.me);
        List<PersistentCase> order = new ArrayList<>(cases);
        for (int run = 0; run < RUNS; run++) {
            for (PersistentCase each : cases) {
                each.fill(run);
                each.operation.start();
            }
            Collections.shuffle(order, random);
            for (PersistentCase each : order) {
                each.operation.await();
                each.verify(run);
            }
        }
        cases.forEach(PersistentCase::close);
    }

    @Scenario
    static void should_start_and_await_several_at_once(Rank rank) {
        PersistentColl on = PersistentColl.on(rank.fmpl.world());
        long[] sum = {0};
        long[] largest = {0};
        PersistentOperation[] both = {on.allreduce(Span.of(sum), Reduction.LONG_SUM),
            on.allreduce(Span.of(largest), Reduction.LONG_ABS_MAX)};
        for (int run = 0; run < RUNS; run++) {
            sum[0] = run + rank.me;
            largest[0] = run + rank.me;
            PersistentOperation.startAll(both);
            PersistentOperation.awaitAll(both[1], both[0]);
            equal((long) run * rank.size + rank.size * (rank.size - 1) / 2, sum[0], "sum");
            equal(run + rank.size - 1, largest[0], "largest");
        }
        both[0].close();
        both[1].close();
    }

    /** A rank that does nothing but receive works on what it has started before. */
    @Scenario(ranks = 2)
    static void should_go_on_in_other_calls_that_wait(Rank rank) {
        for (String options : new String[] {"progress=calls", "progress=thread"}) {
            Plan plan = plan(Collective.ALLGATHER, 3000, Layout.EVEN, 0, BufferKind.DIRECT,
                    BufferKind.BYTES, options);
            try (PersistentCase made = new PersistentCase(rank, rank.fmpl.world(), plan)) {
                for (int run = 0; run < RUNS; run++) {
                    made.fill(run);
                    made.operation.start();
                    if (rank.me == 0) { // the others are through before it awaits
                        for (int other = 1; other < rank.size; other++) {
                            rank.listen(other);
                        }
                        made.operation.await();
                    } else {
                        made.operation.await();
                        rank.tell(0);
                    }
                    made.verify(run);
                }
            }
        }
    }

    @Scenario
    static void should_finish_by_tests_alone(Rank rank) {
        Plan plan = plan(Collective.ALLTOALL, 5000, Layout.EVEN, 0, BufferKind.HEAP,
                BufferKind.LONGS, "progress=caller");
        PersistentColl on = PersistentColl.on(rank.fmpl.world());
        try (PersistentCase made = new PersistentCase(rank, rank.fmpl.world(), plan)) {
            for (int run = 0; run < RUNS; run++) {
                made.fill(run);
                made.operation.start();
                while (!made.operation.test()) {
                    on.progress();
                    Thread.yield();
                }
                made.verify(run);
            }
        }
    }

    /** Ranks run ahead of each other as far as the operation lets them. */
    private static void keepManyRunsApart(Rank rank, Collective collective)
            throws InterruptedException {
        Random random = new Random(rank.me);
        Plan plan = plan(collective, 64, Layout.EVEN, 0, BufferKind.HEAP, BufferKind.HEAP, "");
        try (PersistentCase made = new PersistentCase(rank, rank.fmpl.world(), plan)) {
            for (int run = 0; run < 400; run++) {
                if (random.nextInt(100) == 0) {
                    Thread.sleep(1);
                }
                made.fill(run);
                made.operation.start();
                made.operation.await();
                made.verify(run);
            }
        }
    }

    @Scenario
    static void should_keep_many_allreduces_apart(Rank rank) throws InterruptedException {
        keepManyRunsApart(rank, Collective.ALLREDUCE);
    }

    @Scenario
    static void should_keep_many_alltoalls_apart(Rank rank) throws InterruptedException {
        keepManyRunsApart(rank, Collective.ALLTOALL);
    }

    @Scenario
    static void should_keep_many_runs_of_other_collectives_apart(Rank rank)
            throws InterruptedException {
        for (Collective collective : EnumSet.complementOf(
                EnumSet.of(Collective.ALLREDUCE, Collective.ALLTOALL))) {
            keepManyRunsApart(rank, collective);
        }
    }

    @Scenario(ranks = 2)
    static void should_run_on_several_communicators(Rank rank) {
        try (Communicator some = rank.fmpl.create(rank.me % 2 == 0);
                Communicator others = rank.fmpl.create(rank.me % 2 == 1)) {
            Communicator mine = some.isMember() ? some : others;
            for (Collective collective : Collective.values()) {
                Plan plan = plan(collective, 700, Layout.EVEN, 0, BufferKind.HEAP,
                        BufferKind.DOUBLES, "");
                try (PersistentCase part = new PersistentCase(rank, mine, plan);
                        PersistentCase all = new PersistentCase(rank, rank.fmpl.world(), plan)) {
                    for (int run = 0; run < FEW; run++) {
                        part.fill(run);
                        all.fill(run + 1);
                        PersistentOperation.startAll(all.operation, part.operation);
                        rank.fmpl.allreduce(Span.of(new long[1]), Reduction.LONG_SUM, mine);
                        PersistentOperation.awaitAll(part.operation, all.operation);
                        part.verify(run);
                        all.verify(run + 1);
                    }
                }
            }
        }
    }

    /** The last one's, some 100 KB, is there or not: it goes back when all have closed it. */
    @Scenario
    static void should_give_back_the_memory_of_closed_operations(Rank rank) {
        Plan plan = plan(Collective.ALLTOALL, 5000, Layout.EVEN, 0, BufferKind.BYTES,
                BufferKind.DOUBLES, "");
        long free = 0;
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 5; i++) {
                PersistentCase.run(rank, rank.fmpl.world(), plan, 2);
            }
            rank.fmpl.barrier();
            long now = rank.job.heapFree();
            check(round < 2 || now >= free - 200_000, "from " + free + " to " + now);
            free = round == 1 ? now : free;
        }
    }

    // ---- functions of users ----

    private static final Reducer LARGEST = (inout, in, count) -> {
        for (int i = 0; i < count; i++) {
            inout.putLong(8 * i, Math.max(inout.getLong(8 * i), in.getLong(8 * i)));
        }
    };

    @Scenario
    static void should_reduce_by_a_function_of_the_user(Rank rank) {
        PersistentColl on = PersistentColl.on(rank.fmpl.world());
        try (Reduction largest = Reduction.of(rank.fmpl, 8, LARGEST)) {
            for (String options : new String[] {"progress=caller", "", "progress=thread"}) {
                for (int count : new int[] {1, 300, 20_000}) {
                    long[] values = new long[count];
                    try (PersistentOperation made = on.allreduce(
                            Span.of(values), largest, CollOptions.parse(options))) {
                        for (int run = 0; run < 10; run++) {
                            values[count - 1] = (long) run * rank.size + rank.me;
                            made.start();
                            made.await();
                            equal((long) run * rank.size + rank.size - 1, values[count - 1],
                                    "largest");
                        }
                    }
                }
            }
        }
    }

    /** Those that ran it learn what it threw; whoever did not gets none. */
    @Scenario(ranks = 2)
    static void should_go_on_after_a_reducer_threw(Rank rank) {
        Reducer broken = (inout, in, count) -> {
            if (inout.getLong(0) == 0) {
                throw new IllegalStateException("on purpose");
            }
            LARGEST.reduce(inout, in, count);
        };
        PersistentColl on = PersistentColl.on(rank.fmpl.world());
        for (String options : new String[] {"progress=caller", "", "progress=thread"}) {
            long[] values = new long[10];
            int[] threw = new int[1];
            try (Reduction reduction = Reduction.of(rank.fmpl, 8, broken);
                    PersistentOperation made = on.allreduce(
                            Span.of(values), reduction, CollOptions.parse(options))) {
                for (int run = 0; run < 10; run++) {
                    values[0] = run % 2 == 0 ? 0 : rank.me + 1;
                    threw[0] = 0;
                    made.start();
                    rank.fmpl.allreduce(Span.of(new long[1]), Reduction.LONG_SUM);
                    try {
                        made.await();
                    } catch (CallbackException thrown) {
                        check(thrown.getCause() instanceof IllegalStateException, "the cause");
                        threw[0] = 1;
                    }
                    rank.fmpl.allreduce(Span.of(threw), Reduction.INT_SUM);
                    check(threw[0] > 0 == (run % 2 == 0), threw[0] + " ranks in run " + run);
                    check(run % 2 == 0 || values[0] == rank.size, "largest " + values[0]);
                    made.await();
                }
            }
        }
    }

    // ---- virtual threads ----

    /** On one carrier: if a wait held it, the others could not start what it waits for. */
    @Scenario(java = 21)
    static void should_park_virtual_threads(Rank rank) throws Exception {
        List<PersistentCase> cases = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            cases.add(new PersistentCase(rank, rank.fmpl.world(), plan(Collective.ALLGATHER,
                    i % 2 == 0 ? 40 : 90_000, Layout.EVEN, 0, kind(i), kind(i + 1), "")));
        }
        Threads.together(cases.size(), Threads::virtual, i -> {
            PersistentCase each = cases.get(rank.me % 2 == 0 ? i : cases.size() - 1 - i);
            for (int run = 0; run < FEW; run++) {
                each.fill(run);
                each.operation.start();
                each.operation.await();
                each.verify(run);
            }
        });
        cases.forEach(PersistentCase::close);
    }

    /** The heap is a place of its own for each rank: what is exchanged is where, not what. */
    @Scenario
    static void should_run_on_different_places_of_the_heap(Rank rank) {
        HeapSpan shift = rank.job.allocate(1 + 40_000L * rank.me);
        for (Collective collective : Collective.values()) {
            Plan plan = plan(collective, 2000, Layout.EVEN, 0, BufferKind.HEAP, BufferKind.HEAP,
                    "buffers=straight");
            runIfPossible(rank, plan, FEW);
        }
        shift.close();
    }
}
