// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.HayateException;
import io.hayate.internal.Errors;
import io.hayate.internal.Outcome;
import io.hayate.internal.job.Memory;
import java.util.concurrent.atomic.AtomicBoolean;

/** The state of a request, separate from the {@code Request} of the program. */
public final class RequestState implements Messages.Pending {
    private final Messages messages;
    private final int peer;
    private final int mai;
    private final boolean sends;
    private final AtomicBoolean inside = new AtomicBoolean();
    // Written by the thread that has entered the request.
    private volatile long handle; // 0: not in progress
    private volatile boolean reported = true;
    private long length;
    private volatile long received = -1;
    private int code; // error code, or 0
    private HayateException failure; // null also if there was no memory for it

    RequestState(Messages messages, int peer, int mai, boolean sends) {
        this.messages = messages;
        this.peer = peer;
        this.mai = mai;
        this.sends = sends;
    }

    /** Starts an operation. */
    public void begin(Memory memory, long offset, long bytes) {
        long start = sends ? messages.sendable(memory, offset, bytes)
                : messages.receivable(memory, offset, bytes);
        enter();
        try {
            long outcome = sends ? messages.isend(memory, start, bytes, peer, mai)
                    : messages.irecv(memory, start, bytes, peer, mai);
            // After a failure the previous state remains.
            length = bytes;
            reported = false;
            failure = null;
            settle(outcome);
        } finally {
            leave();
        }
    }

    void enter() {
        if (!inside.compareAndSet(false, true)) {
            throw Errors.busy("another thread is using the request of " + this);
        }
    }

    void leave() {
        inside.set(false);
    }

    @Override
    public long seen(long outcome, HayateException why) {
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
                    : "the " + this + " failed, and there was no memory to keep the reason", peer);
        }
        return failure;
    }

    /** Waits until it is complete; returns the bytes received or sent. */
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

    /** Makes progress, and returns whether it is complete. Never blocks. */
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

    /** Cancels a receive; returns false if it is complete, or its data already arrive. */
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

    /** Returns the length of the message of a complete operation. */
    public long received() {
        long result = received;
        if (result < 0) {
            throw Errors.exception(Errors.STATE,
                    "the " + this + " is not known to be complete: call await() or test()"
                            + " first", peer);
        }
        return result;
    }

    // For waitAny(), after the request was entered.

    @Override
    public long handle() {
        return handle;
    }

    boolean isOf(Messages others) {
        return messages == others;
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

    /** Describes the operation. */
    @Override
    public String toString() {
        return (sends ? "send to rank " : "receive from rank ") + peer + " with mai " + mai;
    }
}
