// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.CollOptions;
import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.MismatchException;
import io.hayate.Neighborhood;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reduction;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Neighbourhoods of random graphs, in which ranks are named several times, against a model. */
final class NeighborScenarios {
    private static final int GRAPHS = 12;
    private static final int RUNS = 3;
    private static final byte UNTOUCHED = 0x33;

    /** The lists of all ranks, which every rank draws alike. */
    private record Graph(int[][] to, int[][] from) {
        static Graph random(int ranks, SplittableRandom random) {
            List<List<Integer>> from = new ArrayList<>();
            int[][] to = new int[ranks][];
            for (int rank = 0; rank < ranks; rank++) {
                from.add(new ArrayList<>());
            }
            for (int rank = 0; rank < ranks; rank++) {
                int limit = random.nextInt(2 * ranks + 1);
                to[rank] = random.ints(limit, 0, ranks).toArray();
                for (int peer : to[rank]) {
                    from.get(peer).add(random.nextInt(from.get(peer).size() + 1), rank);
                }
            }
            return new Graph(to, from.stream().map(each -> each.stream().mapToInt(i -> i).toArray())
                    .toArray(int[][]::new));
        }

        /** The edge of the source along which block j of a rank comes. */
        int edge(int rank, int j) {
            int source = from[rank][j];
            int before = 0;
            for (int i = 0; i < j; i++) {
                before += from[rank][i] == source ? 1 : 0;
            }
            int edge = 0;
            while (to[source][edge] != rank || before-- > 0) {
                edge++;
            }
            return edge;
        }
    }

    private static byte content(int source, int edge, int run, int i) {
        return (byte) (source * 41 + edge * 7 + run * 3 + i + (i >> 7));
    }

    private static void fill(ByteBuffer image, int at, int bytes, int source, int edge, int run) {
        for (int i = 0; i < bytes; i++) {
            image.put(at + i, content(source, edge, run, i));
        }
    }

    /** A call with its arguments: each run of it moves the same memory. */
    private interface Call extends AutoCloseable {
        void run();

        @Override
        default void close() {
        }
    }

    private static Call prepared(PersistentOperation operation) {
        return new Call() {
            @Override
            public void run() {
                operation.start();
                operation.await();
            }

            @Override
            public void close() {
                operation.close();
            }
        };
    }

    /** What is done with the blocks of a graph. */
    private interface Case {
        void run(Neighborhood near, Graph graph, int number);
    }

    private static void each(Rank rank, long seed, Case what) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < GRAPHS; i++) {
            Graph graph = Graph.random(rank.size, random);
            if (!rank.takesNextCase()) {
                continue;
            }
            Neighborhood near = rank.fmpl.world().neighbors(
                    graph.from[rank.me], graph.to[rank.me]);
            try {
                what.run(near, graph, i);
            } catch (AssertionError | RuntimeException wrong) {
                throw new AssertionError("graph " + i + ", to " + Arrays.deepToString(graph.to)
                        + ", from " + Arrays.deepToString(graph.from), wrong);
            }
        }
    }

    private static BufferKind kind(int number) {
        return BufferKind.values()[number % BufferKind.values().length];
    }

    /** Blocks of 8 times any number of bytes. */
    private static int bytes(int number, int source, int edge) {
        int[] scales = {0, 8, 200, 4096, 24_000};
        return scales[number % scales.length] / 8 * (1 + (source + edge) % 3) * 8;
    }

    private static ByteBuffer image(int bytes) {
        byte[] all = new byte[bytes];
        Arrays.fill(all, UNTOUCHED);
        return ByteBuffer.wrap(all);
    }

    private static int sum(long[] sizes, int gap) {
        return (int) Arrays.stream(sizes).map(size -> size + gap).sum();
    }

    private static long[] offsets(long[] sizes, int gap) {
        long[] offsets = new long[sizes.length];
        for (int i = 1; i < sizes.length; i++) {
            offsets[i] = offsets[i - 1] + sizes[i - 1] + gap;
        }
        return offsets;
    }

    @Scenario
    static void should_exchange_blocks_of_any_length(Rank rank) {
        each(rank, 1, (near, graph, number) -> {
            long[] inSizes = new long[graph.to[rank.me].length];
            long[] outSizes = new long[graph.from[rank.me].length];
            Arrays.setAll(inSizes, e -> bytes(number, rank.me, e));
            Arrays.setAll(outSizes, j ->
                    bytes(number, graph.from[rank.me][j], graph.edge(rank.me, j)));
            int gap = number % 2 * 16;
            long[] from = gap == 0 ? null : offsets(inSizes, gap);
            long[] to = gap == 0 ? null : offsets(outSizes, gap);
            try (Memory in = kind(number).of(rank, sum(inSizes, gap));
                    Memory out = kind(number / 2 + 3).of(rank, sum(outSizes, gap));
                    Call call = number % 3 == 0 ? prepared(near.prepareAlltoallv(in.span(),
                            inSizes, from, out.span(), outSizes, to, CollOptions.AUTO))
                            : number % 3 == 1 ? () -> near.alltoallv(in.span(), inSizes, from,
                                    out.span(), outSizes, to)
                            : () -> near.ialltoallv(in.span(), inSizes, from, out.span(),
                                    outSizes, to).await()) {
                for (int run = 0; run < RUNS; run++) {
                    uneven(rank, graph, run, gap, inSizes, outSizes, in, out, call);
                }
            }
        });
    }

    private static void uneven(Rank rank, Graph graph, int run, int gap, long[] inSizes,
            long[] outSizes, Memory in, Memory out, Call call) {
        ByteBuffer sent = image(sum(inSizes, gap));
        ByteBuffer expected = image(sum(outSizes, gap));
        long[] from = offsets(inSizes, gap);
        long[] to = offsets(outSizes, gap);
        out.put(expected);
        for (int e = 0; e < inSizes.length; e++) {
            fill(sent, (int) from[e], (int) inSizes[e], rank.me, e, run);
        }
        for (int j = 0; j < outSizes.length; j++) {
            fill(expected, (int) to[j], (int) outSizes[j], graph.from[rank.me][j],
                    graph.edge(rank.me, j), run);
        }
        in.put(sent);
        call.run();
        check(in.get().equals(sent), "the input has changed");
        int at = out.get().mismatch(expected);
        check(at < 0, "byte " + at + " is wrong");
    }

    @Scenario
    static void should_exchange_blocks_of_the_same_length(Rank rank) {
        each(rank, 2, (near, graph, number) -> {
            int bytes = bytes(number, 0, 0);
            boolean same = number % 2 == 0; // allgather
            int sent = same ? 1 : graph.to[rank.me].length;
            int received = graph.from[rank.me].length;
            try (Memory in = kind(number + 1).of(rank, sent * bytes);
                    Memory out = kind(number / 2).of(rank, received * bytes);
                    Call call = even(near, same, number / 2 % 3, in.span(), out.span())) {
                for (int run = 0; run < RUNS; run++) {
                    ByteBuffer own = image(sent * bytes);
                    ByteBuffer expected = image(received * bytes);
                    out.put(expected);
                    for (int e = 0; e < sent; e++) {
                        fill(own, e * bytes, bytes, rank.me, e, run);
                    }
                    for (int j = 0; j < received; j++) {
                        fill(expected, j * bytes, bytes, graph.from[rank.me][j],
                                same ? 0 : graph.edge(rank.me, j), run);
                    }
                    in.put(own);
                    call.run();
                    int at = out.get().mismatch(expected);
                    check(at < 0, "byte " + at + " of blocks of " + bytes + " is wrong");
                }
            }
        });
    }

    private static Call even(Neighborhood near, boolean same, int form, Span in, Span out) {
        CollOptions auto = CollOptions.AUTO;
        return form == 0 ? () -> {
            if (same) {
                near.allgather(in, out);
            } else {
                near.alltoall(in, out);
            }
        } : form == 1 ? () -> (same ? near.iallgather(in, out) : near.ialltoall(in, out)).await()
                : prepared(same ? near.prepareAllgather(in, out, auto)
                        : near.prepareAlltoall(in, out, auto));
    }

    /** A block in memory of its own: an array, every second byte of a buffer, or of the heap. */
    private static final class Block {
        private final ByteBuffer memory;
        private final int stride;
        private final int bytes;
        final Span span;

        Block(Rank rank, int bytes, int number, List<Runnable> releases) {
            this.bytes = bytes;
            stride = number % 3 == 1 ? 2 : 1;
            if (number % 3 == 2 && bytes > 0) {
                var heap = rank.job.allocate(bytes);
                memory = heap.buffer();
                span = heap;
                releases.add(heap::close);
                return;
            }
            memory = number % 3 == 0 ? ByteBuffer.allocate(bytes) : Rank.direct(2 * bytes);
            Span whole = Span.of(memory);
            span = stride == 1 ? whole : whole.strided(0, 1, 2, bytes);
        }

        void fill(int source, int edge, int run) {
            for (int i = 0; i < bytes; i++) {
                memory.put(i * stride, content(source, edge, run, i));
            }
        }

        void verify(int source, int edge, int run) {
            for (int i = 0; i < bytes; i++) {
                equal(content(source, edge, run, i), memory.get(i * stride), "byte " + i
                        + " of edge " + edge + " of rank " + source);
                check(stride == 1 || memory.get(i * stride + 1) == 0, "between the bytes");
            }
        }
    }

    private static Block[] blocks(Rank rank, int count, long[] sizes, List<Runnable> releases) {
        Block[] blocks = new Block[count];
        Arrays.setAll(blocks, i -> new Block(rank, (int) sizes[i], i + rank.me, releases));
        return blocks;
    }

    private static Span[] spans(Block[] blocks) {
        return Arrays.stream(blocks).map(block -> block.span).toArray(Span[]::new);
    }

    @Scenario
    static void should_exchange_spans_of_any_memory(Rank rank) {
        each(rank, 3, (near, graph, number) -> {
            int[] to = graph.to[rank.me];
            int[] from = graph.from[rank.me];
            List<Runnable> releases = new ArrayList<>();
            long[] inSizes = new long[to.length];
            long[] outSizes = new long[from.length];
            Arrays.setAll(inSizes, e -> bytes(number, rank.me, e));
            Arrays.setAll(outSizes, j -> bytes(number, from[j], graph.edge(rank.me, j)));
            Block[] in = blocks(rank, to.length, inSizes, releases);
            Block[] out = blocks(rank, from.length, outSizes, releases);
            Span[] sent = spans(in);
            Span[] got = spans(out);
            try (Call call = number % 3 == 0 ? () -> near.alltoallw(sent, got)
                    : number % 3 == 1 ? () -> near.ialltoallw(sent, got).await()
                    : prepared(near.prepareAlltoallw(sent, got, CollOptions.AUTO))) {
                for (int run = 0; run < RUNS; run++) {
                    for (int e = 0; e < in.length; e++) {
                        in[e].fill(rank.me, e, run);
                    }
                    call.run();
                    for (int j = 0; j < out.length; j++) {
                        out[j].verify(from[j], graph.edge(rank.me, j), run);
                    }
                }
            }
            releases.forEach(Runnable::run);
        });
    }

    @Scenario
    static void should_exchange_spans_with_all_members(Rank rank) {
        Communicator world = rank.fmpl.world();
        for (int number = 0; number < 6; number++) {
            List<Runnable> releases = new ArrayList<>();
            long[] inSizes = new long[rank.size];
            long[] outSizes = new long[rank.size];
            int scale = number;
            Arrays.setAll(inSizes, member -> bytes(scale, rank.me, member));
            Arrays.setAll(outSizes, member -> bytes(scale, member, rank.me));
            Block[] in = blocks(rank, rank.size, inSizes, releases);
            Block[] out = blocks(rank, rank.size, outSizes, releases);
            Span[] sent = spans(in);
            Span[] got = spans(out);
            try (Call call = number % 3 == 0 ? () -> world.alltoallw(sent, got)
                    : number % 3 == 1 ? () -> world.ialltoallw(sent, got).await()
                    : prepared(PersistentColl.on(world).alltoallw(sent, got, CollOptions.AUTO))) {
                for (int run = 0; run < RUNS; run++) {
                    for (int member = 0; member < rank.size; member++) {
                        in[member].fill(rank.me, member, run);
                    }
                    call.run();
                    for (int member = 0; member < rank.size; member++) {
                        out[member].verify(member, rank.me, run);
                    }
                }
            }
            releases.forEach(Runnable::run);
        }
    }

    /** The ranks of a ring, of which only the first knows of a short cut to the last. */
    @Scenario(ranks = 3)
    static void should_tell_all_members_who_names_whom(Rank rank) {
        Communicator world = rank.fmpl.world();
        int last = rank.size - 1;
        int[] from = {rank.left()};
        int[] to = rank.me == 0 ? new int[] {rank.right(), last, last} : new int[] {rank.right()};
        MismatchException told = expect(MismatchException.class, "another graph",
                () -> world.neighbors(from, to));
        boolean concerned = rank.me == 0 || rank.me == last;
        String text = rank.me == 0
                ? "rank " + last + " names this rank 0 times as a source, but this rank names rank "
                        + last + " 2 times as a destination"
                : rank.me == last ? "rank 0 names this rank 2 times as a destination, but this rank"
                        + " names rank 0 0 times as a source"
                : "do not fit together";
        check(told.reason().contains(text), told.reason());
        check(!concerned || told.peer() == last - rank.me, "peer " + told.peer());
        long[] one = {1};
        world.allreduce(Span.of(one), Reduction.LONG_SUM); // the communicator goes on
        equal(rank.size, one[0], "the next collective");
        Neighborhood ring = world.neighbors(from, new int[] {rank.right()});
        byte[] got = new byte[1];
        ring.allgather(Span.of(new byte[] {(byte) rank.me}), Span.of(got));
        equal((byte) rank.left(), got[0], "of the ring");
    }

    /** Only neighbours wait for each other: rank 0, which nobody names, is late. */
    @Scenario(ranks = 3)
    static void should_not_wait_for_members_that_are_no_neighbours(Rank rank) {
        Communicator world = rank.fmpl.world();
        int other = rank.size - 1;
        int[] peers = rank.me == 0 || rank.me > 2 ? new int[] {Fmpl.NO_RANK}
                : new int[] {rank.me == 1 ? Math.min(2, other) : 1};
        Neighborhood near = world.neighbors(peers, peers);
        byte[] got = {UNTOUCHED};
        try (PersistentOperation prepared = near.prepareAllgather(
                Span.of(new byte[] {(byte) rank.me}), Span.of(got), CollOptions.AUTO)) {
            if (rank.me == 0) {
                rank.listen(1); // who has completed both forms by then
            }
            near.allgather(Span.of(new byte[] {(byte) rank.me}), Span.of(got));
            prepared.start();
            prepared.await();
            if (rank.me == 1) {
                rank.tell(0);
            }
            equal(peers[0] < 0 ? UNTOUCHED : (byte) peers[0], got[0], "of the neighbour");
            world.barrier();
        }
    }
}
