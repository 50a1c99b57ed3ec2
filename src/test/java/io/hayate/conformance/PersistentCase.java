// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.CollOptions;
import io.hayate.Communicator;
import io.hayate.Element;
import io.hayate.HayateException;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reduction;
import io.hayate.Request;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A collective on this rank, persistent or ordinary, with the input and the expected result of each
 * run.
 */
public final class PersistentCase implements AutoCloseable {
    private static final byte UNTOUCHED = 0x5a;
    private static final long GAP = 8;

    /** Those that can be prepared. */
    public enum Collective {
        BARRIER, BCAST, REDUCE, ALLREDUCE, GATHER, SCATTER, ALLGATHER, ALLTOALL, REDUCE_SCATTER,
        SCAN, EXSCAN;

        boolean reduces() {
            return this == REDUCE || this == ALLREDUCE || ordinal() >= REDUCE_SCATTER.ordinal();
        }

        boolean isInPlace() {
            return ordinal() < GATHER.ordinal();
        }

        public boolean hasBlocks() {
            return !isInPlace() && ordinal() <= REDUCE_SCATTER.ordinal();
        }
    }

    /** Lengths of blocks, and where they are. */
    public enum Layout { EVEN, UNEVEN, SCATTERED }

    /** What is to be prepared. */
    public record Plan(Collective collective, int bytes, Layout layout, int root, BufferKind in,
            BufferKind out, CollOptions options) {
        /** The length of the block from one member to another; whole ints. */
        private int length(int from, int to) {
            if (layout == Layout.EVEN) {
                return bytes;
            }
            int which = switch (collective) {
                case GATHER, ALLGATHER -> from;
                case SCATTER, REDUCE_SCATTER -> to;
                default -> 3 * from + to;
            };
            return which % 3 == 1 ? 0 : (which % 4 + 1) * bytes / 16 * 4;
        }
    }

    private final Plan plan;
    private final int me;
    private final int size;
    private final int[] inLengths;
    private final int[] outLengths;
    private final long[] inOffsets;
    private final long[] outOffsets;
    private final long[] inSizes; // as arguments, like the following; null: none
    private final long[] outSizes;
    private final long[] inPlaces;
    private final long[] outPlaces;
    private final Memory in;
    private final Memory out;
    final PersistentOperation operation; // null: ordinary

    PersistentCase(Rank rank, Communicator comm, Plan plan) {
        this(rank, comm, plan, true);
    }

    private PersistentCase(Rank rank, Communicator comm, Plan plan, boolean persistent) {
        this.plan = plan;
        me = comm.rank();
        size = comm.size();
        inLengths = inLengths();
        outLengths = outLengths();
        inOffsets = offsets(inLengths, plan.collective != Collective.REDUCE_SCATTER);
        outOffsets = offsets(outLengths, true);
        inSizes = longs(inLengths, plan.collective == Collective.REDUCE_SCATTER ? 4 : 1);
        outSizes = longs(outLengths, 1);
        inPlaces = places(inOffsets);
        outPlaces = places(outOffsets);
        in = memory(rank, plan.in, inLengths, inOffsets);
        out = memory(rank, plan.out, outLengths, outOffsets);
        operation = persistent ? prepare(PersistentColl.on(comm)) : null;
    }

    // ---- blocks ----

    private boolean isRoot() {
        return me == plan.root;
    }

    private int[] own(int from, int to) {
        return new int[] {plan.length(from, to)};
    }

    private int[] all(boolean incoming) {
        int[] lengths = new int[size];
        for (int i = 0; i < size; i++) {
            lengths[i] = incoming ? plan.length(i, me) : plan.length(me, i);
        }
        return lengths;
    }

    /** Empty: this rank has no such side. */
    private int[] inLengths() {
        return switch (plan.collective) {
            case GATHER, ALLGATHER, SCAN, EXSCAN -> own(me, 0);
            case SCATTER -> isRoot() ? all(false) : new int[0];
            case ALLTOALL, REDUCE_SCATTER -> all(false);
            default -> new int[0];
        };
    }

    private int[] outLengths() {
        return switch (plan.collective) {
            case BARRIER -> new int[0];
            case GATHER -> isRoot() ? all(true) : new int[0];
            case SCATTER, REDUCE_SCATTER -> own(plan.root, me);
            case ALLGATHER, ALLTOALL -> all(true);
            default -> new int[] {plan.bytes};
        };
    }

    /** Scattered: the last block first, with gaps. */
    private long[] offsets(int[] lengths, boolean free) {
        long[] offsets = new long[lengths.length];
        boolean scattered = free && lengths.length > 1 && plan.layout == Layout.SCATTERED;
        long next = 0;
        for (int i = 0; i < lengths.length; i++) {
            int block = scattered ? lengths.length - 1 - i : i;
            offsets[block] = next;
            next += lengths[block] + (scattered ? GAP : 0);
        }
        return offsets;
    }

    private static Memory memory(Rank rank, BufferKind kind, int[] lengths, long[] offsets) {
        int end = 0;
        for (int i = 0; i < lengths.length; i++) {
            end = Math.max(end, (int) offsets[i] + lengths[i]);
        }
        return lengths.length == 0 ? null : kind.of(rank, end);
    }

    // ---- preparation ----

    /** Of any kind of memory; blocks and reductions are of ints. */
    private Span span(Memory memory) {
        return memory == null ? null : memory.span().as(Element.INT);
    }

    private static long[] longs(int[] numbers, int divisor) {
        long[] longs = new long[numbers.length];
        for (int i = 0; i < longs.length; i++) {
            longs[i] = numbers[i] / divisor;
        }
        return longs.length == 0 ? null : longs;
    }

    private long[] places(long[] offsets) {
        return plan.layout == Layout.SCATTERED && offsets.length > 0 ? offsets : null;
    }

    private PersistentOperation prepare(PersistentColl on) {
        boolean even = plan.layout == Layout.EVEN;
        Span from = span(in);
        Span to = span(out);
        int root = plan.root;
        CollOptions options = plan.options;
        return switch (plan.collective) {
            case BARRIER -> on.barrier(options);
            case BCAST -> on.bcast(to, root, options);
            case REDUCE -> on.reduce(to, Reduction.INT_SUM, root, options);
            case ALLREDUCE -> on.allreduce(to, Reduction.INT_SUM, options);
            case GATHER -> even ? on.gather(from, to, root, options)
                    : on.gatherv(from, to, outSizes, outPlaces, root, options);
            case SCATTER -> even ? on.scatter(from, to, root, options)
                    : on.scatterv(from, inSizes, inPlaces, to, root, options);
            case ALLGATHER -> even ? on.allgather(from, to, options)
                    : on.allgatherv(from, to, outSizes, outPlaces, options);
            case ALLTOALL -> even ? on.alltoall(from, to, options)
                    : on.alltoallv(from, inSizes, inPlaces, to, outSizes, outPlaces, options);
            case REDUCE_SCATTER -> even ? on.reduceScatter(from, to, Reduction.INT_SUM, options)
                    : on.reduceScatterv(from, to, inSizes, Reduction.INT_SUM, options);
            case SCAN -> on.scan(from, to, Reduction.INT_SUM, options);
            case EXSCAN -> on.exscan(from, to, Reduction.INT_SUM, options);
        };
    }

    private void call(Communicator on) {
        Span from = span(in);
        Span to = span(out);
        if (plan.layout != Layout.EVEN) {
            callUneven(on, from, to);
            return;
        }
        switch (plan.collective) {
            case BARRIER -> on.barrier();
            case BCAST -> on.bcast(to, plan.root);
            case REDUCE -> on.reduce(to, Reduction.INT_SUM, plan.root);
            case ALLREDUCE -> on.allreduce(to, Reduction.INT_SUM);
            case GATHER -> on.gather(from, to, plan.root);
            case SCATTER -> on.scatter(from, to, plan.root);
            case ALLGATHER -> on.allgather(from, to);
            case ALLTOALL -> on.alltoall(from, to);
            case REDUCE_SCATTER -> on.reduceScatter(from, to, Reduction.INT_SUM);
            case SCAN -> on.scan(from, to, Reduction.INT_SUM);
            default -> on.exscan(from, to, Reduction.INT_SUM);
        }
    }

    private void callUneven(Communicator on, Span from, Span to) {
        switch (plan.collective) {
            case GATHER -> on.gatherv(from, to, outSizes, outPlaces, plan.root);
            case SCATTER -> on.scatterv(from, inSizes, inPlaces, to, plan.root);
            case ALLGATHER -> on.allgatherv(from, to, outSizes, outPlaces);
            case ALLTOALL -> on.alltoallv(from, inSizes, inPlaces, to, outSizes, outPlaces);
            default -> on.reduceScatterv(from, to, inSizes, Reduction.INT_SUM);
        }
    }

    private Request start(Communicator on) {
        boolean even = plan.layout == Layout.EVEN;
        Span from = span(in);
        Span to = span(out);
        return switch (plan.collective) {
            case BARRIER -> on.ibarrier();
            case BCAST -> on.ibcast(to, plan.root);
            case REDUCE -> on.ireduce(to, Reduction.INT_SUM, plan.root);
            case ALLREDUCE -> on.iallreduce(to, Reduction.INT_SUM);
            case GATHER -> even ? on.igather(from, to, plan.root)
                    : on.igatherv(from, to, outSizes, outPlaces, plan.root);
            case SCATTER -> even ? on.iscatter(from, to, plan.root)
                    : on.iscatterv(from, inSizes, inPlaces, to, plan.root);
            case ALLGATHER -> even ? on.iallgather(from, to)
                    : on.iallgatherv(from, to, outSizes, outPlaces);
            case ALLTOALL -> even ? on.ialltoall(from, to)
                    : on.ialltoallv(from, inSizes, inPlaces, to, outSizes, outPlaces);
            case REDUCE_SCATTER -> even ? on.ireduceScatter(from, to, Reduction.INT_SUM)
                    : on.ireduceScatterv(from, to, inSizes, Reduction.INT_SUM);
            case SCAN -> on.iscan(from, to, Reduction.INT_SUM);
            default -> on.iexscan(from, to, Reduction.INT_SUM);
        };
    }

    // ---- data ----

    private static int value(int run, int from, int to, int index) {
        return run * 1009 + from * 31 + to * 7 + index % 97 * (from + 1);
    }

    private static int sum(int run, int members, int to, int index) {
        int sum = 0;
        for (int from = 0; from < members; from++) {
            sum += value(run, from, to, index);
        }
        return sum;
    }

    /** From: below 0 for the sum over as many members. */
    private void write(ByteBuffer image, long offset, int length, int run, int from, int to) {
        int at = (int) offset;
        if (plan.collective.reduces()) {
            for (int i = 0; i < length / 4; i++) {
                image.putInt(at + 4 * i, from < 0 ? sum(run, -from, to, i)
                        : value(run, from, to, i));
            }
            return;
        }
        for (int i = 0; i < length; i++) {
            image.put(at + i, (byte) value(run, from, to, i));
        }
    }

    private static ByteBuffer image(Memory memory) {
        byte[] bytes = new byte[(int) memory.span().bytes()];
        Arrays.fill(bytes, UNTOUCHED);
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }

    /** Whose data block i of the input are for. */
    private int receiver(int block) {
        return switch (plan.collective) {
            case SCATTER, ALLTOALL, REDUCE_SCATTER -> block;
            default -> 0;
        };
    }

    /** Before the start. */
    void fill(int run) {
        if (in != null) {
            ByteBuffer image = image(in);
            for (int i = 0; i < inLengths.length; i++) {
                write(image, inOffsets[i], inLengths[i], run, me, receiver(i));
            }
            in.put(image);
        }
        if (out != null) {
            ByteBuffer image = image(out);
            boolean bcast = plan.collective == Collective.BCAST;
            if (plan.collective.isInPlace() && (!bcast || isRoot())) {
                write(image, 0, plan.bytes, run, me, 0);
            }
            out.put(image);
        }
    }

    /** After the run. */
    void verify(int run) {
        if (out == null) {
            return;
        }
        ByteBuffer expected = image(out);
        for (int i = 0; i < outLengths.length; i++) {
            if (plan.collective == Collective.EXSCAN && me == 0) {
                break;
            }
            int from = switch (plan.collective) {
                case BCAST, SCATTER -> plan.root;
                case REDUCE -> isRoot() ? -size : me;
                case ALLREDUCE, REDUCE_SCATTER -> -size;
                case SCAN -> -me - 1;
                case EXSCAN -> -me;
                default -> i;
            };
            boolean mine = plan.collective == Collective.SCATTER
                    || plan.collective == Collective.ALLTOALL
                    || plan.collective == Collective.REDUCE_SCATTER;
            write(expected, outOffsets[i], outLengths[i], run, from, mine ? me : 0);
        }
        ByteBuffer actual = out.get();
        int at = expected.mismatch(actual);
        if (at >= 0) {
            throw new AssertionError("run " + run + ": byte " + at + " of " + out.span().bytes()
                    + " is " + actual.get(at) + ", expected " + expected.get(at));
        }
    }

    /** Runs with different data. */
    void run(int runs) {
        try {
            for (int run = 0; run < runs; run++) {
                fill(run);
                operation.start();
                operation.await();
                verify(run);
            }
        } catch (AssertionError | HayateException wrong) {
            throw new AssertionError(plan + ": " + operation.describe(), wrong);
        }
    }

    /** Unless another job does; see {@link Share}. */
    static void runOneOfMany(Rank rank, Plan plan, int runs) {
        if (rank.takesNextCase()) {
            run(rank, rank.fmpl.world(), plan, runs);
        }
    }

    /** Prepared, run some times, closed. */
    public static void run(Rank rank, Communicator comm, Plan plan, int runs) {
        try (PersistentCase made = new PersistentCase(rank, comm, plan)) {
            made.run(runs);
        } catch (HayateException wrong) {
            throw new AssertionError(plan.toString(), wrong);
        }
    }

    /** Called so many times, with different data, the last time without blocking. */
    public static void call(Rank rank, Communicator comm, Plan plan, int runs) {
        try (PersistentCase made = new PersistentCase(rank, comm, plan, false)) {
            for (int run = 0; run < runs; run++) {
                made.fill(run);
                if (run == runs - 1) {
                    made.start(comm).await();
                } else {
                    made.call(comm);
                }
                made.verify(run);
            }
        } catch (AssertionError | HayateException wrong) {
            throw new AssertionError(plan.toString(), wrong);
        }
    }

    @Override
    public void close() {
        if (operation != null) {
            operation.close();
        }
        if (in != null) {
            in.close();
        }
        if (out != null) {
            out.close();
        }
    }
}
