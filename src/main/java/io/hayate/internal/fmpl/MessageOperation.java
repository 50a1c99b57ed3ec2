// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.HayateException;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.errors.Outcome;
import io.hayate.internal.job.Deadline;
import io.hayate.internal.job.Memory;

/** A non-blocking send or receive: the latest one of its lane and direction. */
public final class MessageOperation extends Operation implements Messages.Pending {
    private final Messages messages;
    private final int peer;
    private final int mai;
    private final boolean sends;
    // Written by the thread that is inside.
    private volatile long handle; // 0: not in progress
    private volatile boolean unowned;
    private long length;
    private volatile long received = -1;
    private int code; // error code, or 0
    private HayateException failure; // null also if there was no memory for it

    MessageOperation(Messages messages, int peer, int mai, boolean sends) {
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
            advanceUnowned();
            long outcome = sends ? messages.isend(memory, start, bytes, peer, mai)
                    : messages.irecv(memory, start, bytes, peer, mai);
            // After a failure the previous state remains.
            length = bytes;
            begun();
            failure = null;
            settle(outcome);
        } finally {
            leave();
        }
    }

    /** Takes over a blocking send whose call ended early: its lane belongs to this request. */
    void takeOver(long bytes, long outcome) {
        while (!tryEnter()) {
            Thread.onSpinWait();
        }
        try {
            length = bytes;
            begun();
            failure = null;
            settle(outcome);
            unowned = true;
        } finally {
            leave();
        }
    }

    /**
     * The program does not hold the request of a send that was taken over: if it is complete, its
     * lane becomes free. The caller is inside.
     */
    private void advanceUnowned() {
        if (unowned) {
            if (isActive()) {
                advance();
            }
            unowned = isActive();
        }
    }

    /** The same for a blocking send; returns whether the lane became free. */
    boolean isUnownedOver() {
        if (!unowned || !tryEnter()) {
            return false;
        }
        try {
            advanceUnowned();
            return !unowned;
        } finally {
            leave();
        }
    }

    @Override
    protected FmplContext context() {
        return messages.context();
    }

    @Override
    protected boolean isActive() {
        return handle != 0;
    }

    @Override
    protected void advance() {
        settle(messages.test(this));
    }

    @Override
    protected void finish(Deadline deadline) {
        settle(messages.await(this, deadline));
    }

    @Override
    protected int peer() {
        return peer;
    }

    @Override
    protected String name() {
        return sends ? "send" : "receive";
    }

    @Override
    protected int mai() {
        return mai;
    }

    @Override
    protected long bytes() {
        return length;
    }

    @Override
    public long handle() {
        return handle;
    }

    @Override
    public long seen(long outcome, HayateException why) {
        failure = why;
        return outcome;
    }

    /** Keeps the result of a native call. */
    void settle(long outcome) {
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

    @Override
    protected long result() {
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

    @Override
    protected boolean withdraw() {
        if (messages.cancel(handle) == 0) {
            return false;
        }
        code = Errors.CANCELLED;
        failure = null;
        over(0);
        return true;
    }

    @Override
    protected void requireCancellable() {
        if (sends) {
            throw Errors.argument("only a receive can be cancelled");
        }
    }

    @Override
    public long received() {
        long result = received;
        if (result < 0) {
            throw Errors.exception(Errors.STATE,
                    "the " + this + " is not known to be complete: call await() or test()"
                            + " first", peer);
        }
        return result;
    }

    /** Describes the operation. */
    @Override
    public String toString() {
        return (sends ? "send to rank " : "receive from rank ") + peer + " with mai " + mai;
    }
}
