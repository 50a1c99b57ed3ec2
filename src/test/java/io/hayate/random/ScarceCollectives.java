// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import static io.hayate.random.Scarce.again;
import static io.hayate.random.ScarceMessages.equal;

import io.hayate.CallbackException;
import io.hayate.CollOptions;
import io.hayate.Communicator;
import io.hayate.CommunicatorNumber;
import io.hayate.Fmpl;
import io.hayate.HeapSpan;
import io.hayate.PeerFailedException;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reducer;
import io.hayate.Reduction;
import io.hayate.Span;
import io.hayate.random.Scarce.Trial;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Collectives, and persistent ones. Other ranks wait in the call before it is made here. */
final class ScarceCollectives {
    private static final int COUNT = 3000;
    /** Of a rank that was told that another one is short of memory; made while there is some. */
    private static final OutOfMemoryError LEFT = new OutOfMemoryError("of another rank");
    private static final Reducer SUM = (inout, in, count) -> {
        for (int i = 0; i < count; i++) {
            inout.putLong(8 * i, inout.getLong(8 * i) + in.getLong(8 * i));
        }
    };

    static Map<String, Scarce> all() {
        Map<String, Scarce> all = new TreeMap<>();
        all.put("Fmpl.create", ScarceCollectives::create);
        all.put("Communicator.split", ScarceCollectives::split);
        all.put("Fmpl.create together", place -> place.making(
                job -> place.fmpl(job.rank()).create(true)));
        all.put("Communicator.close", ScarceCollectives::closeComm);
        all.put("Reduction.of", ScarceCollectives::reductionOf);
        all.put("Reduction.close", ScarceCollectives::closeReduction);
        all.put("barrier", ScarceCollectives::barrier);
        all.put("bcast of an array", ScarceCollectives::bcast);
        all.put("allreduce", ScarceCollectives::allreduce);
        all.put("allreduce of the heap", ScarceCollectives::allreduceOfHeap);
        all.put("allreduce by a function", ScarceCollectives::allreduceByFunction);
        all.put("prepare", place -> prepare(place, false));
        all.put("prepare with a function", place -> prepare(place, true));
        all.put("prepare together", ScarceCollectives::prepareTogether);
        for (CollOptions.Progress how : CollOptions.Progress.values()) {
            all.put("start, progress " + how, place -> start(place, how, false));
            all.put("start with a function, progress " + how, place -> start(place, how, true));
            all.put("await, progress " + how, place -> await(place, how, false));
            all.put("await with a function, progress " + how, place -> await(place, how, true));
        }
        all.put("PersistentOperation.close", ScarceCollectives::closeOperation);
        return all;
    }

    // ---- communicators and reductions

    private static Trial create(Place place) {
        Fmpl fmpl = Fmpl.init(place.alone(), 2);
        return created(fmpl, () -> fmpl.create(true));
    }

    private static Trial split(Place place) {
        Fmpl fmpl = Fmpl.init(place.alone(), 2);
        return created(fmpl, () -> fmpl.world().split(0, 0));
    }

    /** It has the lowest number that is free: one that is lost keeps its number. */
    private static Trial created(Fmpl fmpl, Supplier<Communicator> call) {
        Communicator[] last = new Communicator[1];
        return again(() -> last[0] = call.get(), () -> {
            if (CommunicatorNumber.of(last[0]) != 1) {
                throw new AssertionError("a communicator is lost");
            }
            fmpl.barrier(last[0]);
            last[0].close();
        });
    }

    private static Trial closeComm(Place place) throws Exception {
        List<Communicator> comms = place.each(job -> place.fmpl(job.rank()).create(true));
        return again(comms.get(0)::close, comms.get(0)::close);
    }

    private static Trial reductionOf(Place place) throws Exception {
        Fmpl fmpl = place.fmpl();
        Reduction[] made = new Reduction[1];
        return again(() -> made[0] = Reduction.of(fmpl, 8, SUM), () -> {
            List<Reduction> all = place.each(job -> job.rank() == 0 ? made[0]
                    : Reduction.of(place.fmpl(job.rank()), 8, SUM));
            sum(place, all);
            made[0].close();
            made[0].close();
        });
    }

    private static void sum(Place place, List<Reduction> reductions) throws Exception {
        place.each(job -> {
            long[] values = values(job.rank());
            place.fmpl(job.rank()).allreduce(Span.of(values), reductions.get(job.rank()));
            check(place, values);
            return null;
        });
    }

    private static Trial closeReduction(Place place) throws Exception {
        List<Reduction> all = place.each(job -> Reduction.of(place.fmpl(job.rank()), 8, SUM));
        return again(all.get(0)::close, all.get(0)::close);
    }

    static long[] values(int rank) {
        long[] values = new long[COUNT];
        for (int i = 0; i < COUNT; i++) {
            values[i] = 1000L * i + rank;
        }
        return values;
    }

    static void check(Place place, long[] sums) {
        int ranks = place.ranks();
        for (int i = 0; i < COUNT; i++) {
            equal(1000L * i * ranks + ranks * (ranks - 1) / 2, sums[i], "sum " + i);
        }
    }

    // ---- collectives

    /** A collective of one rank. */
    private interface Call {
        void run(Fmpl fmpl, int rank);
    }

    private static Trial together(Place place, Call call, Scarce.Step check) throws Exception {
        Fmpl fmpl = place.fmpl();
        for (int rank = 1; rank < place.ranks(); rank++) {
            int other = rank;
            place.waiting(() -> call.run(place.fmpl(other), other));
        }
        return again(() -> call.run(fmpl, 0), () -> {
            place.finishPartners();
            check.run();
            place.each(job -> {
                place.fmpl(job.rank()).barrier();
                return null;
            });
        });
    }

    private static Trial barrier(Place place) throws Exception {
        return together(place, (fmpl, rank) -> fmpl.barrier(), () -> { });
    }

    private static Trial bcast(Place place) throws Exception {
        Span[] memory = new Span[place.ranks()];
        byte[][] bytes = new byte[place.ranks()][10_000];
        bytes[0] = ScarceMessages.pattern(10_000);
        for (int i = 0; i < memory.length; i++) {
            memory[i] = Span.of(bytes[i]);
        }
        return together(place, (fmpl, rank) -> fmpl.bcast(memory[rank], 0), () -> {
            for (byte[] each : bytes) {
                ScarceMessages.same(bytes[0], each);
            }
        });
    }

    private static Trial allreduce(Place place) throws Exception {
        long[][] values = new long[place.ranks()][];
        Span[] memory = new Span[place.ranks()];
        for (int i = 0; i < memory.length; i++) {
            values[i] = values(i);
            memory[i] = Span.of(values[i]);
        }
        return together(place, (fmpl, rank) -> fmpl.allreduce(memory[rank], Reduction.LONG_SUM),
                () -> {
                    for (long[] each : values) {
                        check(place, each);
                    }
                });
    }

    private static Trial allreduceOfHeap(Place place) throws Exception {
        HeapSpan[] memory = heap(place);
        return together(place, (fmpl, rank) -> fmpl.allreduce(memory[rank], Reduction.LONG_SUM),
                () -> checkHeap(place, memory));
    }

    private static HeapSpan[] heap(Place place) {
        HeapSpan[] memory = new HeapSpan[place.ranks()];
        for (int i = 0; i < memory.length; i++) {
            memory[i] = place.job(i).allocate(8L * COUNT);
            memory[i].longs().put(values(i));
        }
        return memory;
    }

    private static void checkHeap(Place place, HeapSpan[] memory) {
        for (HeapSpan each : memory) {
            long[] sums = new long[COUNT];
            each.longs().get(sums);
            check(place, sums);
            each.close();
        }
    }

    /**
     * What the function's own failure leaves is not defined, but the ranks go on. Without memory to
     * say it nobody knows whether the rank has taken part.
     */
    private static Trial allreduceByFunction(Place place) throws Exception {
        List<Reduction> sums = place.each(job -> Reduction.of(place.fmpl(job.rank()), 8, SUM));
        HeapSpan[] memory = heap(place);
        boolean[] left = new boolean[place.ranks()];
        for (int rank = 1; rank < place.ranks(); rank++) {
            int other = rank;
            place.waiting(() -> left[other] = leaves(place, other,
                    () -> place.fmpl(other).allreduce(memory[other], sums.get(other))) != null);
        }
        Fmpl fmpl = place.fmpl();
        Scarce.Step mine = () -> fmpl.allreduce(memory[0], sums.get(0));
        return new Trial(() -> {
            OutOfMemoryError full = leaves(place, 0, mine);
            left[0] = full != null;
            if (left[0]) {
                throw full;
            }
        }, done -> {
            place.finishPartners();
            boolean all = true;
            for (boolean each : left) {
                all &= !each;
            }
            if (all) {
                sum(place, sums);
            }
        });
    }

    /**
     * Null: it has taken part. A rank that does not know it leaves, so that those who wait for it
     * are told; these leave as well, as others may wait for them alone.
     */
    private static OutOfMemoryError leaves(Place place, int rank, Scarce.Step call)
            throws Exception {
        try {
            call.run();
            return null;
        } catch (CallbackException itself) {
            return null; // of the function, which had no memory
        } catch (OutOfMemoryError full) {
            place.job(rank).close();
            return full;
        } catch (PeerFailedException told) {
            place.job(rank).close();
            return LEFT;
        }
    }

    // ---- persistent

    private static Trial prepare(Place place, boolean function) {
        Fmpl fmpl = Fmpl.init(place.alone(), 2);
        Reduction sum = function ? Reduction.of(fmpl, 8, SUM) : Reduction.LONG_SUM;
        long[] values = values(0);
        Span span = Span.of(values);
        PersistentColl persistent = PersistentColl.on(fmpl.create(true));
        PersistentOperation[] made = new PersistentOperation[1];
        return again(() -> made[0] = persistent.allreduce(span, sum), () -> {
            made[0].start();
            made[0].await();
            made[0].close();
            sum.close();
        });
    }

    private static Trial prepareTogether(Place place) throws Exception {
        HeapSpan[] memory = heap(place);
        return place.making(job -> PersistentColl.on(place.fmpl(job.rank()).world())
                .allreduce(memory[job.rank()], Reduction.LONG_SUM));
    }

    private static List<Reduction> reductions(Place place, boolean function) throws Exception {
        return place.each(job -> function ? Reduction.of(place.fmpl(job.rank()), 8, SUM)
                : Reduction.LONG_SUM);
    }

    /** Of arrays, into which whoever works on the operation has to reach. */
    private static final class Prepared {
        final long[][] values;
        final List<Reduction> sums;
        final List<PersistentOperation> operations;

        Prepared(Place place, CollOptions.Progress how, boolean function) throws Exception {
            values = new long[place.ranks()][];
            for (int i = 0; i < values.length; i++) {
                values[i] = values(i);
            }
            sums = reductions(place, function);
            operations = place.each(job -> PersistentColl.on(place.fmpl(job.rank()).world())
                    .allreduce(Span.of(values[job.rank()]), sums.get(job.rank()),
                            CollOptions.AUTO.progress(how)));
        }

        void start(int rank) {
            operations.get(rank).start();
        }

        /** By a function that had no memory nothing is certain, except that it says so. */
        boolean await(int rank) {
            try {
                operations.get(rank).await();
                return true;
            } catch (CallbackException itself) {
                return false;
            }
        }

        void finish(Place place) throws Exception {
            boolean[] good = new boolean[place.ranks()];
            place.each(job -> good[job.rank()] = await(job.rank()));
            check(place, good);
        }

        void check(Place place, boolean[] good) {
            boolean all = true;
            for (boolean each : good) {
                all &= each;
            }
            for (long[] each : all ? values : new long[0][]) {
                ScarceCollectives.check(place, each);
            }
            operations.forEach(PersistentOperation::close);
            sums.forEach(Reduction::close);
        }
    }

    private static Trial start(Place place, CollOptions.Progress how, boolean function)
            throws Exception {
        Prepared prepared = new Prepared(place, how, function);
        for (int rank = 1; rank < place.ranks(); rank++) {
            prepared.start(rank);
        }
        return again(() -> {
            prepared.start(0);
            Thread.sleep(2); // while somebody else is at it
        }, () -> prepared.finish(place));
    }

    private static Trial await(Place place, CollOptions.Progress how, boolean function)
            throws Exception {
        Prepared prepared = new Prepared(place, how, function);
        for (int rank = 0; rank < place.ranks(); rank++) {
            prepared.start(rank);
        }
        boolean[] good = new boolean[place.ranks()];
        java.util.Arrays.fill(good, true);
        for (int rank = 1; rank < place.ranks(); rank++) {
            int other = rank;
            place.waiting(() -> good[other] = prepared.await(other));
        }
        return again(() -> good[0] = prepared.await(0), () -> {
            place.finishPartners();
            prepared.check(place, good);
        });
    }

    private static Trial closeOperation(Place place) throws Exception {
        HeapSpan[] memory = heap(place);
        List<PersistentOperation> all = place.each(job -> PersistentColl.on(
                place.fmpl(job.rank()).world()).allreduce(memory[job.rank()], Reduction.LONG_SUM));
        return again(all.get(0)::close, () -> {
            memory[0].close();
            all.get(0).close();
        });
    }
}
