// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import io.hayate.ArgumentException;
import io.hayate.BusyException;
import io.hayate.Cartesian;
import io.hayate.ClosedException;
import io.hayate.Codec;
import io.hayate.CollOptions;
import io.hayate.Communicator;
import io.hayate.Element;
import io.hayate.Fmpl;
import io.hayate.HayateException;
import io.hayate.HeapSpan;
import io.hayate.MemoryExhaustedException;
import io.hayate.Ompl;
import io.hayate.OmplPiece;
import io.hayate.PersistentColl;
import io.hayate.Reduction;
import io.hayate.Request;
import io.hayate.Span;
import io.hayate.StateException;
import io.hayate.Values;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Calls of a single rank that cannot succeed, each with the expected exception. */
final class Mistakes {
    private static final int[] NO_RANKS = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 20};
    private static final long[] NOWHERE = {-1, -8, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40,
        Workplace.SPACE};

    private final Workplace place;
    private final Fmpl fmpl;
    private final Ompl ompl;
    private final List<Mistake> all = new ArrayList<>();
    private final Span some = Span.of(new byte[64]);
    private final Span direct = Span.of(ByteBuffer.allocateDirect(64));

    private interface Call {
        void run();
    }

    private record Mistake(String name, Class<? extends HayateException> expected, Call call) {
    }

    Mistakes(Workplace place) {
        this.place = place;
        fmpl = place.rank.fmpl;
        ompl = place.ompl;
        messages();
        memory();
        collectives();
        persistent();
        spaces();
    }

    void make(Watch.Mark mark) {
        Mistake next = all.get(place.own.nextInt(all.size()));
        mark.enter("mistake: " + next.name);
        try {
            next.call.run();
        } catch (HayateException refused) {
            if (refused.getClass() == next.expected) {
                return;
            }
            throw new AssertionError(next.name + ": expected " + next.expected.getSimpleName(),
                    refused);
        }
        throw new AssertionError(next.name + " was not refused");
    }

    private void argument(String name, Call call) {
        all.add(new Mistake(name, ArgumentException.class, call));
    }

    private int noRank() {
        int drawn = place.own.nextInt(NO_RANKS.length + 1);
        return drawn == NO_RANKS.length ? place.rank.size : NO_RANKS[drawn];
    }

    private int noMai() {
        int drawn = place.own.nextInt(NO_RANKS.length + 1);
        return drawn == NO_RANKS.length ? Workplace.MAIS : NO_RANKS[drawn];
    }

    private long nowhere() {
        return NOWHERE[place.own.nextInt(NOWHERE.length)];
    }

    private void messages() {
        argument("send to nobody", () -> fmpl.send(some, noRank(), 0));
        argument("send with no mai", () -> fmpl.send(some, 0, noMai()));
        argument("isend to nobody", () -> fmpl.isend(some, noRank(), 0));
        argument("isend with no mai", () -> fmpl.isend(some, 0, noMai()));
        argument("recv from nobody", () -> fmpl.recv(some, noRank(), 0));
        argument("irecv with no mai", () -> fmpl.irecv(some, 0, noMai()));
        argument("send null", () -> fmpl.send(null, 0, 0));
        argument("recv into null", () -> fmpl.recv(null, 0, 0));
        argument("send from outside", () -> fmpl.send(some, nowhere(), 8, 0, 0));
        argument("send too much", () -> fmpl.isend(some, 8, nowhere(), 0, 0));
        argument("recv outside", () -> fmpl.irecv(some, nowhere(), 8, 0, 0));
        argument("recv into read-only memory", () -> fmpl.recv(
                Span.of(ByteBuffer.allocateDirect(8).asReadOnlyBuffer()), 0, 0));
        argument("sendrecv with nobody", () -> fmpl.sendrecv(some, noRank(), 0, some, 0, 0));
        argument("sendrecv from nobody", () -> fmpl.sendrecv(some, 0, 0, some, noRank(), 0));
        argument("send to no member", () -> fmpl.world().send(some, noRank(), 0));
        argument("the rank of no member", () -> fmpl.world().jobRank(noRank()));
        argument("the member that is no rank", () -> fmpl.world().rankOf(noRank()));
        argument("abort without an error", () -> place.rank.job.abort(0, "none"));
        argument("abort without a reason", () -> place.rank.job.abort(1, null));
        argument("probe nobody", () -> fmpl.probe(noRank(), 0));
        argument("iprobe with no mai", () -> fmpl.iprobe(0, noMai()));
        argument("recvBytes from nobody", () -> fmpl.recvBytes(noRank(), 0));
        argument("any source with no mai", () -> fmpl.anySource(noMai()));
        argument("any source with one of no mais", () -> fmpl.anySource());
        argument("any source with too many mais", () -> fmpl.anySource(new int[65]));
        argument("any source into null", () -> fmpl.anySource(0).poll(null));
        argument("recv with a negative limit", () -> fmpl.recv(some, 0, 0, Duration.ofNanos(-1)));
        argument("recv without a limit", () -> fmpl.recv(some, 0, 0, null));
        argument("send with a negative limit", () -> fmpl.send(some, 0, 0, Duration.ofNanos(-1)));
        argument("a limit of nothing", () -> fmpl.timeout(Duration.ZERO));
        argument("no limit", () -> fmpl.timeout(null));
        argument("wait for null", () -> fmpl.waitAll((Request[]) null));
        argument("wait for a null", () -> fmpl.waitAny((Request) null));
        argument("a send buffer of an array", () -> fmpl.setSendBuffer(some, Duration.ZERO));
        argument("a negative time-out", () -> fmpl.setSendBuffer(
                Span.of(ByteBuffer.allocateDirect(4096)), Duration.ofSeconds(-1)));
        argument("a time-out of years", () -> fmpl.setSendBuffer(
                Span.of(ByteBuffer.allocateDirect(4096)), Duration.ofDays(900)));
        argument("Fmpl without entries", () -> Fmpl.init(place.rank.job, -place.own.nextInt(2)));
        argument("Fmpl with too many", () -> Fmpl.init(place.rank.job, 65537));
        argument("Fmpl without a job", () -> Fmpl.init(null));
    }

    private void memory() {
        argument("no memory", () -> place.rank.job.allocate(-place.own.nextInt(2)));
        all.add(new Mistake("too much memory", MemoryExhaustedException.class,
                () -> place.rank.job.allocate(1L << 50)));
        all.add(new Mistake("memory that was given back", ClosedException.class,
                () -> fmpl.send(givenBack(), 0, 0)));
        all.add(new Mistake("a slice of what was given back", ClosedException.class,
                () -> givenBack().slice(0, 8)));
        all.add(new Mistake("a byte of what was given back", ClosedException.class,
                () -> givenBack().putByte(0, (byte) 1)));
        argument("a byte outside", () -> {
            try (HeapSpan span = place.rank.job.allocate(100)) {
                span.getLong(place.own.nextBoolean() ? nowhere() : 93);
            }
        });
        argument("a slice outside", () -> some.slice(nowhere(), 1));
        argument("a part of an array outside", () -> Span.of(new double[4], nowhere(), 1));
        argument("a buffer that is not there", () -> Span.of((ByteBuffer) null));
        all.add(new Mistake("the space's own memory", BusyException.class,
                () -> ompl.memory().close()));
    }

    private HeapSpan givenBack() {
        HeapSpan span = place.rank.job.allocate(64);
        span.close();
        return span;
    }

    private void collectives() {
        argument("bcast from nobody", () -> fmpl.bcast(some, noRank()));
        argument("bcast of null", () -> fmpl.bcast(null, 0));
        argument("bcast without communicator", () -> fmpl.bcast(some, 0, null));
        argument("reduce to nobody", () -> fmpl.reduce(some, Reduction.INT_SUM, noRank()));
        argument("reduce by nothing", () -> fmpl.allreduce(some, null));
        argument("half an element", () -> fmpl.allreduce(some.slice(0, 12),
                Reduction.COMPLEX_DOUBLE_SUM));
        argument("no such count", () -> fmpl.allreduce(some, 0, nowhere(), Reduction.DOUBLE_SUM,
                fmpl.world()));
        argument("elements that are not aligned",
                () -> fmpl.allreduce(direct, 4, 1, Reduction.DOUBLE_SUM, fmpl.world()));
        argument("longs of doubles",
                () -> fmpl.allreduce(some.as(Element.DOUBLE), Reduction.LONG_SUM));
        argument("a grid of too many", () -> Cartesian.of(
                fmpl.world(), new int[] {place.rank.size + 1}));
        argument("flush to nobody", () -> Values.of(fmpl, 0, Codec.ints()).flush(noRank()));
        argument("a value of nothing", () -> Values.of(fmpl, 0, Codec.ints()).send(null, 0));
        argument("a value for nobody",
                () -> Values.of(fmpl, 0, Codec.ints()).send(new int[3], noRank()));
        argument("a function without elements", () -> Reduction.of(fmpl, 0, (a, b, n) -> { }));
        argument("a function that is null", () -> Reduction.of(fmpl, 8, null));
        for (Communicator comm : place.comms) {
            if (!comm.isMember()) {
                argument("a barrier of others", () -> fmpl.barrier(comm));
            }
        }
    }

    private void persistent() {
        argument("persistent on nothing", () -> PersistentColl.on(null));
        argument("persistent bcast from nobody",
                () -> PersistentColl.on(fmpl.world()).bcast(some, noRank(), null));
        argument("blocks for nobody", () -> PersistentColl.on(fmpl.world())
                .allgatherv(some, some, new long[place.rank.size + 1], null));
        argument("options of nothing", () -> CollOptions.parse("algorithm"));
        argument("an arity of 1", () -> CollOptions.AUTO.arity(1));
    }

    private void spaces() {
        argument("put to nobody", () -> ompl.put(some, noRank(), 0));
        argument("put to nowhere", () -> ompl.put(some, 0, nowhere()));
        argument("get too much", () -> ompl.get(some, 0, Workplace.SPACE - 32));
        argument("putStart of null", () -> ompl.putStart(null, 0, 0));
        argument("a flag at 8", () -> ompl.putFlag(0, 8, 1));
        argument("a word at 4", () -> ompl.fetchAdd(0, 4, 1));
        argument("a word of nobody", () -> ompl.swap(noRank(), 0, 1));
        argument("flush of nobody", () -> ompl.flush(noRank()));
        argument("accumulated at 4", () -> ompl.fetchAndOp(0, 4, 1, Reduction.LONG_SUM));
        argument("accumulated to nowhere",
                () -> ompl.accumulate(some, 0, nowhere(), Reduction.LONG_SUM));
        argument("a vector with a null", () -> ompl.putVector(0,
                Arrays.asList(new OmplPiece(some, 4096), null)));
        argument("a vector of null", () -> ompl.getVector(0, null));
        argument("compared by nothing", () -> ompl.waitUntil(0, null, 0));
        argument("a negative wait",
                () -> ompl.waitUntil(0, Ompl.Comparison.GE, 0, Duration.ofNanos(-1)));
        argument("an empty space", () -> Ompl.open(place.rank.job, 0));
        argument("cleared at 1", () -> ompl.clear(1));
    }
}
