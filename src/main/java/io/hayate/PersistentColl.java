// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static io.hayate.internal.bindings.PcollBinding.ALLGATHER;
import static io.hayate.internal.bindings.PcollBinding.ALLREDUCE;
import static io.hayate.internal.bindings.PcollBinding.ALLTOALL;
import static io.hayate.internal.bindings.PcollBinding.BARRIER;
import static io.hayate.internal.bindings.PcollBinding.BCAST;
import static io.hayate.internal.bindings.PcollBinding.EXSCAN;
import static io.hayate.internal.bindings.PcollBinding.GATHER;
import static io.hayate.internal.bindings.PcollBinding.IN_COUNTS;
import static io.hayate.internal.bindings.PcollBinding.IN_OFFSETS;
import static io.hayate.internal.bindings.PcollBinding.IN_SIZES;
import static io.hayate.internal.bindings.PcollBinding.OUT_OFFSETS;
import static io.hayate.internal.bindings.PcollBinding.OUT_SIZES;
import static io.hayate.internal.bindings.PcollBinding.REDUCE;
import static io.hayate.internal.bindings.PcollBinding.REDUCE_SCATTER;
import static io.hayate.internal.bindings.PcollBinding.SCAN;
import static io.hayate.internal.bindings.PcollBinding.SCATTER;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.fmpl.CollectiveCall;
import io.hayate.internal.fmpl.CommunicatorState;
import io.hayate.internal.fmpl.FmplState;
import io.hayate.internal.pcoll.OperationState;

/**
 * Creates persistent collectives, which are prepared once and started many times. They follow MPI
 * 4, and the work of Sugiyama and Nanri on persistent collectives for the RDMA model.
 *
 * <p>Each method of this class is collective over the communicator. It checks that all members pass
 * matching arguments, chooses an algorithm and a transfer method, allocates memory that the peers
 * can access, and exchanges addresses. The program then starts and awaits the resulting operation
 * any number of times. Any memory can be used; memory of the symmetric heap is the fastest. Several
 * operations may be in progress at once on one communicator. Members must prepare them in the same
 * order; they may start and await them in different orders.
 *
 * <!-- java: Fmpl fmpl; Span span; abstract boolean notConverged();
 *      abstract void computeMeanwhile(); -->
 * <pre>{@code
 * PersistentColl coll = PersistentColl.on(fmpl.world());
 * try (PersistentOperation sum = coll.allreduce(span, Reduction.DOUBLE_SUM)) {
 *     while (notConverged()) {
 *         sum.start();
 *         computeMeanwhile();
 *         sum.await();
 *     }
 * }
 * }</pre>
 *
 * <p>There is one block of bytes for each member; blocks follow each other in the order of the
 * members. The span that contains a single block determines the length of a block; the span on the
 * other side must have room for all blocks, and may be longer. {@code in} and {@code out} must not
 * overlap, unless stated otherwise.
 *
 * <p>{@link Neighborhood} prepares the collectives of neighbours itself.
 *
 * <p><strong>Threads.</strong> Any thread may call, one at a time on a communicator. A call that
 * waits in a virtual thread releases the carrier.
 *
 * <p><strong>Errors.</strong> Every method that prepares may throw {@link ArgumentException} (an
 * argument is null, out of range, too small, overlapping, or read-only, or the algorithm does not
 * exist or does not fit; nothing is changed, and the other members wait), {@link MismatchException}
 * (members pass arguments that do not match; the text names a member and the argument),
 * {@link MemoryExhaustedException} (on this or another member), {@link BusyException} (another
 * thread is in a collective of the communicator), {@link ClosedException}, and
 * {@link PeerFailedException}.
 */
public final class PersistentColl {
    private final FmplState fmpl;
    private final CommunicatorState communicator;

    private PersistentColl(Communicator communicator) {
        fmpl = communicator.fmpl;
        this.communicator = communicator.state;
    }

    /**
     * Returns the persistent collectives of a communicator.
     *
     * @param communicator a communicator of which this rank is a member
     * @return an object that prepares the operations
     * @throws ArgumentException if communicator is null, or this rank is not a member
     */
    public static PersistentColl on(Communicator communicator) {
        if (!Errors.required(communicator, "communicator").isMember()) {
            throw Errors.argument("this rank is not a member of the communicator");
        }
        return new PersistentColl(communicator);
    }

    /** A null span means that this rank has no buffer on that side. */
    private CollectiveCall prepare(int collective, Span in, Span out) {
        return new CollectiveCall(collective, communicator, in == null ? null : in.memory,
                out == null ? null : out.memory);
    }

    private PersistentOperation open(CollectiveCall what, CollOptions options) {
        String chosen = Errors.required(options, "options").toString();
        String property = CollOptions.ofProperties(what.name()).toString();
        return OperationState.open(
                fmpl, communicator, what, chosen, property, PersistentOperation::new);
    }

    /**
     * Makes progress on all operations of this process that can proceed. Never blocks.
     *
     * @throws ClosedException if the {@link Fmpl} is closed
     */
    public void progress() {
        OperationState.progress(fmpl.context());
    }

    /**
     * Prepares a broadcast like {@link #bcast(Span, int, CollOptions)}, with all options open.
     *
     * @param buffer the data, of the same length on every member
     * @param root the member that has the data
     * @return the operation; the caller closes it
     */
    public PersistentOperation bcast(Span buffer, int root) {
        return bcast(buffer, root, CollOptions.AUTO);
    }

    /**
     * Prepares a broadcast of the root's buffer to the buffers of all members.
     *
     * @param buffer the data, of the same length on every member
     * @param root the member that has the data
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation bcast(Span buffer, int root, CollOptions options) {
        return open(prepare(BCAST, null, buffer).countOfOut("buffer").root(root), options);
    }

    /**
     * Prepares a reduction like {@link #reduce(Span, Reduction, int, CollOptions)}, with all
     * options open.
     *
     * @param buffer whole elements, aligned, of the same length on every member
     * @param reduction the reduction
     * @param root the member that gets the result
     * @return the operation; the caller closes it
     */
    public PersistentOperation reduce(Span buffer, Reduction reduction, int root) {
        return reduce(buffer, reduction, root, CollOptions.AUTO);
    }

    /**
     * Prepares a reduction element by element. The buffer of the root receives the result; the
     * buffers of the other members are unchanged.
     *
     * @param buffer whole elements, aligned, of the same length on every member
     * @param reduction the reduction
     * @param root the member that gets the result
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation reduce(Span buffer, Reduction reduction, int root,
            CollOptions options) {
        return open(prepare(REDUCE, null, buffer).reduction(Reduction.op(reduction))
                .countOfOut("buffer").root(root), options);
    }

    /**
     * Prepares a reduction like {@link #allreduce(Span, Reduction, CollOptions)}, with all options
     * open.
     *
     * @param buffer whole elements, aligned, of the same length on every member
     * @param reduction the reduction
     * @return the operation; the caller closes it
     */
    public PersistentOperation allreduce(Span buffer, Reduction reduction) {
        return allreduce(buffer, reduction, CollOptions.AUTO);
    }

    /**
     * Prepares a reduction element by element that stores the result on all members. It is the same
     * on all of them, bit for bit.
     *
     * @param buffer whole elements, aligned, of the same length on every member
     * @param reduction the reduction
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation allreduce(Span buffer, Reduction reduction, CollOptions options) {
        return open(prepare(ALLREDUCE, null, buffer).reduction(Reduction.op(reduction))
                .countOfOut("buffer"), options);
    }

    /**
     * Prepares a reduction like {@link #reduce(Span, Reduction, int, CollOptions)} into separate
     * memory. Members may mix both forms.
     *
     * @param in whole elements, aligned, of the same length on every member
     * @param out as long as {@code in}, on the root; null or anything elsewhere
     * @param reduction the reduction
     * @param root the member that gets the result
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation reduce(Span in, Span out, Reduction reduction, int root,
            CollOptions options) {
        return open(prepare(REDUCE, in, out).apart().reduction(Reduction.op(reduction))
                .countOfIn("in").root(root), options);
    }

    /**
     * Prepares a reduction like {@link #allreduce(Span, Reduction, CollOptions)} into separate
     * memory. Members may mix both forms.
     *
     * @param in whole elements, aligned, of the same length on every member
     * @param out as long as {@code in}
     * @param reduction the reduction
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation allreduce(Span in, Span out, Reduction reduction,
            CollOptions options) {
        return open(prepare(ALLREDUCE, in, out).apart().reduction(Reduction.op(reduction))
                .countOfIn("in"), options);
    }

    /**
     * Prepares a gather like {@link #gather(Span, Span, int, CollOptions)}, with all options open.
     *
     * @param in this member's block; on the root it may already be at its place in {@code out}
     * @param out the blocks of all members; null except on the root
     * @param root the member that receives all blocks
     * @return the operation; the caller closes it
     */
    public PersistentOperation gather(Span in, Span out, int root) {
        return gather(in, out, root, CollOptions.AUTO);
    }

    /**
     * Prepares a gather of one block of each member on the root.
     *
     * @param in this member's block; on the root it may already be at its place in {@code out}
     * @param out the blocks of all members; null except on the root
     * @param root the member that receives all blocks
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation gather(Span in, Span out, int root, CollOptions options) {
        return open(prepare(GATHER, in, out).countOfIn("in").root(root), options);
    }

    /**
     * Prepares a gather like {@link #gatherv(Span, Span, long[], long[], int, CollOptions)}, with
     * all options open.
     *
     * @param in this member's block
     * @param out all blocks; null except on the root
     * @param sizes the length of each block in bytes; null except on the root
     * @param offsets the offset of each block in {@code out}, in bytes; null: the blocks follow
     *     each other
     * @param root the member that receives all blocks
     * @return the operation; the caller closes it
     */
    public PersistentOperation gatherv(Span in, Span out, long[] sizes, long[] offsets, int root) {
        return gatherv(in, out, sizes, offsets, root, CollOptions.AUTO);
    }

    /**
     * Prepares a gather of blocks of different lengths on the root.
     *
     * @param in this member's block
     * @param out all blocks; null except on the root
     * @param sizes the length of each block in bytes; null except on the root
     * @param offsets the offset of each block in {@code out}, in bytes; null: the blocks follow
     *     each other
     * @param root the member that receives all blocks
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation gatherv(Span in, Span out, long[] sizes, long[] offsets, int root,
            CollOptions options) {
        return open(prepare(GATHER, in, out).uneven().countOfIn("in").root(root)
                .blocks(OUT_SIZES, sizes, "sizes")
                .blocks(OUT_OFFSETS, offsets, "offsets"), options);
    }

    /**
     * Prepares a scatter like {@link #scatter(Span, Span, int, CollOptions)}, with all options
     * open.
     *
     * @param in a block for each member; null except on the root
     * @param out this member's block; on the root it may be at its place in {@code in}
     * @param root the member that has all blocks
     * @return the operation; the caller closes it
     */
    public PersistentOperation scatter(Span in, Span out, int root) {
        return scatter(in, out, root, CollOptions.AUTO);
    }

    /**
     * Prepares a scatter of one block to each member from the root.
     *
     * @param in a block for each member; null except on the root
     * @param out this member's block; on the root it may be at its place in {@code in}
     * @param root the member that has all blocks
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation scatter(Span in, Span out, int root, CollOptions options) {
        return open(prepare(SCATTER, in, out).countOfOut("out").root(root), options);
    }

    /**
     * Prepares a scatter like {@link #scatterv(Span, long[], long[], Span, int, CollOptions)}, with
     * all options open.
     *
     * @param in all blocks; null except on the root
     * @param sizes the length of each block in bytes; null except on the root
     * @param offsets the offset of each block in {@code in}, in bytes; null: the blocks follow each
     *     other
     * @param out this member's block
     * @param root the member that has all blocks
     * @return the operation; the caller closes it
     */
    public PersistentOperation scatterv(Span in, long[] sizes, long[] offsets, Span out, int root) {
        return scatterv(in, sizes, offsets, out, root, CollOptions.AUTO);
    }

    /**
     * Prepares a scatter of blocks of different lengths from the root.
     *
     * @param in all blocks; null except on the root
     * @param sizes the length of each block in bytes; null except on the root
     * @param offsets the offset of each block in {@code in}, in bytes; null: the blocks follow each
     *     other
     * @param out this member's block
     * @param root the member that has all blocks
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation scatterv(Span in, long[] sizes, long[] offsets, Span out, int root,
            CollOptions options) {
        return open(prepare(SCATTER, in, out).uneven().countOfOut("out").root(root)
                .blocks(IN_SIZES, sizes, "sizes").blocks(IN_OFFSETS, offsets, "offsets"), options);
    }

    /**
     * Prepares an all-gather like {@link #allgather(Span, Span, CollOptions)}, with all options
     * open.
     *
     * @param in this member's block; it may already be at its place in {@code out}
     * @param out the blocks of all members
     * @return the operation; the caller closes it
     */
    public PersistentOperation allgather(Span in, Span out) {
        return allgather(in, out, CollOptions.AUTO);
    }

    /**
     * Prepares a gather of one block of each member on all members.
     *
     * @param in this member's block; it may already be at its place in {@code out}
     * @param out the blocks of all members
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation allgather(Span in, Span out, CollOptions options) {
        return open(prepare(ALLGATHER, in, out).countOfIn("in"), options);
    }

    /**
     * Prepares an all-gather like {@link #allgatherv(Span, Span, long[], long[], CollOptions)},
     * with all options open.
     *
     * @param in this member's block, at least {@code sizes[rank]} bytes
     * @param out all blocks
     * @param sizes the length of each block in bytes, the same on every member
     * @param offsets the offset of each block in {@code out}, in bytes, the same on every member;
     *     null: the blocks follow each other
     * @return the operation; the caller closes it
     */
    public PersistentOperation allgatherv(Span in, Span out, long[] sizes, long[] offsets) {
        return allgatherv(in, out, sizes, offsets, CollOptions.AUTO);
    }

    /**
     * Prepares a gather of blocks of different lengths on all members.
     *
     * @param in this member's block, at least {@code sizes[rank]} bytes
     * @param out all blocks
     * @param sizes the length of each block in bytes, the same on every member
     * @param offsets the offset of each block in {@code out}, in bytes, the same on every member;
     *     null: the blocks follow each other
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation allgatherv(Span in, Span out, long[] sizes, long[] offsets,
            CollOptions options) {
        return open(prepare(ALLGATHER, in, out).uneven().blocks(OUT_SIZES, sizes, "sizes")
                .blocks(OUT_OFFSETS, offsets, "offsets"), options);
    }

    /**
     * Prepares an all-to-all exchange like {@link #alltoall(Span, Span, CollOptions)}, with all
     * options open.
     *
     * @param in a block for each member; its length is a multiple of the number of members
     * @param out the blocks of all members
     * @return the operation; the caller closes it
     */
    public PersistentOperation alltoall(Span in, Span out) {
        return alltoall(in, out, CollOptions.AUTO);
    }

    /**
     * Prepares an exchange of one block between every two members. Block i of {@code in} goes to
     * member i, which stores it as the block of this rank in its {@code out}.
     *
     * @param in a block for each member; its length is a multiple of the number of members
     * @param out the blocks of all members
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation alltoall(Span in, Span out, CollOptions options) {
        return open(prepare(ALLTOALL, in, out).countOfEachIn("in"), options);
    }

    /**
     * Prepares an all-to-all exchange like {@link #alltoallv(Span, long[], long[], Span, long[],
     * long[], CollOptions)}, with all options open.
     *
     * @param in a block for each member
     * @param inSizes the length of each block of {@code in} in bytes
     * @param inOffsets the offset of each block in {@code in}, in bytes; null: the blocks follow
     *     each other
     * @param out the blocks of all members
     * @param outSizes the length of each block of {@code out} in bytes
     * @param outOffsets the offset of each block in {@code out}, in bytes; null: the blocks follow
     *     each other
     * @return the operation; the caller closes it
     */
    public PersistentOperation alltoallv(Span in, long[] inSizes, long[] inOffsets, Span out,
            long[] outSizes, long[] outOffsets) {
        return alltoallv(in, inSizes, inOffsets, out, outSizes, outOffsets, CollOptions.AUTO);
    }

    /**
     * Prepares an exchange of blocks of different lengths between every two members. The length of
     * a block must be the same for its sender and its receiver.
     *
     * @param in a block for each member
     * @param inSizes the length of each block of {@code in} in bytes
     * @param inOffsets the offset of each block in {@code in}, in bytes; null: the blocks follow
     *     each other
     * @param out the blocks of all members
     * @param outSizes the length of each block of {@code out} in bytes
     * @param outOffsets the offset of each block in {@code out}, in bytes; null: the blocks follow
     *     each other
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation alltoallv(Span in, long[] inSizes, long[] inOffsets, Span out,
            long[] outSizes, long[] outOffsets, CollOptions options) {
        return open(prepare(ALLTOALL, in, out).uneven()
                .blocks(IN_SIZES, inSizes, "inSizes").blocks(IN_OFFSETS, inOffsets, "inOffsets")
                .blocks(OUT_SIZES, outSizes, "outSizes")
                .blocks(OUT_OFFSETS, outOffsets, "outOffsets"), options);
    }

    /**
     * Prepares an exchange of a block from each member to each member, where each block is a span
     * of its own, like {@link Communicator#alltoallw}.
     *
     * @param in the block for each member; null: an empty one
     * @param out the memory for the block of each member; null: an empty one
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation alltoallw(Span[] in, Span[] out, CollOptions options) {
        return open(NeighborCalls.ofAll(communicator).alltoallw(in, out), options);
    }

    /**
     * Prepares a reduce-scatter like {@link #reduceScatter(Span, Span, Reduction, CollOptions)},
     * with all options open.
     *
     * @param in a block for each member, aligned
     * @param out the block of this rank, whole elements, aligned
     * @param reduction the reduction
     * @return the operation; the caller closes it
     */
    public PersistentOperation reduceScatter(Span in, Span out, Reduction reduction) {
        return reduceScatter(in, out, reduction, CollOptions.AUTO);
    }

    /**
     * Prepares a reduction element by element that stores one block of the result on each member.
     *
     * @param in a block for each member, aligned
     * @param out the block of this rank, whole elements, aligned
     * @param reduction the reduction
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation reduceScatter(Span in, Span out, Reduction reduction,
            CollOptions options) {
        return open(prepare(REDUCE_SCATTER, in, out).reduction(Reduction.op(reduction))
                .countOfOut("out"), options);
    }

    /**
     * Prepares a reduce-scatter like
     * {@link #reduceScatterv(Span, Span, long[], Reduction, CollOptions)}, with all options open.
     *
     * @param in all blocks, one after the other, aligned
     * @param out the block of this rank, aligned
     * @param counts the number of elements of each block, the same on every member
     * @param reduction the reduction
     * @return the operation; the caller closes it
     */
    public PersistentOperation reduceScatterv(Span in, Span out, long[] counts,
            Reduction reduction) {
        return reduceScatterv(in, out, counts, reduction, CollOptions.AUTO);
    }

    /**
     * Prepares a reduction element by element that stores blocks of different lengths of the result
     * on the members.
     *
     * @param in all blocks, one after the other, aligned
     * @param out the block of this rank, aligned
     * @param counts the number of elements of each block, the same on every member
     * @param reduction the reduction
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation reduceScatterv(Span in, Span out, long[] counts, Reduction reduction,
            CollOptions options) {
        return open(prepare(REDUCE_SCATTER, in, out).uneven()
                .reduction(Reduction.op(reduction)).blocks(IN_COUNTS, counts, "counts"), options);
    }

    /**
     * Prepares a scan like {@link #scan(Span, Span, Reduction, CollOptions)}, with all options
     * open.
     *
     * @param in whole elements, aligned, of the same length on every member
     * @param out as long as {@code in}
     * @param reduction the reduction
     * @return the operation; the caller closes it
     */
    public PersistentOperation scan(Span in, Span out, Reduction reduction) {
        return scan(in, out, reduction, CollOptions.AUTO);
    }

    /**
     * Prepares a prefix reduction: {@code out} receives the reduction, element by element, of
     * {@code in} of the members up to this one, in their order.
     *
     * @param in whole elements, aligned, of the same length on every member
     * @param out as long as {@code in}
     * @param reduction the reduction; it need not commute
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation scan(Span in, Span out, Reduction reduction, CollOptions options) {
        return open(prepare(SCAN, in, out).reduction(Reduction.op(reduction)).countOfIn("in"),
                options);
    }

    /**
     * Prepares a scan like {@link #exscan(Span, Span, Reduction, CollOptions)}, with all options
     * open.
     *
     * @param in whole elements, aligned, of the same length on every member
     * @param out as long as {@code in}
     * @param reduction the reduction
     * @return the operation; the caller closes it
     */
    public PersistentOperation exscan(Span in, Span out, Reduction reduction) {
        return exscan(in, out, reduction, CollOptions.AUTO);
    }

    /**
     * Prepares a prefix reduction as {@link #scan(Span, Span, Reduction, CollOptions)}, but of the
     * members below this one. {@code out} of member 0 does not change.
     *
     * @param in whole elements, aligned, of the same length on every member
     * @param out as long as {@code in}
     * @param reduction the reduction; it need not commute
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation exscan(Span in, Span out, Reduction reduction,
            CollOptions options) {
        return open(prepare(EXSCAN, in, out).reduction(Reduction.op(reduction)).countOfIn("in"),
                options);
    }

    /**
     * Prepares a barrier like {@link #barrier(CollOptions)}, with all options open.
     *
     * @return the operation; the caller closes it
     */
    public PersistentOperation barrier() {
        return barrier(CollOptions.AUTO);
    }

    /**
     * Prepares a barrier, which is complete when every member has started it.
     *
     * @param options options of the operation
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that the class describes
     */
    public PersistentOperation barrier(CollOptions options) {
        return open(prepare(BARRIER, null, null), options);
    }
}
