// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Deadline;
import io.hayate.internal.pcoll.OperationState;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A persistent collective, created by {@link PersistentColl}: {@link #start()} and {@link #await()}
 * it any number of times. From the start of a run until it is complete, the program must not write
 * the inputs, and must neither read nor write the outputs.
 *
 * <p>Any thread may use it, one at a time: a call of a second thread throws {@link BusyException},
 * but for the await of a run that was complete at its start, which returns at once.
 * Start, test and await allocate nothing.
 *
 * <p>Memory ordering: what a member wrote before its start, and the collective transfers to this
 * rank, is visible to the thread that found the run complete.
 */
public final class PersistentOperation implements AutoCloseable {
    private final OperationState state;

    PersistentOperation(OperationState state) {
        this.state = state;
    }

    /**
     * Starts a run. Never blocks. If several operations are prepared, members may start them in
     * different orders. The run completes once the members whose data or signals this rank needs
     * have started the same operation as well.
     *
     * @throws BusyException if the previous run was not awaited
     * @throws PeerFailedException if an earlier run failed with this exception; no further run is
     *     possible
     * @throws ClosedException after close, or if the {@link Fmpl}, the job, or the arena of the
     *     memory is closed
     */
    public void start() {
        state.start();
    }

    /**
     * Makes progress on the run, and tells whether it is complete. Never blocks.
     *
     * @return whether no run is in progress; if so, the program may use the memory again
     * @throws HayateException the same exceptions as {@link #await()}
     */
    public boolean test() {
        return state.test();
    }

    /**
     * Waits until the run is complete. It returns at once if no run is in progress. A waiting
     * virtual thread releases its carrier.
     *
     * @throws TimedOutException if the run is not complete within {@link Fmpl#timeout()}; it
     *     continues, and can be awaited again
     * @throws InterruptedWaitException if the thread was interrupted; the run continues, too
     * @throws PeerFailedException within a second of the death of a member that the run waits for
     *     (if it is on another node it can take longer, see docs/guide/nodes.md)
     * @throws CallbackException if a custom reducer threw an exception; the run was completed on
     *     all members
     * @throws ClosedException after close, or if the {@link Fmpl} or the job is closed before or
     *     during the call
     * @throws BusyException if another thread is in a call of this operation
     */
    public void await() {
        state.await();
    }

    /**
     * Waits, like {@link #await()}, at most for the limit. After it the run continues, and can be
     * awaited again.
     *
     * @param limit the longest time to wait; zero: only makes progress and looks
     * @throws TimedOutException if the run is not complete within the limit
     * @throws HayateException the same exceptions as {@link #await()}
     */
    public void await(Duration limit) {
        state.await(Deadline.after(limit));
    }

    /**
     * Starts all of the operations, in their order.
     *
     * @param operations the operations, each of them once
     * @throws HayateException the first failure, with the others suppressed in it; the call starts
     *     the other operations in any case, also after an {@link OutOfMemoryError}
     */
    public static void startAll(PersistentOperation... operations) {
        Throwable first = null;
        for (PersistentOperation operation : Errors.required(operations, "operations")) {
            try {
                Errors.required(operation, "operation").start();
            } catch (RuntimeException | Error e) {
                first = Errors.join(first, e);
            }
        }
        Errors.rethrow(first);
    }

    /**
     * Waits until the runs of all of the operations are complete.
     *
     * @param operations the operations, in any order
     * @throws HayateException the first failure, with the others suppressed in it; the call waits
     *     for the other operations in any case, also after an {@link OutOfMemoryError}
     * @throws InterruptedWaitException at once, if the thread is interrupted; the runs continue
     */
    public static void awaitAll(PersistentOperation... operations) {
        Throwable first = null;
        for (PersistentOperation operation : Errors.required(operations, "operations")) {
            try {
                Errors.required(operation, "operation").await();
            } catch (InterruptedWaitException e) {
                first = Errors.join(first, e);
                break;
            } catch (RuntimeException | Error e) {
                first = Errors.join(first, e);
            }
        }
        Errors.rethrow(first);
    }

    /**
     * Describes what was chosen and why: the algorithm, how it moves the data, the predicted time,
     * and what makes progress.
     *
     * @return a human-readable line; valid also after close
     */
    public String describe() {
        return state.describe();
    }

    /**
     * Closes the operation on this rank; idempotent. Every member must close it; its native memory
     * is freed when all have done so.
     *
     * @throws BusyException if a run was started and not awaited (unless the run can never
     *     complete), or another thread is in a call of this operation
     */
    @Override
    public void close() {
        state.close();
    }

    /**
     * Returns a human-readable description.
     *
     * @return the same text as {@link #describe()}
     */
    @Override
    public String toString() {
        return describe();
    }
}
