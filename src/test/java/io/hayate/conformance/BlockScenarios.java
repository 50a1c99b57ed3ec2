// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.ArgumentException;
import io.hayate.CollOptions;
import io.hayate.Communicator;
import io.hayate.Reducer;
import io.hayate.Reduction;
import io.hayate.Span;
import io.hayate.conformance.PersistentCase.Collective;
import io.hayate.conformance.PersistentCase.Layout;
import io.hayate.conformance.PersistentCase.Plan;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Ordinary collectives with separate input and output, and all of them on a communicator. */
final class BlockScenarios {
    private static void call(Rank rank, Collective collective, int bytes, Layout layout, int root,
            int kind) {
        BufferKind[] kinds = BufferKind.values();
        Plan plan = new Plan(collective, bytes, layout, root, kinds[kind % kinds.length],
                kinds[(kind * 5 + 1) % kinds.length], CollOptions.AUTO);
        if (rank.takesNextCase()) {
            PersistentCase.call(rank, rank.fmpl.world(), plan, 3);
        }
    }

    @Scenario
    static void should_call_every_collective_on_every_memory(Rank rank) {
        int number = 0;
        for (Collective collective : Collective.values()) {
            for (int kind = 0; kind < BufferKind.values().length; kind++) {
                for (int bytes : new int[] {4, 200, 4096, 20_000}) {
                    call(rank, collective, bytes, Layout.EVEN, number++ % rank.size, kind);
                }
            }
        }
    }

    /** Members may use different memory. */
    @Scenario
    static void should_call_with_any_number_of_bytes(Rank rank) {
        for (Collective collective : Collective.values()) {
            int[] sizes = collective.reduces() ? new int[] {0, 12, 1028, 65_540, 300_000}
                    : new int[] {0, 1, 57, 1023, 65_537, 300_001};
            for (int bytes : sizes) {
                call(rank, collective, bytes, Layout.EVEN, bytes % rank.size, bytes + rank.me);
            }
        }
    }

    @Scenario
    static void should_call_with_blocks_of_unequal_length(Rank rank) {
        for (Collective collective : Collective.values()) {
            for (Layout layout : new Layout[] {Layout.UNEVEN, Layout.SCATTERED}) {
                for (int bytes : new int[] {16, 1600, 40_000, 400_000}) {
                    if (collective.hasBlocks()) {
                        call(rank, collective, bytes, layout, bytes % rank.size, bytes + rank.me);
                    }
                }
            }
        }
    }

    /** More shapes than a communicator remembers, even and uneven in turn. */
    @Scenario(ranks = 2)
    static void should_forget_the_shapes_used_longest_ago(Rank rank) {
        int size = rank.size;
        long[] sizes = new long[size];
        for (int round = 0; round < 2; round++) {
            for (int shape = 1; shape <= 150; shape++) {
                Arrays.setAll(sizes, member -> 0);
                sizes[shape % size] = shape;
                byte[] in = new byte[(int) sizes[rank.me]];
                byte[] out = new byte[shape];
                Arrays.fill(in, (byte) (shape + round));
                rank.fmpl.world().allgatherv(Span.of(in), Span.of(out), sizes, null);
                for (byte each : out) {
                    equal((byte) (shape + round), each, "shape " + shape);
                }
                rank.fmpl.world().gather(Span.of(new byte[shape % 7]),
                        rank.me == 0 ? Span.of(new byte[shape % 7 * size]) : null, 0);
            }
        }
    }

    /** Elements are 2 x 2 matrices; their product does not commute. */
    private static final Reducer PRODUCT = (inout, in, count) -> {
        ByteBuffer a = inout.order(ByteOrder.nativeOrder());
        ByteBuffer b = in.order(ByteOrder.nativeOrder());
        for (int i = 0; i < count; i++) {
            long[] product = times(read(a, 32 * i), read(b, 32 * i));
            for (int k = 0; k < 4; k++) {
                a.putLong(32 * i + 8 * k, product[k]);
            }
        }
    };

    private static long[] read(ByteBuffer from, int at) {
        return new long[] {from.getLong(at), from.getLong(at + 8), from.getLong(at + 16),
            from.getLong(at + 24)};
    }

    private static long[] times(long[] a, long[] b) {
        return new long[] {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
            a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
    }

    private static long[] matrix(int member, int index) {
        return new long[] {member + 2, index + 1, 3, member + 5};
    }

    private static long[] product(int members, int index) {
        long[] all = {1, 0, 0, 1};
        for (int member = 0; member < members; member++) {
            all = times(all, matrix(member, index));
        }
        return all;
    }

    @Scenario
    static void should_scan_in_the_order_of_the_members(Rank rank) {
        Communicator world = rank.fmpl.world();
        try (Reduction product = Reduction.of(rank.fmpl, 32, PRODUCT)) {
            for (int count : new int[] {1, 100, 5000}) {
                long[] in = new long[4 * count];
                for (int i = 0; i < count; i++) {
                    System.arraycopy(matrix(rank.me, i), 0, in, 4 * i, 4);
                }
                long[] up = new long[4 * count];
                long[] below = new long[4 * count];
                world.scan(Span.of(in), Span.of(up), product);
                world.exscan(Span.of(in), Span.of(below), product);
                for (int i = 0; i < count; i++) {
                    equalMatrix(product(rank.me + 1, i), up, i);
                    equalMatrix(rank.me == 0 ? new long[4] : product(rank.me, i), below, i);
                }
            }
        }
    }

    private static void equalMatrix(long[] expected, long[] all, int index) {
        long[] actual = Arrays.copyOfRange(all, 4 * index, 4 * index + 4);
        check(Arrays.equals(expected, actual), "matrix " + index + ": " + Arrays.toString(actual)
                + ", expected " + Arrays.toString(expected));
    }

    /** This rank's block is at its place already. */
    @Scenario
    static void should_take_the_own_block_where_it_belongs(Rank rank) {
        long[] all = new long[rank.size];
        all[rank.me] = rank.me + 1;
        Span span = Span.of(all);
        rank.fmpl.world().allgather(span.slice(8L * rank.me, 8), span);
        for (int i = 0; i < rank.size; i++) {
            equal(i + 1, all[i], "block " + i);
        }
    }

    private static void refuse(String text, Runnable call) {
        ArgumentException refused = expect(ArgumentException.class, text, call::run);
        check(refused.reason().contains(text), "\"" + refused.reason() + "\" does not say \""
                + text + "\"");
    }

    /** A call that one rank alone can refuse changes nothing, and can be repeated. */
    @Scenario
    static void should_refuse_bad_arguments_of_blocks(Rank rank) {
        Communicator world = rank.fmpl.world();
        int size = rank.size;
        Span one = Span.of(new long[1]);
        Span all = Span.of(new long[size]);
        long[] eights = new long[size];
        Arrays.fill(eights, 8);
        long[] negative = eights.clone();
        negative[0] = -8;
        refuse("out is null but has", () -> world.gather(one, null, rank.me));
        refuse("in", () -> world.gather(null, all, 0));
        refuse("root " + size + ": expected 0 to", () -> world.gather(one, all, size));
        refuse("out has", () -> world.allgather(one, Span.of(new byte[7])));
        refuse("in is null but has", () -> world.scatter(null, one, rank.me));
        refuse("expected one for each", () -> world.allgatherv(one, all, new long[size + 1], null));
        refuse("sizes of the blocks are null", () -> world.allgatherv(one, all, null, null));
        refuse("block 0 has -8 bytes", () -> world.allgatherv(one, all, negative, null));
        refuse("overlap", () -> world.scan(all, all, Reduction.LONG_SUM));
        refuse("expected a multiple of the element size", () ->
                world.scan(Span.of(new byte[7]), all, Reduction.LONG_SUM));
        refuse("read-only", () -> world.allgather(one,
                Span.of(ByteBuffer.allocateDirect(8 * size).asReadOnlyBuffer())));
        if (size > 1) {
            long[] same = new long[size];
            refuse("overlap", () -> world.allgatherv(one, all, eights, same));
            refuse("expected a multiple of the", () ->
                    world.alltoall(Span.of(new byte[size + 1]), all));
        }
        world.allgather(one, all);
    }
}
