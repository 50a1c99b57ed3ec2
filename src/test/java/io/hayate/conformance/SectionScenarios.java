// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.ArgumentException;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reduction;
import io.hayate.Request;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Spans of blocks at a constant distance, and of rows of two-dimensional arrays. */
final class SectionScenarios {
    private static final int GAP = 16;
    private static final double UNTOUCHED = -7;

    /** Blocks of a matrix in memory of some kind, or rows; a double for each element. */
    private static final class Blocks implements AutoCloseable {
        final Span span;
        private final int block; // in doubles, like the following
        private final int stride;
        private final int count;
        private final BufferKind kind;
        private final Memory memory; // null: rows
        private final double[][] rows;

        /** {@code kind} null: rows. */
        Blocks(Rank rank, BufferKind kind, int block, int count) {
            this.kind = kind;
            this.block = block;
            this.count = count;
            stride = block + GAP / Double.BYTES;
            if (kind == null) {
                memory = null;
                rows = new double[count][stride + 1];
                span = Span.ofRows(rows, 1, block);
            } else {
                rows = null;
                memory = kind.of(rank, stride * count * Double.BYTES);
                span = memory.span().strided(0, (long) block * Double.BYTES,
                        (long) stride * Double.BYTES, count);
            }
            equal((long) block * count * Double.BYTES, span.bytes(), "bytes of blocks");
        }

        /** Element i of the packed order becomes seed + i; or everything stays untouched. */
        Blocks fill(double seed, boolean data) {
            if (memory == null) {
                for (int row = 0; row < count; row++) {
                    Arrays.fill(rows[row], UNTOUCHED);
                    for (int i = 0; i < block && data; i++) {
                        rows[row][1 + i] = seed + row * block + i;
                    }
                }
                return this;
            }
            ByteBuffer content = ByteBuffer.allocate(stride * count * Double.BYTES)
                    .order(ByteOrder.nativeOrder());
            for (int i = 0; i < stride * count; i++) {
                boolean within = data && i % stride < block;
                content.putDouble(i * Double.BYTES,
                        within ? seed + i / stride * block + i % stride : UNTOUCHED);
            }
            memory.put(content);
            return this;
        }

        void verify(double seed, double step) {
            ByteBuffer content = memory == null ? null : memory.get();
            for (int i = 0; i < stride * count; i++) {
                boolean within = i % stride < block;
                double expected = within ? seed + step * (i / stride * block + i % stride)
                        : UNTOUCHED;
                double actual = memory == null ? row(i / stride, i % stride)
                        : content.getDouble(i * Double.BYTES);
                if (actual != expected) {
                    throw new AssertionError(kind + ", blocks of " + block + ": element " + i
                            + " is " + actual + ", expected " + expected);
                }
            }
        }

        private double row(int row, int i) {
            return rows[row][(1 + i) % (stride + 1)];
        }

        @Override
        public void close() {
            if (memory != null) {
                memory.close();
            }
        }
    }

    private static final BufferKind[] KINDS = {
        BufferKind.HEAP, BufferKind.DIRECT, BufferKind.BYTES, BufferKind.DOUBLES, null};

    @Scenario
    static void should_carry_blocks_between_every_kind_of_memory(Rank rank) {
        int[][] shapes = {{1, 6}, {3, 2}, {2, 300}, {100, 6}, {30, 500}, {1, 15_000}};
        for (BufferKind from : KINDS) {
            for (BufferKind to : KINDS) {
                for (int[] shape : shapes) {
                    if (rank.takesNextCase()) {
                        pass(rank, from, to, shape[0], shape[1]);
                    }
                }
            }
        }
    }

    /** Round the ring; the receiver has rows where the sender has columns. */
    private static void pass(Rank rank, BufferKind from, BufferKind to, int block, int count) {
        try (Blocks out = new Blocks(rank, from, block, count).fill(rank.me, true);
                Blocks in = new Blocks(rank, to, count, block).fill(0, false)) {
            Request sent = rank.fmpl.isend(out.span, rank.right(), 3);
            equal(in.span.bytes(), rank.fmpl.recv(in.span, rank.left(), 3), from + " to " + to);
            sent.await();
            in.verify(rank.left(), 1);
            Request received = rank.fmpl.irecv(in.span, rank.right(), 4);
            rank.fmpl.send(out.span, rank.left(), 4);
            received.await();
            in.verify(rank.right(), 1);
        }
    }

    @Scenario
    static void should_receive_blocks_into_plain_memory(Rank rank) {
        double[] plain = new double[6000];
        try (Blocks out = new Blocks(rank, BufferKind.HEAP, 20, 300).fill(rank.me, true)) {
            Request sent = rank.fmpl.isend(out.span, rank.right(), 3);
            rank.fmpl.recv(Span.of(plain), rank.left(), 3);
            sent.await();
        }
        for (int i = 0; i < plain.length; i++) {
            Rank.check(plain[i] == rank.left() + i, "element " + i);
        }
    }

    @Scenario
    static void should_use_blocks_in_collectives(Rank rank) {
        for (BufferKind kind : KINDS) {
            try (Blocks blocks = new Blocks(rank, kind, 5, 200)) {
                blocks.fill(3, rank.me == rank.size - 1);
                rank.fmpl.bcast(blocks.span, rank.size - 1);
                blocks.verify(3, 1);
                rank.fmpl.allreduce(blocks.span, Reduction.DOUBLE_SUM);
                blocks.verify(3 * rank.size, rank.size);
            }
        }
    }

    @Scenario
    static void should_use_blocks_in_persistent_collectives(Rank rank) {
        PersistentColl coll = PersistentColl.on(rank.fmpl.world());
        for (BufferKind kind : KINDS) {
            for (int count : new int[] {1, 200, 9000}) {
                try (Blocks blocks = new Blocks(rank, kind, 5, count);
                        PersistentOperation sum = coll.allreduce(
                                blocks.span, Reduction.DOUBLE_SUM)) {
                    for (int run = 0; run < 3; run++) {
                        blocks.fill(run, true);
                        sum.start();
                        sum.await();
                        blocks.verify(run * rank.size, rank.size);
                    }
                }
            }
        }
    }

    @Scenario
    static void should_refuse_bad_blocks(Rank rank) {
        Span span = Span.of(new double[10]);
        refuse("too many", () -> span.strided(0, 8, 16, 6));
        refuse("before the memory", () -> span.strided(-8, 8, 16, 2));
        refuse("stride below a block", () -> span.strided(0, 16, 8, 2));
        refuse("negative block", () -> span.strided(0, -1, 8, 2));
        refuse("a huge stride", () -> span.strided(0, 8, Long.MAX_VALUE, 3));
        refuse("too many to count", () -> span.strided(0, 8, 8, 1L << 40));
        Span blocks = span.strided(8, 8, 24, 3);
        equal(24L, blocks.bytes(), "bytes of blocks");
        refuse("blocks of blocks", () -> blocks.strided(0, 8, 8, 1));
        refuse("part of blocks", () -> blocks.slice(0, 8));
        refuse("a short row", () -> Span.ofRows(new double[][] {{1}, {1, 2}}, 0, 2));
        refuse("a row that is null", () -> Span.ofRows(new double[][] {{1}, null}, 0, 1));
        refuse("no rows", () -> Span.ofRows((int[][]) null, 0, 1));
        refuse("not from the beginning", () -> rank.fmpl.send(blocks, 8, 16, rank.right(), 5));
        Request none = rank.fmpl.irecv(blocks, rank.left(), 6);
        rank.fmpl.send(span.strided(0, 0, 0, 7), rank.right(), 6);
        none.await();
    }

    private static void refuse(String what, Rank.Action action) {
        expect(ArgumentException.class, what, action);
    }
}
