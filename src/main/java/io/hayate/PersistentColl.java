// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static io.hayate.internal.PcollBinding.ALLGATHER;
import static io.hayate.internal.PcollBinding.ALLREDUCE;
import static io.hayate.internal.PcollBinding.ALLTOALL;
import static io.hayate.internal.PcollBinding.BARRIER;
import static io.hayate.internal.PcollBinding.BCAST;
import static io.hayate.internal.PcollBinding.GATHER;
import static io.hayate.internal.PcollBinding.IN_COUNTS;
import static io.hayate.internal.PcollBinding.IN_OFFSETS;
import static io.hayate.internal.PcollBinding.IN_SIZES;
import static io.hayate.internal.PcollBinding.OUT_OFFSETS;
import static io.hayate.internal.PcollBinding.OUT_SIZES;
import static io.hayate.internal.PcollBinding.REDUCE;
import static io.hayate.internal.PcollBinding.REDUCE_SCATTER;
import static io.hayate.internal.PcollBinding.SCATTER;

import io.hayate.internal.Errors;
import io.hayate.internal.fmpl.CommunicatorState;
import io.hayate.internal.fmpl.FmplState;
import io.hayate.internal.pcoll.OperationState;
import io.hayate.internal.pcoll.Preparation;

/**
 * Collectives that are prepared once and started many times. They follow Sugiyama and Nanri on
 * persistent collectives for the RDMA model, and MPI 4.
 *
 * <p>Each method here is collective over the communicator: it checks that all members mean the
 * same, chooses an algorithm and how it moves its data, lays out memory that the peers reach, and
 * exchanges addresses. The operation that it gives is then started and awaited as often as wanted.
 * Any memory will do; that of the heap is the fastest. Several operations may be under way at once
 * on one communicator. Members prepare them in the same order; they may start and await them in
 * different orders.
 *
 * <pre>{@code
 * try (PersistentOperation sum = PersistentColl.on(fmpl.world()).allreduce(span, Reduction.DSUM)) {
 *     while (notConverged()) {
 *         sum.start();
 *         computeMeanwhile();
 *         sum.await();
 *     }
 * }
 * }</pre>
 *
 * <p>Blocks are in bytes, one for each member, one after the other in their order. The length of a
 * block is that of the span that has one of them; a span on the other side has room for all, or
 * more. In and out do not overlap, unless said otherwise.
 *
 * <p><strong>Threads.</strong> Any thread may call, one at a time on a communicator. No call holds
 * the carrier of a virtual thread while it waits.
 *
 * <p><strong>Errors.</strong> Every method that prepares may throw {@link ArgumentException} (null,
 * out of range, too small, overlapping, read-only, an algorithm that there is not or that does not
 * fit; nothing is changed, and the others wait), {@link MismatchException} (members mean different
 * things: names a member and the argument), {@link MemoryExhaustedException} (also of another
 * member), {@link BusyException} (another thread is in a collective of the communicator),
 * {@link ClosedException}, and {@link PeerFailedException}.
 */
public final class PersistentColl {
    private final FmplState fmpl;
    private final CommunicatorState communicator;

    private PersistentColl(Communicator communicator) {
        fmpl = communicator.fmpl;
        this.communicator = communicator.state;
    }

    /**
     * The persistent collectives of a communicator.
     *
     * @param communicator of which this rank is a member
     * @return to prepare them
     * @throws ArgumentException if it is null, or this rank is not a member
     */
    public static PersistentColl on(Communicator communicator) {
        if (!Errors.required(communicator, "communicator").isMember()) {
            throw Errors.argument("this rank is not a member of the communicator");
        }
        return new PersistentColl(communicator);
    }

    /** null: this rank has no such side. */
    private Preparation prepare(int collective, Span in, Span out) {
        return new Preparation(collective, communicator, in == null ? null : in.memory,
                out == null ? null : out.memory);
    }

    private PersistentOperation open(Preparation what, CollOptions options) {
        String chosen = Errors.required(options, "options").toString();
        String property = CollOptions.ofProperties(what.name()).toString();
        return OperationState.open(
                fmpl, communicator, what, chosen, property, PersistentOperation::new);
    }

    /**
     * Works on whatever is under way in this process and can be worked on. Never blocks.
     *
     * @throws ClosedException if the {@link Fmpl} is closed
     */
    public void progress() {
        OperationState.progress(fmpl.context());
    }

    /**
     * As {@link #bcast(Span, int, CollOptions)}, with all options open.
     *
     * @param buffer as long on every member
     * @param root the member that has the data
     * @return the operation, to be closed
     */
    public PersistentOperation bcast(Span buffer, int root) {
        return bcast(buffer, root, CollOptions.AUTO);
    }

    /**
     * Broadcasts: the memory of the root to that of all members.
     *
     * @param buffer as long on every member
     * @param root the member that has the data
     * @param options how it is done
     * @return the operation, to be closed
     * @throws HayateException see the class
     */
    public PersistentOperation bcast(Span buffer, int root, CollOptions options) {
        return open(prepare(BCAST, null, buffer).countOfOut("buffer").root(root), options);
    }

    /**
     * As {@link #reduce(Span, Reduction, int, CollOptions)}, with all options open.
     *
     * @param buffer whole elements, aligned, as long on every member
     * @param reduction what to do
     * @param root the member that gets the result
     * @return the operation, to be closed
     */
    public PersistentOperation reduce(Span buffer, Reduction reduction, int root) {
        return reduce(buffer, reduction, root, CollOptions.AUTO);
    }

    /**
     * Reduces element by element: the memory of the root becomes the result, that of the others is
     * unchanged.
     *
     * @param buffer whole elements, aligned, as long on every member
     * @param reduction what to do
     * @param root the member that gets the result
     * @param options how it is done
     * @return the operation, to be closed
     * @throws HayateException see the class
     */
    public PersistentOperation reduce(Span buffer, Reduction reduction, int root,
            CollOptions options) {
        return open(prepare(REDUCE, null, buffer).reduction(Reduction.op(reduction))
                .countOfOut("buffer").root(root), options);
    }

    /**
     * As {@link #allreduce(Span, Reduction, CollOptions)}, with all options open.
     *
     * @param buffer whole elements, aligned, as long on every member
     * @param reduction what to do
     * @return the operation, to be closed
     */
    public PersistentOperation allreduce(Span buffer, Reduction reduction) {
        return allreduce(buffer, reduction, CollOptions.AUTO);
    }

    /**
     * Reduces element by element, and all members get the result, bit for bit the same.
     *
     * @param buffer whole elements, aligned, as long on every member
     * @param reduction what to do
     * @param options how it is done
     * @return the operation, to be closed
     * @throws HayateException see the class
     */
    public PersistentOperation allreduce(Span buffer, Reduction reduction, CollOptions options) {
        return open(prepare(ALLREDUCE, null, buffer).reduction(Reduction.op(reduction))
                .countOfOut("buffer"), options);
    }

    /**
     * As {@link #gather(Span, Span, int, CollOptions)}, with all options open.
     *
     * @param in this member's block; on the root it may be in its place in {@code out} already
     * @param out a block of each; null but on the root
     * @param root the member that gets all
     * @return the operation, to be closed
     */
    public PersistentOperation gather(Span in, Span out, int root) {
        return gather(in, out, root, CollOptions.AUTO);
    }

    /**
     * Gathers a block of each member on the root.
     *
     * @param in this member's block; on the root it may be in its place in {@code out} already
     * @param out a block of each; null but on the root
     * @param root the member that gets all
     * @param options how it is done
     * @return the operation, to be closed
     * @throws HayateException see the class
     */
    public PersistentOperation gather(Span in, Span out, int root, CollOptions options) {
        return open(prepare(GATHER, in, out).countOfIn("in").root(root), options);
    }

    /**
     * As {@link #gatherv(Span, Span, long[], long[], int, CollOptions)}, with all options open.
     *
     * @param in this member's block
     * @param out all blocks; null but on the root
     * @param sizes bytes of each block; null but on the root
     * @param offsets where each begins in {@code out}, in bytes; null: one after the other
     * @param root the member that gets all
     * @return the operation, to be closed
     */
    public PersistentOperation gatherv(Span in, Span out, long[] sizes, long[] offsets, int root) {
        return gatherv(in, out, sizes, offsets, root, CollOptions.AUTO);
    }

    /**
     * Gathers blocks of different lengths on the root.
     *
     * @param in this member's block
     * @param out all blocks; null but on the root
     * @param sizes bytes of each block; null but on the root
     * @param offsets where each begins in {@code out}, in bytes; null: one after the other
     * @param root the member that gets all
     * @param options how it is done
     * @return the operation, to be closed
     * @throws HayateException see the class
     */
    public PersistentOperation gatherv(Span in, Span out, long[] sizes, long[] offsets, int root,
            CollOptions options) {
        return open(prepare(GATHER, in, out).uneven().countOfIn("in").root(root)
                .blocks(OUT_SIZES, sizes, "sizes")
                .blocks(OUT_OFFSETS, offsets, "offsets"), options);
    }

    /**
     * As {@link #scatter(Span, Span, int, CollOptions)}, with all options open.
     *
     * @param in a block for each; null but on the root
     * @param out this member's block; on the root it may be in its place in {@code in}
     * @param root the member that has all
     * @return the operation, to be closed
     */
    public PersistentOperation scatter(Span in, Span out, int root) {
        return scatter(in, out, root, CollOptions.AUTO);
    }

    /**
     * Scatters a block to each member from the root.
     *
     * @param in a block for each; null but on the root
     * @param out this member's block; on the root it may be in its place in {@code in}
     * @param root the member that has all
     * @param options how it is done
     * @return the operation, to be closed
     * @throws HayateException see the class
     */
    public PersistentOperation scatter(Span in, Span out, int root, CollOptions options) {
        return open(prepare(SCATTER, in, out).countOfOut("out").root(root), options);
    }

    /**
     * As {@link #scatterv(Span, long[], long[], Span, int, CollOptions)}, with all options open.
     *
     * @param in all blocks; null but on the root
     * @param sizes bytes of each block; null but on the root
     * @param offsets where each begins in {@code in}, in bytes; null: one after the other
     * @param out this member's block
     * @param root the member that has all
     * @return the operation, to be closed
     */
    public PersistentOperation scatterv(Span in, long[] sizes, long[] offsets, Span out, int root) {
        return scatterv(in, sizes, offsets, out, root, CollOptions.AUTO);
    }

    /**
     * Scatters blocks of different lengths from the root.
     *
     * @param in all blocks; null but on the root
     * @param sizes bytes of each block; null but on the root
     * @param offsets where each begins in {@code in}, in bytes; null: one after the other
     * @param out this member's block
     * @param root the member that has all
     * @param options how it is done
     * @return the operation, to be closed
     * @throws HayateException see the class
     */
    public PersistentOperation scatterv(Span in, long[] sizes, long[] offsets, Span out, int root,
            CollOptions options) {
        return open(prepare(SCATTER, in, out).uneven().countOfOut("out").root(root)
                .blocks(IN_SIZES, sizes, "sizes").blocks(IN_OFFSETS, offsets, "offsets"), options);
    }

    /**
     * As {@link #allgather(Span, Span, CollOptions)}, with all options open.
     *
     * @param in this member's block; it may be in its place in {@code out} already
     * @param out a block of each
     * @return the operation, to be closed
     */
    public PersistentOperation allgather(Span in, Span out) {
        return allgather(in, out, CollOptions.AUTO);
    }

    /**
     * Gathers a block of each member on all.
     *
     * @param in this member's block; it may be in its place in {@code out} already
     * @param out a block of each
     * @param options how it is done
     * @return the operation, to be closed
     * @throws HayateException see the class
     */
    public PersistentOperation allgather(Span in, Span out, CollOptions options) {
        return open(prepare(ALLGATHER, in, out).countOfIn("in"), options);
    }

    /**
     * As {@link #allgatherv(Span, Span, long[], long[], CollOptions)}, with all options open.
     *
     * @param in this member's block, at least {@code sizes[rank]} bytes
     * @param out all blocks
     * @param sizes bytes of each block, the same on every member
     * @param offsets where each begins in {@code out}, in bytes, the same on every member; null:
     *     one after the other
     * @return the operation, to be closed
     */
    public PersistentOperation allgatherv(Span in, Span out, long[] sizes, long[] offsets) {
        return allgatherv(in, out, sizes, offsets, CollOptions.AUTO);
    }

    /**
     * Gathers blocks of different lengths on all.
     *
     * @param in this member's block, at least {@code sizes[rank]} bytes
     * @param out all blocks
     * @param sizes bytes of each block, the same on every member
     * @param offsets where each begins in {@code out}, in bytes, the same on every member; null:
     *     one after the other
     * @param options how it is done
     * @return the operation, to be closed
     * @throws HayateException see the class
     */
    public PersistentOperation allgatherv(Span in, Span out, long[] sizes, long[] offsets,
            CollOptions options) {
        return open(prepare(ALLGATHER, in, out).uneven().blocks(OUT_SIZES, sizes, "sizes")
                .blocks(OUT_OFFSETS, offsets, "offsets"), options);
    }

    /**
     * As {@link #alltoall(Span, Span, CollOptions)}, with all options open.
     *
     * @param in a block for each, whose number of bytes is a multiple of the members
     * @param out a block of each
     * @return the operation, to be closed
     */
    public PersistentOperation alltoall(Span in, Span out) {
        return alltoall(in, out, CollOptions.AUTO);
    }

    /**
     * A block from each member to each: block i of {@code in} goes to member i, where it is the
     * block of this rank in {@code out}.
     *
     * @param in a block for each, whose number of bytes is a multiple of the members
     * @param out a block of each
     * @param options how it is done
     * @return the operation, to be closed
     * @throws HayateException see the class
     */
    public PersistentOperation alltoall(Span in, Span out, CollOptions options) {
        return open(prepare(ALLTOALL, in, out).countOfEachIn("in"), options);
    }

    /**
     * As {@link #alltoallv(Span, long[], long[], Span, long[], long[], CollOptions)},
     * with all options open.
     *
     * @param in a block for each
     * @param inSizes bytes for each
     * @param inOffsets where each begins in {@code in}, in bytes; null: one after the other
     * @param out a block of each
     * @param outSizes bytes of each
     * @param outOffsets where each begins in {@code out}, in bytes; null: one after the other
     * @return the operation, to be closed
     */
    public PersistentOperation alltoallv(Span in, long[] inSizes, long[] inOffsets, Span out,
            long[] outSizes, long[] outOffsets) {
        return alltoallv(in, inSizes, inOffsets, out, outSizes, outOffsets, CollOptions.AUTO);
    }

    /**
     * Blocks of different lengths from each member to each. What one sends to another is as long as
     * that one expects.
     *
     * @param in a block for each
     * @param inSizes bytes for each
     * @param inOffsets where each begins in {@code in}, in bytes; null: one after the other
     * @param out a block of each
     * @param outSizes bytes of each
     * @param outOffsets where each begins in {@code out}, in bytes; null: one after the other
     * @param options how it is done
     * @return the operation, to be closed
     * @throws HayateException see the class
     */
    public PersistentOperation alltoallv(Span in, long[] inSizes, long[] inOffsets, Span out,
            long[] outSizes, long[] outOffsets, CollOptions options) {
        return open(prepare(ALLTOALL, in, out).uneven()
                .blocks(IN_SIZES, inSizes, "inSizes").blocks(IN_OFFSETS, inOffsets, "inOffsets")
                .blocks(OUT_SIZES, outSizes, "outSizes")
                .blocks(OUT_OFFSETS, outOffsets, "outOffsets"), options);
    }

    /**
     * As {@link #reduceScatter(Span, Span, Reduction, CollOptions)}, with all options open.
     *
     * @param in a block for each, aligned
     * @param out the block of this rank, whole elements, aligned
     * @param reduction what to do
     * @return the operation, to be closed
     */
    public PersistentOperation reduceScatter(Span in, Span out, Reduction reduction) {
        return reduceScatter(in, out, reduction, CollOptions.AUTO);
    }

    /**
     * Reduces element by element, and each member gets a block of the result.
     *
     * @param in a block for each, aligned
     * @param out the block of this rank, whole elements, aligned
     * @param reduction what to do
     * @param options how it is done
     * @return the operation, to be closed
     * @throws HayateException see the class
     */
    public PersistentOperation reduceScatter(Span in, Span out, Reduction reduction,
            CollOptions options) {
        return open(prepare(REDUCE_SCATTER, in, out).reduction(Reduction.op(reduction))
                .countOfOut("out"), options);
    }

    /**
     * As {@link #reduceScatterv(Span, Span, long[], Reduction, CollOptions)},
     * with all options open.
     *
     * @param in all blocks one after the other, aligned
     * @param out the block of this rank, aligned
     * @param counts elements of each block, the same on every member
     * @param reduction what to do
     * @return the operation, to be closed
     */
    public PersistentOperation reduceScatterv(Span in, Span out, long[] counts,
            Reduction reduction) {
        return reduceScatterv(in, out, counts, reduction, CollOptions.AUTO);
    }

    /**
     * Reduces element by element, and each member gets a block of the result, of different lengths.
     *
     * @param in all blocks one after the other, aligned
     * @param out the block of this rank, aligned
     * @param counts elements of each block, the same on every member
     * @param reduction what to do
     * @param options how it is done
     * @return the operation, to be closed
     * @throws HayateException see the class
     */
    public PersistentOperation reduceScatterv(Span in, Span out, long[] counts, Reduction reduction,
            CollOptions options) {
        return open(prepare(REDUCE_SCATTER, in, out).uneven()
                .reduction(Reduction.op(reduction)).blocks(IN_COUNTS, counts, "counts"), options);
    }

    /**
     * As {@link #barrier(CollOptions)}, with all options open.
     *
     * @return the operation, to be closed
     */
    public PersistentOperation barrier() {
        return barrier(CollOptions.AUTO);
    }

    /**
     * Over when every member has started it.
     *
     * @param options how it is done
     * @return the operation, to be closed
     * @throws HayateException see the class
     */
    public PersistentOperation barrier(CollOptions options) {
        return open(prepare(BARRIER, null, null), options);
    }
}
