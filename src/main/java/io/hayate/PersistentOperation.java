// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.pcoll.OperationState;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A prepared collective, from {@link PersistentColl}: {@link #start()} and {@link #await()}, any
 * number of times. Its memory belongs to it from start until the run is over: inputs must not be
 * written meanwhile, outputs not be touched.
 *
 * <p>Any thread may use it, one at a time: a second one gets {@link BusyException}. Start, test and
 * await allocate nothing.
 *
 * <p>Memory ordering: what a member wrote before its start, and the collective carries to this
 * rank, is visible to the thread that found the run over.
 */
public final class PersistentOperation implements AutoCloseable {
    private final OperationState state;

    PersistentOperation(OperationState state) {
        this.state = state;
    }

    /**
     * Begins a run. Never blocks. Members may start their operations in different orders; an await
     * ends when the members that it depends on have started the same operation.
     *
     * @throws BusyException if the run before was not awaited
     * @throws PeerFailedException if a run before failed so: there will be no other one
     * @throws ClosedException after close, or when the {@link Fmpl}, the job, or the arena of the
     *     memory is closed
     */
    public void start() {
        state.start();
    }

    /**
     * Looks whether the run is over, and works on it. Never blocks.
     *
     * @return whether no run is under way any more; then the memory is the program's again
     * @throws HayateException as {@link #await()}
     */
    public boolean test() {
        return state.test();
    }

    /**
     * Waits until the run is over; returns at once when there is none. A virtual thread does not
     * hold its carrier meanwhile. An interrupt does not end the wait.
     *
     * @throws PeerFailedException within a second of the death of a member that is waited for
     *     (of one on another node it can take longer, see docs/guide/nodes.md)
     * @throws CallbackException if a user's reducer threw; the run was completed, on all members
     * @throws ClosedException after close, or when the {@link Fmpl} or the job is closed, also
     *     meanwhile
     * @throws BusyException if another thread is in a call of this operation
     */
    public void await() {
        state.await();
    }

    /**
     * Starts all of the operations, in their order.
     *
     * @param operations each once
     * @throws HayateException the first failure, the others suppressed in it; the others have been
     *     started all the same
     */
    public static void startAll(PersistentOperation... operations) {
        HayateException first = null;
        for (PersistentOperation operation : Errors.required(operations, "operations")) {
            try {
                Errors.required(operation, "operation").start();
            } catch (HayateException e) {
                first = Errors.join(first, e);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /**
     * Waits for all of the operations.
     *
     * @param operations in any order
     * @throws HayateException the first failure, the others suppressed in it; all have been waited
     *     for all the same
     */
    public static void awaitAll(PersistentOperation... operations) {
        HayateException first = null;
        for (PersistentOperation operation : Errors.required(operations, "operations")) {
            try {
                Errors.required(operation, "operation").await();
            } catch (HayateException e) {
                first = Errors.join(first, e);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /**
     * What was chosen and why: the algorithm, how it moves the data, the predicted time, and who
     * works on it.
     *
     * @return a line for people; also after close
     */
    public String describe() {
        return state.describe();
    }

    /**
     * Gives the operation up, on this rank; idempotent. Every member does so; the native memory of
     * it is free when all have.
     *
     * @throws BusyException if a run was started and not awaited, unless it can never end, or
     *     another thread is in a call of this operation
     */
    @Override
    public void close() {
        state.close();
    }

    /**
     * Human-readable description.
     *
     * @return as {@link #describe()}
     */
    @Override
    public String toString() {
        return describe();
    }
}
