// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.fmpl.Operation;
import io.hayate.internal.job.Deadline;
import java.time.Duration;

/**
 * A non-blocking operation: a message, or a collective of a {@link Communicator}. For messages,
 * there is one object for each (peer, mai, direction) of an {@link Fmpl}, which is reused: it
 * represents the latest operation there. It keeps the buffer of the operation reachable until the
 * operation is complete.
 *
 * <p>Any thread may use it, one at a time: a call of a second thread throws {@link BusyException}.
 * Received data are visible to the thread that found the operation complete.
 */
public final class Request {
    final Operation operation;

    Request(Operation operation) {
        this.operation = operation;
    }

    /** Returns the operations of the arguments, which must not be null. */
    static Operation[] operations(Request[] requests) {
        Operation[] operations = new Operation[requests.length];
        for (int i = 0; i < operations.length; i++) {
            operations[i] = Errors.required(requests[i], "request").operation;
        }
        return operations;
    }

    /**
     * Waits until the operation is complete. It returns at once if the operation is complete, or if
     * none was ever started. A waiting virtual thread releases its carrier.
     *
     * @return the number of bytes received or sent; 0 for a collective
     * @throws TruncationException if the message is longer than the receive
     * @throws PeerFailedException if the peer died, was stopped, or left the job
     * @throws ClosedException if the {@link Fmpl} or the job was closed meanwhile
     * @throws CancelledException if the operation was cancelled
     * @throws BusyException if another thread is in a call of this request
     * @throws InterruptedWaitException if the thread was interrupted; the operation continues
     * @throws TimedOutException if it is not complete within {@link Fmpl#timeout()}; the operation
     *     continues, and can be awaited again
     * @throws BrokenCommunicatorException if another member has given up the collective
     */
    public long await() {
        return operation.await();
    }

    /**
     * Waits, like {@link #await()}, at most for the limit. After it the operation continues, and
     * can be awaited again.
     *
     * @param limit the longest time to wait; zero: only makes progress and looks
     * @return the number of bytes received or sent
     * @throws TimedOutException if the operation is not complete within the limit
     * @throws HayateException the same exceptions as {@link #await()}
     */
    public long await(Duration limit) {
        return operation.await(Deadline.after(limit));
    }

    /**
     * Makes progress on the operation, and tells whether it is complete. Never blocks.
     *
     * @return whether it is complete; if so, the program may use the buffer again
     * @throws HayateException the same exceptions as {@link #await()}
     */
    public boolean test() {
        return operation.test();
    }

    /**
     * Cancels a receive. If the method returns {@code true}, nothing has been or will be written to
     * the buffer, the message goes to the next receive, and {@link #await()} throws
     * {@link CancelledException}.
     *
     * @return {@code false} if the receive is complete already, or its data already arrive: await
     *     it as usual
     * @throws ArgumentException if this request is a send
     * @throws BusyException if another thread is in a call of this request
     */
    public boolean cancel() {
        return operation.cancel();
    }

    /**
     * Returns the length of the message of a complete operation.
     *
     * @return bytes; 0 after a failure
     * @throws StateException if the operation is not known to be complete: call {@link #await()} or
     *     {@link #test()} first
     */
    public long received() {
        return operation.received();
    }

    /**
     * Returns a human-readable description.
     *
     * @return a text that names the operation
     */
    @Override
    public String toString() {
        return operation.toString();
    }
}
