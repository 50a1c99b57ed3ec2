// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;

import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.MismatchException;
import io.hayate.Ompl;
import io.hayate.PeerFailedException;
import io.hayate.Reduction;
import io.hayate.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * One member of a communicator calls a collective with another argument than the others.
 *
 * @param bytes of a block
 * @param odd the rank of this member
 */
public record Disagreement(Kind kind, Call call, int bytes, int odd) {
    /** Ends waits of which nobody tells. */
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int[] SIZES = {0, 8, 1024, 65_536, 1 << 20};
    /** Those of this size call on all ranks of an Fmpl, and end with it. */
    private static final int WORLD = 1024;

    /** What differs, as docs/guide/collectives.md names it. */
    public enum Kind {
        COLLECTIVE("the collective", MismatchException.class),
        ROOT("the root", MismatchException.class),
        SIZE("the size, also of blocks of unequal length", MismatchException.class),
        TYPE("the type of a reduction", MismatchException.class),
        OPERATION("the operation of a reduction", MismatchException.class),
        CALLS("the number of calls", MismatchException.class, PeerFailedException.class);

        public final String what;
        public final Set<Class<?>> told;

        Kind(String what, Class<?>... told) {
            this.what = what;
            this.told = Set.of(told);
        }
    }

    private interface Body {
        void run(Fmpl fmpl, Communicator comm, int bytes, int root, Reduction reduction);
    }

    /** A collective. */
    public enum Call {
        BARRIER((f, c, n, root, op) -> c.barrier()),
        BCAST((f, c, n, root, op) -> c.bcast(one(n), root)),
        HBCAST((f, c, n, root, op) -> f.hbcast(one(n), root)),
        REDUCE((f, c, n, root, op) -> c.reduce(one(n), op, root)),
        ALLREDUCE((f, c, n, root, op) -> c.allreduce(one(n), op)),
        GATHER((f, c, n, root, op) -> c.gather(one(n), all(c, n), root)),
        GATHERV((f, c, n, root, op) -> c.gatherv(one(n), all(c, n), sizes(c, n), null, root)),
        SCATTER((f, c, n, root, op) -> c.scatter(all(c, n), one(n), root)),
        SCATTERV((f, c, n, root, op) -> c.scatterv(all(c, n), sizes(c, n), null, one(n), root)),
        ALLGATHER((f, c, n, root, op) -> c.allgather(one(n), all(c, n))),
        ALLGATHERV((f, c, n, root, op) -> c.allgatherv(one(n), all(c, n), sizes(c, n), null)),
        ALLTOALL((f, c, n, root, op) -> c.alltoall(all(c, n), all(c, n))),
        ALLTOALLV((f, c, n, root, op) -> c.alltoallv(all(c, n), sizes(c, n), null,
                all(c, n), sizes(c, n), null)),
        REDUCE_SCATTER((f, c, n, root, op) -> c.reduceScatter(all(c, n), one(n), op)),
        REDUCE_SCATTERV((f, c, n, root, op) -> c.reduceScatterv(all(c, n), one(n),
                sizes(c, n / op.elementBytes()), op)),
        SCAN((f, c, n, root, op) -> c.scan(one(n), one(n), op)),
        EXSCAN((f, c, n, root, op) -> c.exscan(one(n), one(n), op));

        private final Body body;

        Call(Body body) {
            this.body = body;
        }

        private static Span one(int bytes) {
            return Span.of(new byte[bytes]);
        }

        private static Span all(Communicator comm, int bytes) {
            return Span.of(new byte[bytes * comm.size()]);
        }

        private static long[] sizes(Communicator comm, int each) {
            long[] sizes = new long[comm.size()];
            Arrays.fill(sizes, each);
            return sizes;
        }

        /** All members have the same, and wait for all others. */
        private boolean isSymmetric() {
            return this == ALLREDUCE || this == ALLGATHER || this == ALLTOALL
                    || this == REDUCE_SCATTER;
        }

        private boolean has(Kind kind) {
            return switch (kind) {
                case ROOT -> name().matches("H?BCAST|REDUCE|(GATHER|SCATTER)V?");
                case TYPE, OPERATION -> name().matches(".*(REDUCE|SCAN).*");
                case SIZE -> this != BARRIER;
                default -> true;
            };
        }
    }

    /** All combinations in a job of so many ranks; the first or the last one differs. */
    public static List<Disagreement> all(int ranks) {
        List<Disagreement> all = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (Call call : Call.values()) {
                for (int bytes : SIZES) {
                    boolean possible = call == Call.BARRIER ? bytes == 0
                            : call != Call.HBCAST || bytes == WORLD;
                    if (possible && call.has(kind)) {
                        int odd = all.size() % 2 == 0 ? 0 : ranks - 1;
                        all.add(new Disagreement(kind, call, bytes, odd));
                    }
                }
            }
        }
        return all;
    }

    /** Whether members that differ exchange messages, so that one is told on any node. */
    public boolean isToldBetweenNodes() {
        return call.isSymmetric() && bytes > 0 && kind != Kind.CALLS;
    }

    /** Whether it is told there to whoever waits, on one node; of all these, some. */
    public boolean isToldInTheCall() {
        boolean blocks = kind == Kind.SIZE && call.name().matches(".*[RL]V");
        return kind != Kind.CALLS && !blocks && bytes <= 8;
    }

    private void calls(Fmpl fmpl, Communicator comm) {
        boolean differs = comm.rank() == odd;
        Call own = call;
        if (differs && kind == Kind.COLLECTIVE) {
            own = call == Call.ALLREDUCE ? Call.ALLGATHER : Call.ALLREDUCE;
        } else if (differs && kind == Kind.CALLS) {
            calls(fmpl, comm, own, Reduction.DOUBLE_SUM);
        }
        calls(fmpl, comm, own, !differs ? Reduction.DOUBLE_SUM
                : kind == Kind.TYPE ? Reduction.LONG_SUM
                : kind == Kind.OPERATION ? Reduction.DOUBLE_MAX : Reduction.DOUBLE_SUM);
    }

    private void calls(Fmpl fmpl, Communicator comm, Call own, Reduction reduction) {
        boolean differs = comm.rank() == odd;
        own.body.run(fmpl, comm, differs && kind == Kind.SIZE ? bytes + 8 : bytes,
                differs && kind == Kind.ROOT ? 1 : 0, reduction);
    }

    private static HayateException thrownBy(Runnable action) {
        try {
            action.run();
            return null;
        } catch (HayateException e) {
            return e;
        }
    }

    /** What this rank is told, in the call or at the end of the communicator; or null. */
    private HayateException told(Hayate job, Fmpl fmpl, boolean apart) {
        Fmpl own = Fmpl.init(job, 1); // until its end it holds the memory of what has failed
        Communicator comm = bytes == WORLD ? own.world() : own.world().dup();
        own.timeout(LIMIT);
        HayateException first = thrownBy(() -> calls(own, comm));
        own.timeout(Ompl.FOREVER);
        if (apart) {
            fmpl.barrier();
        }
        HayateException second = thrownBy(bytes == WORLD ? own::close : comm::close);
        own.close();
        check(first == null || second == null, this + ": told twice, " + first + ", " + second);
        return first == null ? second : first;
    }

    /**
     * Somebody is told what differs, and nobody something else. Collective over the job.
     *
     * @param apart whether all end their calls before one closes the communicator
     */
    public void verify(Hayate job, Fmpl fmpl, boolean apart) {
        HayateException told = told(job, fmpl, apart);
        int[] any = {told == null ? 0 : 1};
        fmpl.allreduce(Span.of(any), Reduction.INT_MAX);
        check(any[0] == 1, this + ": told to nobody");
        check(told == null || kind.told.contains(told.getClass()), this + ": " + told);
    }
}
