// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.BusyException;
import io.hayate.CancelledException;
import io.hayate.CollOptions;
import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.Ompl;
import io.hayate.OmplPiece;
import io.hayate.Reduction;
import io.hayate.Request;
import io.hayate.Span;
import io.hayate.TruncationException;
import io.hayate.conformance.BufferKind;
import io.hayate.conformance.Memory;
import io.hayate.conformance.PersistentCase;
import io.hayate.conformance.Rank;
import io.hayate.conformance.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The joint operations of ranks: each rank executes its part of the operation that all have drawn.
 */
final class PairedSteps {
    private static final int[] LENGTHS = {0, 1, 8, 56, 57, 64, 1000, 4096, 4097, 20_000, 70_000,
        250_000};
    /** Where the flag of the global space is, the counter, and the data. */
    private static final int FLAG = 0;
    private static final int COUNTER = Ompl.FLAG_BYTES;
    private static final int DATA = 4096;

    private final Workplace place;
    private final Rank rank;
    private final Fmpl fmpl;
    private final SplittableRandom common;
    private final SplittableRandom own;

    /** One thing that all do. */
    private interface Step {
        void run(PairedSteps steps) throws Exception;
    }

    private record Named(String name, Step step) {
    }

    private static final List<Named> STEPS = List.of(
            new Named("message", PairedSteps::message),
            new Named("burst", PairedSteps::burst),
            new Named("ring", PairedSteps::ring),
            new Named("everybody to everybody", PairedSteps::everybody),
            new Named("truncated", PairedSteps::truncated),
            new Named("cancelled", PairedSteps::cancelled),
            new Named("busy", PairedSteps::busy),
            new Named("send buffer", PairedSteps::sendBuffer),
            new Named("barrier", PairedSteps::barrier),
            new Named("bcast", PairedSteps::bcast),
            new Named("reduce", PairedSteps::reduce),
            new Named("persistent and blocks", PairedSteps::persistent),
            new Named("signal", PairedSteps::signal),
            new Named("get", PairedSteps::get),
            new Named("atomics", PairedSteps::atomics));

    private PairedSteps(Workplace place) {
        this.place = place;
        rank = place.rank;
        fmpl = rank.fmpl;
        common = place.common;
        own = place.own;
    }

    /** Counts those that are done. */
    static void run(Workplace place, int count, AtomicLong done) throws Exception {
        PairedSteps steps = new PairedSteps(place);
        Mistakes mistakes = new Mistakes(place);
        for (int number = 0; number < count; number++) {
            for (int i = place.own.nextInt(3); i > 0; i--) {
                place.mark.enter("before step " + number);
                mistakes.make(place.mark);
            }
            Named next = STEPS.get(place.common.nextInt(STEPS.size()));
            place.mark.enter("step " + number + ", " + next.name);
            next.step.run(steps);
            done.incrementAndGet();
        }
    }

    // ---- memory

    private int length() {
        return LENGTHS[common.nextInt(LENGTHS.length)];
    }

    private int anyRank() {
        return common.nextInt(rank.size);
    }

    private int mai() {
        return common.nextInt(Workplace.MAIS);
    }

    private int seed() {
        return common.nextInt(1 << 20);
    }

    private Memory memory(int bytes) {
        BufferKind[] kinds = BufferKind.values();
        return kinds[own.nextInt(kinds.length)].of(rank, bytes);
    }

    // ---- messages

    private void send(Span span, int to, int mai) {
        switch (own.nextInt(4)) {
            case 0 -> fmpl.send(span, to, mai);
            case 1 -> fmpl.isend(span, to, mai).await();
            case 2 -> poll(fmpl.isend(span, to, mai));
            default -> fmpl.waitAll(fmpl.isend(span, to, mai));
        }
    }

    private long receive(Span span, int from, int mai) {
        switch (own.nextInt(6)) {
            case 0 -> {
                return fmpl.recv(span, from, mai);
            }
            case 1 -> {
                return fmpl.irecv(span, from, mai).await();
            }
            case 4 -> {
                return fmpl.recv(span, from, mai, Duration.ofHours(1));
            }
            case 5 -> {
                long length = fmpl.probe(from, mai);
                equal(length, fmpl.world().recv(span, from, mai), "length that was probed");
                return length;
            }
            case 2 -> {
                return poll(fmpl.irecv(span, from, mai));
            }
            default -> {
                Request request = fmpl.irecv(span, from, mai);
                equal(0, fmpl.waitAny(request), "index");
                return request.await();
            }
        }
    }

    private static long poll(Request request) {
        while (!request.test()) {
            Threads.pause();
        }
        return request.received();
    }

    private void message() {
        int from = anyRank();
        int to = anyRank();
        int mai = mai();
        int bytes = length();
        int seed = seed();
        if (from == to && rank.me == from) {
            toMyself(bytes, mai, seed);
        } else if (rank.me == from) {
            try (Memory out = memory(bytes).fill(seed)) {
                send(out.span(), to, mai);
            }
        } else if (rank.me == to) {
            int room = bytes + (own.nextBoolean() ? own.nextInt(100) : 0);
            try (Memory in = memory(room).clear()) {
                equal(bytes, receive(in.span(), from, mai), "length");
                in.verify(seed, bytes);
            }
        }
    }

    private void toMyself(int bytes, int mai, int seed) {
        try (Memory out = memory(bytes).fill(seed); Memory in = memory(bytes).clear()) {
            Request received = fmpl.irecv(in.span(), rank.me, mai);
            send(out.span(), rank.me, mai);
            equal(bytes, received.await(), "length");
            in.verify(seed, bytes);
        }
    }

    /** More than there are slots. */
    private void burst() {
        int from = anyRank();
        int to = (from + 1) % rank.size;
        int mai = mai();
        int count = 1 + common.nextInt(60);
        int bytes = 1 + common.nextInt(200);
        int seed = seed();
        for (int i = 0; i < count; i++) {
            if (rank.me == from && rank.me != to) {
                try (Memory out = memory(bytes).fill(seed + i)) {
                    send(out.span(), to, mai);
                }
            } else if (rank.me == to && rank.me != from) {
                try (Memory in = memory(bytes).clear()) {
                    equal(bytes, receive(in.span(), from, mai), "length");
                    in.verify(seed + i, bytes);
                }
            }
        }
    }

    private void ring() {
        int mai = mai();
        int bytes = length();
        int seed = seed();
        try (Memory out = memory(bytes).fill(seed + rank.me); Memory in = memory(bytes).clear()) {
            if (own.nextBoolean()) {
                equal(bytes, fmpl.sendrecv(out.span(), rank.right(), mai, in.span(), rank.left(),
                        mai), "length");
            } else {
                Request sent = fmpl.isend(out.span(), rank.right(), mai);
                equal(bytes, receive(in.span(), rank.left(), mai), "length");
                sent.await();
            }
            in.verify(seed + rank.left(), bytes);
        }
    }

    /** Waited for one by one, as they come. */
    private void everybody() {
        int mai = mai();
        int bytes = length();
        int seed = seed();
        List<Memory> ins = new ArrayList<>();
        List<Memory> outs = new ArrayList<>();
        Request[] all = new Request[2 * rank.size];
        for (int peer = 0; peer < rank.size; peer++) {
            ins.add(memory(bytes).clear());
            outs.add(memory(bytes).fill(seed + rank.me * rank.size + peer));
            all[2 * peer] = fmpl.irecv(ins.get(peer).span(), peer, mai);
            all[2 * peer + 1] = fmpl.isend(outs.get(peer).span(), peer, mai);
        }
        int over = 0;
        while (fmpl.waitAny(all) >= 0) {
            over++;
        }
        equal(all.length, over, "requests");
        fmpl.waitAll(all);
        for (int peer = 0; peer < rank.size; peer++) {
            ins.get(peer).verify(seed + peer * rank.size + rank.me, bytes);
            ins.get(peer).close();
            outs.get(peer).close();
        }
    }

    /** A message that is too long stays for a longer receive. */
    private void truncated() {
        int mai = mai();
        int bytes = 1 + length();
        int seed = seed();
        try (Memory out = memory(bytes).fill(seed + rank.me); Memory in = memory(bytes).clear()) {
            Request sent = fmpl.isend(out.span(), rank.right(), mai);
            Span brief = in.span().slice(0, own.nextInt(bytes));
            expect(TruncationException.class, "a receive that is too short",
                    () -> receive(brief, rank.left(), mai));
            equal(bytes, receive(in.span(), rank.left(), mai), "length");
            sent.await();
            in.verify(seed + rank.left(), bytes);
        }
    }

    /** A receive that is taken back, or was too fast for that. */
    private void cancelled() {
        int mai = mai();
        int bytes = length();
        int seed = seed();
        try (Memory out = memory(bytes).fill(seed + rank.me); Memory in = memory(bytes).clear()) {
            Request received = fmpl.irecv(in.span(), rank.left(), mai);
            Request sent = fmpl.isend(out.span(), rank.right(), mai);
            if (received.cancel()) {
                expect(CancelledException.class, "what was cancelled", received::await);
                in.verify(0, 0);
                equal(bytes, receive(in.span(), rank.left(), mai), "length");
            } else {
                equal(bytes, received.await(), "length");
            }
            sent.await();
            in.verify(seed + rank.left(), bytes);
        }
    }

    /** A second operation of a lane changes nothing of the first. */
    private void busy() {
        int mai = mai();
        int bytes = length();
        int seed = seed();
        try (Memory out = memory(bytes).fill(seed + rank.me); Memory in = memory(bytes).clear();
                Memory other = memory(bytes).clear()) {
            Request received = fmpl.irecv(in.span(), rank.left(), mai);
            if (!received.test()) {
                tryAgain(other.span(), mai, received);
            }
            Request sent = fmpl.isend(out.span(), rank.right(), mai);
            equal(bytes, received.await(), "length");
            sent.await();
            in.verify(seed + rank.left(), bytes);
            other.verify(0, 0);
        }
    }

    /** It may have come meanwhile, but not before it was looked at, and then it is not over. */
    private void tryAgain(Span span, int mai, Request first) {
        expect(BusyException.class, "a second receive", () -> fmpl.irecv(span, rank.left(), mai));
        expect(BusyException.class, "a second receive", () -> fmpl.recv(span, rank.left(), mai));
        expect(BusyException.class, "one request twice", () -> fmpl.waitAny(first, first));
    }

    private void sendBuffer() {
        int bytes = 5000 + common.nextInt(5000);
        int seed = seed();
        int mai = mai();
        fmpl.setSendBuffer(Span.of(Rank.direct(64 << 10)), Duration.ofMillis(own.nextInt(3)));
        try (Memory out = memory(bytes).fill(seed + rank.me); Memory in = memory(bytes).clear()) {
            if (own.nextBoolean()) {
                fmpl.send(out.span(), rank.right(), mai);
                equal(bytes, receive(in.span(), rank.left(), mai), "length");
            } else {
                Request received = fmpl.irecv(in.span(), rank.left(), mai);
                fmpl.send(out.span(), rank.right(), mai);
                equal(bytes, received.await(), "length");
            }
            in.verify(seed + rank.left(), bytes);
        }
        while (fmpl.checkSendBuffer().waiting() > 0) {
            Threads.pause();
        }
        fmpl.setSendBuffer(null, null);
    }

    // ---- collectives

    /** One of those that all ranks have; null: this rank is no member. */
    private Communicator comm() {
        Communicator comm = place.comms.get(common.nextInt(place.comms.size()));
        return comm.isMember() ? comm : null;
    }

    private void barrier() {
        Communicator comm = comm();
        if (comm != null) {
            fmpl.barrier(comm);
        }
    }

    private void bcast() {
        Communicator comm = comm();
        int bytes = length();
        int seed = seed();
        int drawn = common.nextInt(1 << 10);
        boolean hardware = common.nextBoolean() && comm == fmpl.world();
        if (comm == null) {
            return;
        }
        int root = drawn % comm.size();
        try (Memory memory = memory(bytes)) {
            if (comm.rank() == root) {
                memory.fill(seed);
            } else {
                memory.clear();
            }
            if (hardware) {
                fmpl.hbcast(memory.span(), root);
            } else {
                fmpl.bcast(memory.span(), root, comm);
            }
            memory.verify(seed, bytes);
        }
    }

    private void reduce() {
        Communicator comm = comm();
        long[] values = new long[common.nextInt(3000)];
        boolean all = common.nextBoolean();
        boolean function = common.nextBoolean();
        int drawn = common.nextInt(1 << 10);
        int seed = seed();
        if (comm == null) {
            return;
        }
        for (int i = 0; i < values.length; i++) {
            values[i] = (long) seed * i + comm.rank();
        }
        Reduction how = function ? place.sum : Reduction.LONG_SUM;
        int root = drawn % comm.size();
        if (all) {
            fmpl.allreduce(Span.of(values), how, comm);
        } else {
            fmpl.reduce(Span.of(values), how, root, comm);
        }
        int n = comm.size();
        boolean summed = all || comm.rank() == root;
        for (int i = 0; i < values.length; i++) {
            long first = (long) seed * i;
            equal(summed ? n * first + (long) n * (n - 1) / 2 : first + comm.rank(), values[i],
                    "element " + i);
        }
    }

    private void persistent() {
        Communicator comm = comm();
        PersistentCase.Collective[] collectives = PersistentCase.Collective.values();
        PersistentCase.Collective collective = collectives[common.nextInt(collectives.length)];
        PersistentCase.Layout layout = !collective.hasBlocks() ? PersistentCase.Layout.EVEN
                : PersistentCase.Layout.values()[common.nextInt(3)];
        int bytes = common.nextInt(2000) / 4 * 4;
        int drawn = common.nextInt(1 << 10);
        int runs = 1 + common.nextInt(5);
        boolean ordinary = common.nextBoolean();
        if (comm == null) {
            return;
        }
        BufferKind[] kinds = BufferKind.values();
        CollOptions.Progress[] ways = CollOptions.Progress.values();
        PersistentCase.Plan plan = new PersistentCase.Plan(collective, bytes, layout,
                drawn % comm.size(), kinds[own.nextInt(kinds.length)],
                kinds[own.nextInt(kinds.length)],
                CollOptions.AUTO.progress(ways[own.nextInt(ways.length)]));
        if (ordinary) {
            PersistentCase.call(rank, comm, plan, runs);
        } else {
            PersistentCase.run(rank, comm, plan, runs);
        }
    }

    // ---- the global space

    private void signal() {
        int bytes = common.nextInt(60_000);
        int seed = seed();
        long value = ++place.signals;
        try (Memory out = memory(bytes).fill(seed + rank.me); Memory in = memory(bytes).clear()) {
            switch (own.nextInt(3)) {
                case 0 -> place.ompl.putSignal(out.span(), rank.right(), DATA, FLAG, value);
                case 1 -> {
                    place.ompl.put(out.span(), rank.right(), DATA);
                    place.ompl.putFlag(rank.right(), FLAG, value);
                }
                default -> {
                    place.ompl.putVector(rank.right(), List.of(new OmplPiece(out.span(), DATA)));
                    place.ompl.swap(rank.right(), FLAG, value);
                }
            }
            place.ompl.waitUntil(FLAG, Ompl.Comparison.EQ, value);
            place.ompl.get(in.span(), rank.me, DATA);
            in.verify(seed + rank.left(), bytes);
        }
        fmpl.barrier();
    }

    private void get() {
        int bytes = common.nextInt(60_000);
        int seed = seed();
        try (Memory out = memory(bytes).fill(seed + rank.me); Memory in = memory(bytes).clear()) {
            place.ompl.put(out.span(), rank.me, DATA);
            fmpl.barrier();
            switch (own.nextInt(3)) {
                case 0 -> place.ompl.get(in.span(), rank.left(), DATA);
                case 1 -> place.ompl.getVector(rank.left(),
                        List.of(new OmplPiece(in.span(), DATA)));
                default -> {
                    place.ompl.getStart(in.span(), rank.left(), DATA);
                    place.ompl.flush(rank.left());
                }
            }
            in.verify(seed + rank.left(), bytes);
        }
        fmpl.barrier();
    }

    private void atomics() {
        int target = anyRank();
        int times = common.nextInt(20);
        long operand = common.nextInt(1000);
        for (int i = 0; i < times; i++) {
            long before = place.ompl.fetchAdd(target, COUNTER, operand);
            check(before >= place.added[target], "the word went back to " + before);
        }
        place.added[target] += times * operand * rank.size;
        fmpl.barrier();
        equal(place.added[target], place.ompl.fetch(target, COUNTER), "sum");
        fmpl.barrier();
    }
}
