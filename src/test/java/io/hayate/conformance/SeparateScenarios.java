// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.ArgumentException;
import io.hayate.CollOptions;
import io.hayate.Communicator;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reduction;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Reductions with separate input and output, which members may mix with those in place. */
final class SeparateScenarios {
    private static final int[] COUNTS = {0, 1, 40, 700, 9000, 160_000};
    private static final BufferKind[] KINDS = {BufferKind.HEAP, BufferKind.DIRECT,
        BufferKind.LONGS, BufferKind.BYTES};
    private static final int TO_ALL = -1;
    private static final int RUNS = 3;
    private static final long UNTOUCHED = 77;

    /** The calls of one member: each sums `in` into `out`, which only members with a result use. */
    private interface Sum {
        void run(Span in, Span out);
    }

    private static long value(int rank, int run, int i) {
        return rank * 1000L + run * 17L + i % 131;
    }

    private static ByteBuffer image(Rank rank, int run, int count) {
        ByteBuffer image = Rank.direct(count * Long.BYTES);
        for (int i = 0; i < count; i++) {
            image.putLong(i * Long.BYTES, value(rank.me, run, i));
        }
        return image;
    }

    private static void verify(Rank rank, int run, int count, int root, Memory in, Memory out) {
        check(in.get().equals(image(rank, run, count)), "the input has changed");
        ByteBuffer result = out.get();
        for (int i = 0; i < count; i++) {
            long sum = UNTOUCHED;
            if (root == TO_ALL || root == rank.me) {
                sum = 0;
                for (int member = 0; member < rank.size; member++) {
                    sum += value(member, run, i);
                }
            }
            equal(sum, result.getLong(i * Long.BYTES), "element " + i);
        }
    }

    private static void clear(Memory out, int count) {
        ByteBuffer image = Rank.direct(count * Long.BYTES);
        for (int i = 0; i < count; i++) {
            image.putLong(i * Long.BYTES, UNTOUCHED);
        }
        out.put(image);
    }

    private static void repeat(Rank rank, Memory in, Memory out, int count, int root, Sum sum) {
        boolean hasResult = root == TO_ALL || root == rank.me;
        for (int run = 0; run < RUNS; run++) {
            in.put(image(rank, run, count));
            clear(out, count);
            sum.run(in.span(), hasResult ? out.span() : null);
            verify(rank, run, count, root, in, out);
        }
    }

    /** A way to make the call, for any root. */
    private interface Way {
        void run(Rank rank, Memory in, Memory out, int count, int root);
    }

    private static void each(Rank rank, Way way) {
        for (int count : COUNTS) {
            for (int i = 0; i < KINDS.length * KINDS.length; i++) {
                BufferKind from = KINDS[(i + rank.me) % KINDS.length];
                BufferKind to = KINDS[i / KINDS.length];
                if (!rank.takesNextCase()) {
                    continue;
                }
                for (int root : new int[] {TO_ALL, 0, rank.size - 1}) {
                    try (Memory in = from.of(rank, count * Long.BYTES);
                            Memory out = to.of(rank, count * Long.BYTES)) {
                        way.run(rank, in, out, count, root);
                    } catch (AssertionError | RuntimeException wrong) {
                        throw new AssertionError(count + " longs, " + from + " to " + to
                                + ", root " + root, wrong);
                    }
                }
            }
        }
    }

    @Scenario
    static void should_reduce_into_separate_memory(Rank rank) {
        Communicator world = rank.fmpl.world();
        each(rank, (at, in, out, count, root) -> repeat(at, in, out, count, root, (from, to) -> {
            if (root == TO_ALL) {
                world.allreduce(from, to, Reduction.LONG_SUM);
            } else {
                world.reduce(from, to, Reduction.LONG_SUM, root);
            }
        }));
    }

    @Scenario
    static void should_reduce_into_separate_memory_in_the_background(Rank rank) {
        Communicator world = rank.fmpl.world();
        each(rank, (at, in, out, count, root) -> repeat(at, in, out, count, root,
                (from, to) -> (root == TO_ALL ? world.iallreduce(from, to, Reduction.LONG_SUM)
                        : world.ireduce(from, to, Reduction.LONG_SUM, root)).await()));
    }

    @Scenario
    static void should_prepare_reductions_into_separate_memory(Rank rank) {
        PersistentColl coll = PersistentColl.on(rank.fmpl.world());
        each(rank, (at, in, out, count, root) -> {
            Span to = root == TO_ALL || root == at.me ? out.span() : null;
            try (PersistentOperation sum = root == TO_ALL
                    ? coll.allreduce(in.span(), to, Reduction.LONG_SUM, CollOptions.AUTO)
                    : coll.reduce(in.span(), to, Reduction.LONG_SUM, root, CollOptions.AUTO)) {
                repeat(at, in, out, count, root, (same, again) -> {
                    sum.start();
                    sum.await();
                });
            }
        });
    }

    @Scenario(ranks = 2)
    static void should_meet_members_that_reduce_in_place(Rank rank) {
        Communicator world = rank.fmpl.world();
        for (int count : COUNTS) {
            for (int run = 0; run < 2; run++) {
                boolean apart = (rank.me + run) % 2 == 0;
                long[] in = new long[count];
                Arrays.fill(in, rank.me);
                long[] out = apart ? new long[count] : in;
                if (apart) {
                    world.allreduce(Span.of(in), Span.of(out), Reduction.LONG_SUM);
                } else {
                    world.allreduce(Span.of(out), Reduction.LONG_SUM);
                }
                for (long sum : out) {
                    equal((long) rank.size * (rank.size - 1) / 2, sum, count + " longs");
                }
            }
        }
    }

    /** Nothing is changed, and nothing was sent: the others need not know. */
    @Scenario
    static void should_refuse_input_and_output_that_do_not_fit(Rank rank) {
        Communicator world = rank.fmpl.world();
        long[] both = {1, 2, 3};
        expect(ArgumentException.class, "overlap", () -> world.allreduce(Span.of(both, 0, 2),
                Span.of(both, 1, 2), Reduction.LONG_SUM));
        expect(ArgumentException.class, "the same", () -> world.allreduce(Span.of(both),
                Span.of(both), Reduction.LONG_SUM));
        expect(ArgumentException.class, "too short", () -> world.allreduce(Span.of(both),
                Span.of(new long[2]), Reduction.LONG_SUM));
        expect(ArgumentException.class, "no output", () -> world.reduce(Span.of(both), null,
                Reduction.LONG_SUM, rank.me));
        expect(ArgumentException.class, "no input", () -> world.iallreduce(null, Span.of(both),
                Reduction.LONG_SUM));
        expect(ArgumentException.class, "another type", () -> world.allreduce(Span.of(both),
                Span.of(new double[3]), Reduction.LONG_SUM));
        expect(ArgumentException.class, "no such root", () -> world.reduce(Span.of(both),
                Span.of(new long[3]), Reduction.LONG_SUM, rank.size));
        expect(ArgumentException.class, "the same, prepared", () ->
                PersistentColl.on(world).reduce(Span.of(both), Span.of(both), Reduction.LONG_SUM,
                        rank.me, CollOptions.AUTO));
        check(Arrays.equals(both, new long[] {1, 2, 3}), "it was changed");
        ByteBuffer fixed = Rank.direct(8).putLong(0, rank.me).asReadOnlyBuffer();
        long[] sum = new long[1];
        world.allreduce(Span.of(fixed), Span.of(sum), Reduction.LONG_SUM);
        equal((long) rank.size * (rank.size - 1) / 2, sum[0], "of memory that is read only");
        world.reduce(Span.of(fixed), rank.me == 0 ? Span.of(sum) : null, Reduction.LONG_SUM, 0);
    }
}
