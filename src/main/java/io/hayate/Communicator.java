// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.bindings.FmplBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.fmpl.CollectiveCall;
import io.hayate.internal.fmpl.CollectiveOperation;
import io.hayate.internal.fmpl.CommunicatorState;
import io.hayate.internal.fmpl.FmplState;
import io.hayate.internal.fmpl.ReduceOp;
import io.hayate.internal.job.Memory;

/**
 * A subset of the job's ranks that call collectives together. {@link Fmpl#world()} has all ranks,
 * {@link Fmpl#create(boolean)} makes a communicator of some ranks of the job, numbered in the order
 * of their ranks, and {@link #split} makes several of the members of one. As many can be open as
 * there is memory for: with n ranks, each takes about 2304 n bytes, at least 8 KiB, of the system
 * area of a rank, and of its symmetric heap if that is full. The memory is free again when all
 * members have closed the communicator.
 *
 * <p>A communicator runs one collective at a time: a call of a second thread throws
 * {@link BusyException}. After a failure in the middle of a collective it can no longer be used.
 * The death of a member ends the collective on all other members. If a member leaves the job, only
 * the members that wait for it get an error. They must leave the job as well, because others may be
 * waiting for them alone.
 *
 * <p>{@link Fmpl#create} waits until all ranks of the job have called it. If several threads of a
 * rank call it, the calls run one after the other; they delay no other calls. All ranks must make
 * their calls of {@link Fmpl#create}, {@link Fmpl#init} and {@link Ompl#open} in the same order: a
 * call that meets a rank in another set-up throws {@link MismatchException}. The wait ends with
 * {@link PeerFailedException} if a rank dies or leaves, and with {@link ClosedException} if the job
 * or the {@link Fmpl} is closed before all ranks have called; the call then has no effect. On
 * several nodes, closing the {@link Fmpl} no longer ends the wait when all ranks of this node have
 * called.
 *
 * <p><strong>Collectives.</strong> All members call the same collective, with arguments that match.
 * Any memory can be used; memory of the symmetric heap is the fastest. The first call with some
 * arguments chooses an algorithm, and the communicator remembers the choices for 128 different
 * ones, so repeated calls are fast. {@link PersistentColl} has the same collectives for fixed
 * memory, which are faster still and can overlap.
 *
 * <p>In collectives with {@code in} and {@code out}, there is one block of bytes for each member;
 * blocks follow each other in the order of the members. The span that contains a single block
 * determines the length of a block; the span on the other side must have room for all blocks, and
 * may be longer. {@code in} and {@code out} must not overlap, unless stated otherwise. The methods
 * whose names end in v take blocks of unequal length, which may be empty; bytes between blocks do
 * not change. Their sizes and offsets are in bytes, not in elements; those that are not of whole
 * elements of an array are refused ({@link Span#as}).
 *
 * <p><strong>Non-blocking forms.</strong> The methods whose names begin with i start a collective,
 * never wait, and return a {@link Request}, which can be awaited together with those of messages;
 * it cannot be cancelled, and its length is 0. Until {@link Request#await()} or
 * {@link Request#test()} has found the collective complete, the communicator is busy, and the
 * memory belongs to the collective: it must be neither changed nor read, and a heap span cannot be
 * closed. Progress is made in all calls of this rank that wait, and in tests. For several
 * collectives at once, use {@link #dup()}. Members may mix both forms.
 *
 * <p><strong>Giving up.</strong> A blocking collective that waits for longer than
 * {@link Fmpl#timeout()} throws {@link TimedOutException}, which names the rank that it waited for,
 * and one whose thread is interrupted {@link InterruptedWaitException}. The communicator is broken
 * then: the other members may be anywhere in the collective. Each later collective on it throws
 * {@link BrokenCommunicatorException} at once, and the members that cannot complete the collective
 * throw it within about 0.2 s of their call. Members that are late may still read and write the
 * memory of this member: it is held until the {@link Fmpl} is closed, and a heap span cannot be
 * closed before. Arrays are not used any more. The same holds for a collective that fails because
 * members pass different arguments or one has died. The communicator can be closed; messages,
 * persistent operations that are prepared already, and other communicators go on, such as one that
 * was made by {@link #dup()} in time. A wait for a non-blocking form breaks nothing: it can be
 * repeated.
 *
 * <!-- java: Fmpl fmpl; int columns; double[] mine; -->
 * <pre>{@code
 * Communicator world = fmpl.world();
 * try (Communicator row = world.split(world.rank() / columns, world.rank())) {   // color, key
 *     double[] all = new double[mine.length * row.size()];
 *     row.allgather(Span.of(mine), Span.of(all));
 *     Request sum = row.iallreduce(Span.of(mine), Reduction.DOUBLE_SUM);
 *     sum.await();
 * }
 * }</pre>
 *
 * <p>Every collective may throw {@link ArgumentException} (an argument is null, out of range, too
 * small, overlapping, or read-only, or this rank is not a member; nothing is changed, and the other
 * members wait), {@link MismatchException} (members pass arguments that do not match, or call
 * different collectives), {@link BusyException}, {@link MemoryExhaustedException},
 * {@link CallbackException} (of a custom reduction), {@link ClosedException},
 * {@link TimedOutException}, {@link InterruptedWaitException}, {@link BrokenCommunicatorException},
 * and {@link PeerFailedException}, also if a member has closed the communicator before. After a
 * mismatch, the death of a member, or a lack of memory in the middle, the communicator can no
 * longer be used.
 */
public final class Communicator implements AutoCloseable {
    final FmplState fmpl;
    final CommunicatorState state;
    private final Fmpl owner;
    private final CommunicatorCalls calls;

    Communicator(Fmpl owner, CommunicatorState state) {
        this.owner = owner;
        this.state = state;
        fmpl = owner.state;
        calls = new CommunicatorCalls(state);
    }

    /** Returns the state of an argument, which must not be null. */
    static CommunicatorState state(Communicator communicator) {
        return Errors.required(communicator, "communicator").state;
    }

    /**
     * Returns the number of this rank in the communicator.
     *
     * @return 0 to size - 1, or -1 if this rank is not a member
     */
    public int rank() {
        return state.rank();
    }

    /**
     * Returns the number of members.
     *
     * @return at least 1, or 0 if this rank is not a member
     */
    public int size() {
        return state.size();
    }

    /**
     * Returns whether this rank is a member.
     *
     * @return {@code false} if this rank cannot call collectives on this communicator
     */
    public boolean isMember() {
        return state.isMember();
    }

    /**
     * Returns which rank of the job a member is.
     *
     * @param rank the number of the member in this communicator, 0 to size - 1
     * @return its rank in the job
     * @throws ArgumentException if there is no such member
     * @throws ClosedException after close
     */
    public int jobRank(int rank) {
        return state.members().jobRank(rank);
    }

    /**
     * Returns which member a rank of the job is.
     *
     * @param jobRank a rank of the job
     * @return its number in this communicator, or -1 if it is not a member
     * @throws ArgumentException if the job has no such rank
     * @throws ClosedException after close
     */
    public int rankOf(int jobRank) {
        return state.members().rankOf(jobRank);
    }

    private int partner(int rank) {
        return rank == Fmpl.NO_RANK ? rank : jobRank(rank);
    }

    /**
     * Sends a message to a member: {@link Fmpl#send(Span, int, int)} to the rank of the job that it
     * is. The entries (mai) are those of the {@link Fmpl}: a message that is sent here and one that
     * is sent by the rank of the job can meet the same receive.
     *
     * @param span the data to send
     * @param dst the receiver's number in this communicator, or {@link Fmpl#NO_RANK}
     * @param mai the entry, 0 to count - 1
     */
    public void send(Span span, int dst, int mai) {
        owner.send(span, partner(dst), mai);
    }

    /**
     * Receives a message from a member, like {@link Fmpl#recv(Span, int, int)}; see
     * {@link #send(Span, int, int)}.
     *
     * @param span the memory for the message
     * @param src the sender's number in this communicator, or {@link Fmpl#NO_RANK}
     * @param mai the entry, 0 to count - 1
     * @return the length of the message in bytes
     */
    public long recv(Span span, int src, int mai) {
        return owner.recv(span, partner(src), mai);
    }

    /**
     * Starts a send to a member, like {@link Fmpl#isend(Span, int, int)}; see
     * {@link #send(Span, int, int)}.
     *
     * @param span the data to send, not to be changed until the request is complete
     * @param dst the receiver's number in this communicator, or {@link Fmpl#NO_RANK}
     * @param mai the entry, 0 to count - 1
     * @return the request of (dst, mai), the same object as that of {@link Fmpl#isend}
     */
    public Request isend(Span span, int dst, int mai) {
        return owner.isend(span, partner(dst), mai);
    }

    /**
     * Starts a receive from a member, like {@link Fmpl#irecv(Span, int, int)}; see
     * {@link #send(Span, int, int)}.
     *
     * @param span the memory for the message, not to be used until the request is complete
     * @param src the sender's number in this communicator, or {@link Fmpl#NO_RANK}
     * @param mai the entry, 0 to count - 1
     * @return the request of (src, mai), the same object as that of {@link Fmpl#irecv}
     */
    public Request irecv(Span span, int src, int mai) {
        return owner.irecv(span, partner(src), mai);
    }

    /**
     * Sends to one member and receives from another at the same time, like
     * {@link Fmpl#sendrecv(Span, int, int, Span, int, int)}.
     *
     * @param out the data to send
     * @param dst the receiver's number in this communicator, or {@link Fmpl#NO_RANK}
     * @param sendMai the entry of the send
     * @param in the memory for the message, which must not overlap the data to send
     * @param src the sender's number in this communicator, or {@link Fmpl#NO_RANK}
     * @param recvMai the entry of the receive
     * @return the length of the received message in bytes
     */
    public long sendrecv(Span out, int dst, int sendMai, Span in, int src, int recvMai) {
        return owner.sendrecv(out, partner(dst), sendMai, in, partner(src), recvMai);
    }

    /**
     * Makes a communicator of the same members, with the same numbers, which runs collectives
     * independently of this one. Collective over the members.
     *
     * @return the communicator, which the caller closes
     * @throws HayateException the same exceptions as {@link #split(int, int)}
     */
    public Communicator dup() {
        return split(0, rank());
    }

    /**
     * Splits the communicator: members that pass the same color form a new communicator. Collective
     * over the members; other ranks of the job take no part. In the new communicator, members are
     * numbered by key; members with equal keys keep their order.
     *
     * @param color from 0; below 0 if this rank joins no new communicator
     * @param key any number
     * @return the communicator, which the caller closes; for a color below 0, a communicator
     *     without members
     * @throws ArgumentException if this rank is not a member
     * @throws BusyException if another collective is in progress on this communicator
     * @throws MemoryExhaustedException if a member has no memory for its new communicator; then no
     *     member has one, and this communicator can still be used
     * @throws MismatchException if a member calls another collective; this communicator can then no
     *     longer be used
     * @throws PeerFailedException if a member has died or left; this communicator can then no
     *     longer be used
     * @throws ClosedException after close, or if the job is closed meanwhile
     */
    public Communicator split(int color, int key) {
        return fmpl.communicators().split(state, color, key, made -> new Communicator(owner, made));
    }

    /**
     * Makes a communicator of the members that live, after one or several have died, in a job that
     * survives deaths ({@code hayate run --survive}, or HAYATE_SURVIVE=1). Collective over the
     * members that live; this communicator may be broken. The members keep their order.
     *
     * <p>In such a job, a death ends all waits of all other ranks with {@link PeerFailedException},
     * whatever they are for. Each rank then calls this method on the same communicator, most often
     * {@link Fmpl#world()} or the last one that this method has returned. From then on, the deaths
     * known by then end no more waits on this rank, except those for the dead.
     *
     * <p>With the new communicator, everything works: collectives, persistent ones, {@link #split},
     * {@link #dup}, and messages to its members; use other mais than those of messages that the
     * death has ended. All communicators that were made before are over: their collectives throw
     * {@link BrokenCommunicatorException} instead of waiting; close them. What all ranks of the job
     * do together is refused with {@link StateException}: {@link Fmpl#create}, {@link Fmpl#init},
     * {@link Ompl#open}. Closing the {@link Fmpl} and {@link Hayate} is local, as always.
     *
     * <p>If another member dies meanwhile, it is left out, or the first wait on the new
     * communicator throws {@link PeerFailedException} again; then call this method on the new one.
     * Some members may then have returned from the first call and others not; they still meet. A
     * member that closes the job instead is left out. {@link Fmpl#timeout()} limits the wait for
     * members that do not come.
     *
     * @return the communicator, which the caller closes
     * @throws StateException if the job does not survive deaths
     * @throws BusyException if a collective is in progress on this communicator, or another thread
     *     of this rank is in this method
     * @throws MemoryExhaustedException if a member has no memory for it; repeat the call on all
     *     members
     * @throws TimedOutException if the wait lasts for longer than {@link Fmpl#timeout()}
     * @throws InterruptedWaitException if the thread is interrupted
     * @throws PeerFailedException if the launcher has ended, the network of this node has failed,
     *     or the other ranks take this one for dead
     * @throws ArgumentException if this rank is not a member
     * @throws ClosedException after close, or if the job is closed meanwhile
     */
    public Communicator shrink() {
        return fmpl.communicators().shrink(state, made -> new Communicator(owner, made));
    }

    /**
     * Describes with which members this rank exchanges blocks: its edges in a directed graph, of
     * which each member passes its own. Collective over the members.
     *
     * @param sources the members from which this rank receives, or {@link Fmpl#NO_RANK}; a member
     *     may be there several times, and this rank, too
     * @param destinations the members to which it sends, likewise
     * @return the neighbourhood; it lives as long as this communicator
     * @throws ArgumentException if an array is null, or names no member; the other members wait
     * @throws MismatchException on all members, if one does not name another one as a source as
     *     often as that one names it as a destination; the text says who names whom. The
     *     communicator can still be used
     * @throws HayateException the exceptions that the class describes
     */
    public Neighborhood neighbors(int[] sources, int[] destinations) {
        return Neighborhood.of(this, sources, destinations, 0);
    }

    private void inPlace(int kind, Span buffer, Reduction reduction, int root) {
        Memory memory = Errors.required(buffer, "buffer").memory;
        if (reduction == null) {
            fmpl.collectives().bcast(kind, memory, root, state);
            return;
        }
        ReduceOp op = Reduction.op(reduction);
        fmpl.collectives().reduce(kind, memory, 0, op.count(memory.bytes), op, root, state);
    }

    private void run(CollectiveCall what) {
        fmpl.collectives().twoSided(what, state);
    }

    private Request start(CollectiveCall what) {
        return new Request(CollectiveOperation.start(fmpl, state, what));
    }

    /**
     * Waits until every member has called this method.
     *
     * @throws HayateException the exceptions that the class describes
     */
    public void barrier() {
        fmpl.collectives().barrier(state);
    }

    /**
     * Broadcasts the root's buffer to the buffers of all members.
     *
     * @param buffer the data, of the same length on every member
     * @param root the member that has the data
     * @throws HayateException the exceptions that the class describes
     */
    public void bcast(Span buffer, int root) {
        inPlace(FmplBinding.BCAST, buffer, null, root);
    }

    /**
     * Reduces element by element. The buffer of the root receives the result; the buffers of the
     * other members are unchanged.
     *
     * @param buffer whole elements, aligned, of the same length on every member
     * @param reduction the reduction
     * @param root the member that gets the result
     * @throws HayateException the exceptions that the class describes
     */
    public void reduce(Span buffer, Reduction reduction, int root) {
        Reduction.op(reduction);
        inPlace(FmplBinding.REDUCE, buffer, reduction, root);
    }

    /**
     * Reduces element by element, and stores the result on all members. It is the same on all of
     * them, bit for bit.
     *
     * @param buffer whole elements, aligned, of the same length on every member
     * @param reduction the reduction
     * @throws HayateException the exceptions that the class describes
     */
    public void allreduce(Span buffer, Reduction reduction) {
        Reduction.op(reduction);
        inPlace(FmplBinding.ALLREDUCE, buffer, reduction, 0);
    }

    /**
     * Reduces element by element, like {@link #reduce(Span, Reduction, int)}, into separate memory.
     * Members may mix both forms.
     *
     * @param in whole elements, aligned, of the same length on every member
     * @param out as long as {@code in}, on the root; null or anything elsewhere
     * @param reduction the reduction
     * @param root the member that gets the result
     * @throws HayateException the exceptions that the class describes
     */
    public void reduce(Span in, Span out, Reduction reduction, int root) {
        run(calls.reduce(in, out, reduction, root));
    }

    /**
     * Reduces element by element, like {@link #allreduce(Span, Reduction)}, into separate memory.
     * Members may mix both forms.
     *
     * @param in whole elements, aligned, of the same length on every member
     * @param out as long as {@code in}
     * @param reduction the reduction
     * @throws HayateException the exceptions that the class describes
     */
    public void allreduce(Span in, Span out, Reduction reduction) {
        run(calls.allreduce(in, out, reduction));
    }

    /**
     * Gathers one block of each member on the root.
     *
     * @param in this member's block; on the root it may already be at its place in {@code out}
     * @param out the blocks of all members; null except on the root
     * @param root the member that receives all blocks
     * @throws HayateException the exceptions that the class describes
     */
    public void gather(Span in, Span out, int root) {
        run(calls.gather(in, out, root));
    }

    /**
     * Gathers blocks of different lengths on the root.
     *
     * @param in this member's block
     * @param out all blocks; null except on the root
     * @param sizes the length of each block in bytes; null except on the root
     * @param offsets the offset of each block in {@code out}, in bytes; null: the blocks follow
     *     each other
     * @param root the member that receives all blocks
     * @throws HayateException the exceptions that the class describes
     */
    public void gatherv(Span in, Span out, long[] sizes, long[] offsets, int root) {
        run(calls.gatherv(in, out, sizes, offsets, root));
    }

    /**
     * Scatters one block to each member from the root.
     *
     * @param in a block for each member; null except on the root
     * @param out this member's block; on the root it may be at its place in {@code in}
     * @param root the member that has all blocks
     * @throws HayateException the exceptions that the class describes
     */
    public void scatter(Span in, Span out, int root) {
        run(calls.scatter(in, out, root));
    }

    /**
     * Scatters blocks of different lengths from the root.
     *
     * @param in all blocks; null except on the root
     * @param sizes the length of each block in bytes; null except on the root
     * @param offsets the offset of each block in {@code in}, in bytes; null: the blocks follow
     *     each other
     * @param out this member's block
     * @param root the member that has all blocks
     * @throws HayateException the exceptions that the class describes
     */
    public void scatterv(Span in, long[] sizes, long[] offsets, Span out, int root) {
        run(calls.scatterv(in, sizes, offsets, out, root));
    }

    /**
     * Gathers one block of each member on all members.
     *
     * @param in this member's block; it may already be at its place in {@code out}
     * @param out the blocks of all members
     * @throws HayateException the exceptions that the class describes
     */
    public void allgather(Span in, Span out) {
        run(calls.allgather(in, out));
    }

    /**
     * Gathers blocks of different lengths on all members.
     *
     * @param in this member's block; it may already be at its place in {@code out}
     * @param out all blocks
     * @param sizes the length of each block in bytes, the same on all members
     * @param offsets the offset of each block in {@code out}, in bytes, the same on all members;
     *     null: the blocks follow each other
     * @throws HayateException the exceptions that the class describes
     */
    public void allgatherv(Span in, Span out, long[] sizes, long[] offsets) {
        run(calls.allgatherv(in, out, sizes, offsets));
    }

    /**
     * Sends one block from every member to every member.
     *
     * @param in a block for each member: its length is a multiple of the number of members
     * @param out a block of each member
     * @throws HayateException the exceptions that the class describes
     */
    public void alltoall(Span in, Span out) {
        run(calls.alltoall(in, out));
    }

    /**
     * Sends a block of a different length from every member to every member.
     *
     * @param in a block for each member
     * @param inSizes the length of each block in {@code in}, in bytes
     * @param inOffsets the offset of each block in {@code in}, in bytes; null: the blocks follow
     *     each other
     * @param out a block of each member
     * @param outSizes the length of each block in {@code out}, in bytes
     * @param outOffsets the offset of each block in {@code out}, in bytes; null: the blocks follow
     *     each other
     * @throws HayateException the exceptions that the class describes
     */
    public void alltoallv(Span in, long[] inSizes, long[] inOffsets, Span out, long[] outSizes,
            long[] outOffsets) {
        run(calls.alltoallv(in, inSizes, inOffsets, out, outSizes, outOffsets));
    }

    /**
     * Sends a block to each member and receives one of each, like {@link #alltoallv}, where each
     * block is a span of its own: in any memory, and also one of blocks ({@link Span#strided}).
     * Both sides are copied.
     *
     * @param in the block for each member; null: an empty one
     * @param out the memory for the block of each member; null: an empty one
     * @throws HayateException the exceptions that the class describes
     */
    public void alltoallw(Span[] in, Span[] out) {
        run(calls.alltoallw(in, out));
    }

    /**
     * Reduces element by element, and gives each member one block of the result.
     *
     * @param in a block for each member; whole elements, aligned
     * @param out this member's block of the result
     * @param reduction the reduction
     * @throws HayateException the exceptions that the class describes
     */
    public void reduceScatter(Span in, Span out, Reduction reduction) {
        run(calls.reduceScatter(in, out, reduction));
    }

    /**
     * Reduces element by element, and gives each member a block of a different length.
     *
     * @param in all blocks, which follow each other; whole elements, aligned
     * @param out this member's block of the result
     * @param counts the number of elements of each block, the same on all members
     * @param reduction the reduction
     * @throws HayateException the exceptions that the class describes
     */
    public void reduceScatterv(Span in, Span out, long[] counts, Reduction reduction) {
        run(calls.reduceScatterv(in, out, counts, reduction));
    }

    /**
     * Reduces {@code in} of the members up to this one into {@code out}, element by element, in
     * the order of the members (a prefix reduction).
     *
     * @param in whole elements, aligned, of the same length on every member
     * @param out as long as {@code in}
     * @param reduction the reduction; it need not commute, but must be associative
     * @throws HayateException the exceptions that the class describes
     */
    public void scan(Span in, Span out, Reduction reduction) {
        run(calls.scan(in, out, reduction));
    }

    /**
     * Reduces like {@link #scan(Span, Span, Reduction)}, but {@code in} of the members below this
     * one. {@code out} of member 0 does not change.
     *
     * @param in whole elements, aligned, of the same length on every member
     * @param out as long as {@code in}
     * @param reduction the reduction; it need not commute, but must be associative
     * @throws HayateException the exceptions that the class describes
     */
    public void exscan(Span in, Span out, Reduction reduction) {
        run(calls.exscan(in, out, reduction));
    }

    // ---- non-blocking ----

    /**
     * Starts {@link #barrier()}.
     *
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request ibarrier() {
        return start(calls.barrier());
    }

    /**
     * Starts {@link #bcast(Span, int)}.
     *
     * @param buffer as there
     * @param root as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request ibcast(Span buffer, int root) {
        return start(calls.bcast(buffer, root));
    }

    /**
     * Starts {@link #reduce(Span, Reduction, int)}.
     *
     * @param buffer as there
     * @param reduction as there
     * @param root as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request ireduce(Span buffer, Reduction reduction, int root) {
        return start(calls.reduce(buffer, reduction, root));
    }

    /**
     * Starts {@link #allreduce(Span, Reduction)}.
     *
     * @param buffer as there
     * @param reduction as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request iallreduce(Span buffer, Reduction reduction) {
        return start(calls.allreduce(buffer, reduction));
    }

    /**
     * Starts {@link #reduce(Span, Span, Reduction, int)}.
     *
     * @param in as there
     * @param out as there
     * @param reduction as there
     * @param root as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request ireduce(Span in, Span out, Reduction reduction, int root) {
        return start(calls.reduce(in, out, reduction, root));
    }

    /**
     * Starts {@link #allreduce(Span, Span, Reduction)}.
     *
     * @param in as there
     * @param out as there
     * @param reduction as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request iallreduce(Span in, Span out, Reduction reduction) {
        return start(calls.allreduce(in, out, reduction));
    }

    /**
     * Starts {@link #gather(Span, Span, int)}.
     *
     * @param in as there
     * @param out as there
     * @param root as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request igather(Span in, Span out, int root) {
        return start(calls.gather(in, out, root));
    }

    /**
     * Starts {@link #gatherv(Span, Span, long[], long[], int)}.
     *
     * @param in as there
     * @param out as there
     * @param sizes as there
     * @param offsets as there
     * @param root as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request igatherv(Span in, Span out, long[] sizes, long[] offsets, int root) {
        return start(calls.gatherv(in, out, sizes, offsets, root));
    }

    /**
     * Starts {@link #scatter(Span, Span, int)}.
     *
     * @param in as there
     * @param out as there
     * @param root as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request iscatter(Span in, Span out, int root) {
        return start(calls.scatter(in, out, root));
    }

    /**
     * Starts {@link #scatterv(Span, long[], long[], Span, int)}.
     *
     * @param in as there
     * @param sizes as there
     * @param offsets as there
     * @param out as there
     * @param root as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request iscatterv(Span in, long[] sizes, long[] offsets, Span out, int root) {
        return start(calls.scatterv(in, sizes, offsets, out, root));
    }

    /**
     * Starts {@link #allgather(Span, Span)}.
     *
     * @param in as there
     * @param out as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request iallgather(Span in, Span out) {
        return start(calls.allgather(in, out));
    }

    /**
     * Starts {@link #allgatherv(Span, Span, long[], long[])}.
     *
     * @param in as there
     * @param out as there
     * @param sizes as there
     * @param offsets as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request iallgatherv(Span in, Span out, long[] sizes, long[] offsets) {
        return start(calls.allgatherv(in, out, sizes, offsets));
    }

    /**
     * Starts {@link #alltoall(Span, Span)}.
     *
     * @param in as there
     * @param out as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request ialltoall(Span in, Span out) {
        return start(calls.alltoall(in, out));
    }

    /**
     * Starts {@link #alltoallv(Span, long[], long[], Span, long[], long[])}.
     *
     * @param in as there
     * @param inSizes as there
     * @param inOffsets as there
     * @param out as there
     * @param outSizes as there
     * @param outOffsets as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request ialltoallv(Span in, long[] inSizes, long[] inOffsets, Span out, long[] outSizes,
            long[] outOffsets) {
        return start(calls.alltoallv(in, inSizes, inOffsets, out, outSizes, outOffsets));
    }

    /**
     * Starts {@link #alltoallw(Span[], Span[])}.
     *
     * @param in as there
     * @param out as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request ialltoallw(Span[] in, Span[] out) {
        return start(calls.alltoallw(in, out));
    }

    /**
     * Starts {@link #reduceScatter(Span, Span, Reduction)}.
     *
     * @param in as there
     * @param out as there
     * @param reduction as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request ireduceScatter(Span in, Span out, Reduction reduction) {
        return start(calls.reduceScatter(in, out, reduction));
    }

    /**
     * Starts {@link #reduceScatterv(Span, Span, long[], Reduction)}.
     *
     * @param in as there
     * @param out as there
     * @param counts as there
     * @param reduction as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request ireduceScatterv(Span in, Span out, long[] counts, Reduction reduction) {
        return start(calls.reduceScatterv(in, out, counts, reduction));
    }

    /**
     * Starts {@link #scan(Span, Span, Reduction)}.
     *
     * @param in as there
     * @param out as there
     * @param reduction as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request iscan(Span in, Span out, Reduction reduction) {
        return start(calls.scan(in, out, reduction));
    }

    /**
     * Starts {@link #exscan(Span, Span, Reduction)}.
     *
     * @param in as there
     * @param out as there
     * @param reduction as there
     * @return the request of the collective
     * @throws HayateException the exceptions that the class describes
     */
    public Request iexscan(Span in, Span out, Reduction reduction) {
        return start(calls.exscan(in, out, reduction));
    }

    /**
     * Closes the communicator on this rank; idempotent. The communicator of all ranks
     * ({@link Fmpl#world()}) stays open until the {@link Fmpl} is closed, and closing it does
     * nothing.
     *
     * @throws BusyException if a collective is in progress, or a {@link PersistentOperation} that
     *     is prepared on it is not closed; the communicator then stays open
     * @throws MismatchException if the communicator is closed, but another member that has closed
     *     it, or waits, has made other collectives: more or fewer, or with other arguments, such as
     *     another root
     */
    @Override
    public void close() {
        fmpl.communicators().close(state);
    }

    /**
     * Returns a human-readable description.
     *
     * @return a text with this rank's number, the number of members, and whether it is closed
     */
    @Override
    public String toString() {
        return state.toString();
    }
}
