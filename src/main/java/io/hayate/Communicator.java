// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.fmpl.CommunicatorState;
import io.hayate.internal.fmpl.FmplState;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Some of the job's ranks, numbered anew in the order of their numbers in the job, for collectives.
 * See {@link Fmpl#world()} and {@link Fmpl#create(boolean)}.
 *
 * <p>It runs one collective at a time: a second thread gets {@link BusyException}. After a failure
 * in the middle of a collective it refuses further use. The death of a member ends the collective
 * on all others. When a member leaves the job only those that wait for it are told: they have to
 * leave as well, as others may be waiting for them alone.
 *
 * <p>{@link Fmpl#create} waits until all ranks of the job have called it. Threads of a rank make
 * theirs one after the other, and hold up no other call meanwhile; all ranks must do so in the same
 * order, also of {@link Fmpl#init} and {@link Ompl#open}: a call that meets a rank which makes
 * something else ends with {@link MismatchException}. The wait ends with
 * {@link PeerFailedException} when a rank dies or leaves, and with {@link ClosedException} when the
 * job or the {@link Fmpl} is closed before all have come: then it is as if this rank had not
 * called. On several nodes the close of
 * the {@link Fmpl} does not end it any more when all ranks of this node have come.
 */
public final class Communicator implements AutoCloseable {
    final FmplState fmpl;
    final CommunicatorState state;

    Communicator(FmplState fmpl, CommunicatorState state) {
        this.fmpl = fmpl;
        this.state = state;
    }

    /** Of a communicator that a program has passed. */
    static CommunicatorState state(Communicator communicator) {
        return Errors.required(communicator, "communicator").state;
    }

    /**
     * This rank's number here.
     *
     * @return 0 to size - 1, or -1 if it is not a member
     */
    public int rank() {
        return state.rank();
    }

    /**
     * The number of members.
     *
     * @return at least 1, or 0 if this rank is not a member
     */
    public int size() {
        return state.size();
    }

    /**
     * Whether this rank has joined.
     *
     * @return if not, it cannot call collectives on this object
     */
    public boolean isMember() {
        return state.isMember();
    }

    /**
     * Gives it up, on this rank; idempotent. The world stays until the {@link Fmpl} is closed, and
     * closing it does nothing.
     *
     * @throws BusyException if a collective is under way, or a {@link PersistentOperation} is
     *     prepared on it and not closed; it stays open then
     */
    @Override
    public void close() {
        fmpl.communicators().close(state);
    }
}
