// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.HayateException;
import io.hayate.internal.Errors;
import io.hayate.internal.Outcome;
import io.hayate.internal.job.Memory;
import java.util.concurrent.atomic.AtomicBoolean;

/** A request, apart from the {@code Request} that the program has: which operation, how far. */
public final class RequestState implements Messages.Pending {
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

    RequestState(Messages messages, int peer, int mai, boolean sends) {
        this.messages = messages;
        this.peer = peer;
        this.mai = mai;
        this.sends = sends;
    }

    /** Begins an operation. */
    public void begin(Memory memory, long offset, long bytes) {
        long start = sends ? messages.readable(memory, offset, bytes)
                : messages.writable(memory, offset, bytes);
        enter();
        try {
            long outcome = sends ? messages.isend(memory, start, bytes, peer, mai)
                    : messages.irecv(memory, start, bytes, peer, mai);
            // After a failure what stood here before still does.
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
                    : "the " + this + " failed, and there was no memory to keep why", peer);
        }
        return failure;
    }

    /** Waits for its end; bytes received or sent. */
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

    /** Whether it is over. Works on it, never blocks. */
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

    /** Cancels a receive; false: it is over, or data flow already. */
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

    /** Length of the message of an operation that is over. */
    public long received() {
        long result = received;
        if (result < 0) {
            throw Errors.exception(Errors.STATE,
                    "the " + this + " is not over: await() or test()", peer);
        }
        return result;
    }

    // For waitAny(), inside.

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

    /** Which operation it stands for. */
    @Override
    public String toString() {
        return (sends ? "send to rank " : "receive from rank ") + peer + " with mai " + mai;
    }
}
