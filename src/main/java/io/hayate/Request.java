// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.Outcome;
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
    final Fmpl fmpl;
    private final Messages messages;
    private final int peer;
    private final int mai;
    private final boolean sends;
    private final AtomicBoolean inside = new AtomicBoolean();
    // Written by the thread inside.
    private volatile long handle; // 0: not under way
    private volatile boolean reported = true;
    private long length;
    private volatile long received = -1;
    private int code; // of a failure, or 0
    private HayateException failure; // null also if there was no memory for it

    Request(Fmpl fmpl, Messages messages, int peer, int mai, boolean sends) {
        this.fmpl = fmpl;
        this.messages = messages;
        this.peer = peer;
        this.mai = mai;
        this.sends = sends;
    }

    Request begin(Span span, long offset, long bytes) {
        long start = sends ? messages.start(span, offset, bytes)
                : messages.startWritable(span, offset, bytes);
        enter();
        try {
            long outcome = sends ? messages.isend(span, start, bytes, peer, mai)
                    : messages.irecv(span, start, bytes, peer, mai);
            // After a failure what stood here before still does.
            length = bytes;
            reported = false;
            failure = null;
            settle(outcome);
        } finally {
            leave();
        }
        return this;
    }

    void enter() {
        if (!inside.compareAndSet(false, true)) {
            throw Errors.busy("another thread is using the request of " + this);
        }
    }

    void leave() {
        inside.set(false);
    }

    /** By the thread inside, right behind the native call; the outcome. */
    long seen(long outcome, HayateException why) {
        failure = why;
        return outcome;
    }

    private void settle(long outcome) {
        if (Outcome.goesOn(outcome)) {
            handle = outcome;
            received = -1;
            return;
        }
        code = Outcome.isComplete(outcome) ? 0 : (int) outcome;
        over(code != 0 ? 0 : sends ? length : Outcome.bytes(outcome));
    }

    private void over(long bytes) {
        if (handle != 0) {
            messages.letGo(peer, mai, sends);
            handle = 0;
        }
        received = bytes;
    }

    private long result() {
        reported = true;
        if (code != 0) {
            throw failure();
        }
        return Math.max(received, 0);
    }

    private HayateException failure() {
        if (failure == null) {
            failure = Errors.exception(code, code == Errors.CANCELLED
                    ? "the " + this + " was cancelled"
                    : "the " + this + " failed, and there was no memory to keep why", peer);
        }
        return failure;
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
        enter();
        try {
            if (handle != 0) {
                settle(messages.await(this));
            }
            return result();
        } finally {
            leave();
        }
    }

    /**
     * Looks whether the operation is over, and works on it. Never blocks.
     *
     * @return whether it is; then the buffer is the program's again
     * @throws HayateException as {@link #await()}
     */
    public boolean test() {
        enter();
        try {
            if (handle != 0) {
                settle(messages.test(this));
            }
            if (handle != 0) {
                return false;
            }
            result();
            return true;
        } finally {
            leave();
        }
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
        if (sends) {
            throw Errors.argument("only a receive can be cancelled");
        }
        enter();
        try {
            if (handle == 0 || messages.cancel(handle) == 0) {
                return false;
            }
            code = Errors.CANCELLED;
            failure = null;
            over(0);
            reported = true;
            return true;
        } finally {
            leave();
        }
    }

    /**
     * Length of the message of a receive that is over, or of a send.
     *
     * @return bytes; 0 after a failure
     * @throws StateException if the operation is not known to be over: {@link #await()} or
     *     {@link #test()} comes first
     */
    public long received() {
        long result = received;
        if (result < 0) {
            throw Errors.exception(Errors.STATE,
                    "the " + this + " is not over: await() or test()", peer);
        }
        return result;
    }

    // For waitAny(), inside.

    long handle() {
        return handle;
    }

    boolean isUnreported() {
        return !reported;
    }

    void report(long outcome) {
        settle(outcome);
        reported = true;
    }

    void report() {
        reported = true;
    }

    /**
     * For people.
     *
     * @return which operation it stands for
     */
    @Override
    public String toString() {
        return (sends ? "send to rank " : "receive from rank ") + peer + " with mai " + mai;
    }
}
