// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.fmpl.RequestState;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A non-blocking operation. There is one object for each (peer, mai, direction) of an {@link Fmpl},
 * used again and again: it stands for the latest operation there, and holds its buffer until that
 * is over.
 *
 * <p>Any thread may use it, one at a time: a second one gets {@link BusyException}. What was
 * received is visible to the thread that found the operation complete.
 */
public final class Request {
    final RequestState state;

    Request(RequestState state) {
        this.state = state;
    }

    /** Of requests that a program has passed. */
    static RequestState[] states(Request[] requests) {
        RequestState[] states = new RequestState[requests.length];
        for (int i = 0; i < states.length; i++) {
            states[i] = Errors.required(requests[i], "request").state;
        }
        return states;
    }

    /**
     * Waits until the operation is over; returns at once when it is, or when none was ever begun. A
     * virtual thread does not hold its carrier meanwhile. An interrupt does not end the wait.
     *
     * @return bytes received or sent
     * @throws TruncationException if the message is longer than the receive
     * @throws PeerFailedException if the peer died, stopped or left
     * @throws ClosedException if the {@link Fmpl} or the job was closed meanwhile
     * @throws CancelledException if it was cancelled
     * @throws BusyException if another thread is in a call of this request
     */
    public long await() {
        return state.await();
    }

    /**
     * Looks whether the operation is over, and works on it. Never blocks.
     *
     * @return whether it is; then the buffer is the program's again
     * @throws HayateException as {@link #await()}
     */
    public boolean test() {
        return state.test();
    }

    /**
     * Cancels a receive. After {@code true} nothing was or will be written to its buffer, its
     * message goes to the next receive, and {@link #await()} throws {@link CancelledException}.
     *
     * @return {@code false} if it is over already, or data already flow: wait for it as usual
     * @throws ArgumentException if it is a send
     * @throws BusyException if another thread is in a call of this request
     */
    public boolean cancel() {
        return state.cancel();
    }

    /**
     * Length of the message of a receive that is over, or of a send.
     *
     * @return bytes; 0 after a failure
     * @throws StateException if the operation is not known to be over: {@link #await()} or
     *     {@link #test()} comes first
     */
    public long received() {
        return state.received();
    }

    /**
     * Human-readable description.
     *
     * @return which operation it stands for
     */
    @Override
    public String toString() {
        return state.toString();
    }
}
