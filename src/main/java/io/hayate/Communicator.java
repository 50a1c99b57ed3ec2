// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.fmpl.CommunicatorState;
import io.hayate.internal.fmpl.FmplState;
import java.util.concurrent.atomic.AtomicInteger;

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
 */
public final class Communicator implements AutoCloseable {
    final FmplState fmpl;
    final CommunicatorState state;
    private final Fmpl owner;

    Communicator(Fmpl owner, CommunicatorState state) {
        this.owner = owner;
        this.state = state;
        fmpl = owner.state;
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
     * Closes the communicator on this rank; idempotent. The communicator of all ranks
     * ({@link Fmpl#world()}) stays open until the {@link Fmpl} is closed, and closing it does
     * nothing.
     *
     * @throws BusyException if a collective is in progress, or a {@link PersistentOperation} that
     *     is prepared on it is not closed; the communicator then stays open
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
