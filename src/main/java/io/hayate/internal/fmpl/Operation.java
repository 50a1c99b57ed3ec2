// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.jfr.Recorder;
import io.hayate.internal.job.Deadline;
import io.hayate.internal.job.Waker;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * A non-blocking operation of any kind, as a {@code Request} of the program sees it. A kind
 * implements how an operation advances; this class contains what all kinds share: one thread at a
 * time is inside, and waitAny reports each operation once.
 *
 * <p>An operation represents the latest one of its place, for example a lane. A new one starts in
 * that place with {@link #begun}.
 */
public abstract class Operation {
    private final AtomicBoolean inside = new AtomicBoolean();
    private volatile boolean reported = true; // written by the thread that is inside

    /** Returns the FMPL that it belongs to. */
    protected abstract FmplContext context();

    // The following methods are called by the thread that is inside.

    /** Returns whether it is in progress, as far as known. */
    protected abstract boolean isActive();

    /**
     * Makes progress if it is in progress. Never blocks. If it ends, keeps the result; a failure of
     * the operation is a result, and is not thrown.
     */
    protected abstract void advance();

    /**
     * Waits until it is not in progress, and keeps the result as {@link #advance} does, but at most
     * until a deadline: then it may still be in progress. A kind that can do better overrides it.
     */
    protected void finish(Deadline deadline) {
        context().job().waker().await(() -> {
            advance();
            return isActive() ? 1 : 0;
        }, teller(), deadline);
    }

    /** Returns what tells of a wait for it. */
    protected Waker.Teller teller() {
        return Waker.SILENT;
    }

    /** Returns the bytes of an operation that is complete, or throws its failure. */
    protected abstract long result();

    /** Ends an operation in progress as cancelled; false: it is too late. */
    protected abstract boolean withdraw();

    /** Throws if operations of this kind cannot be cancelled. Any thread may call it. */
    protected abstract void requireCancellable();

    /** Returns the rank that it depends on, or -1. */
    protected int peer() {
        return -1;
    }

    /** Returns what it is: "send", "receive", the collective's name; null: it does nothing. */
    protected abstract String name();

    /** Returns the mai of a message, or -1. */
    protected int mai() {
        return -1;
    }

    /** Returns the bytes of its memory. */
    protected long bytes() {
        return 0;
    }

    /** Returns the length of the message of a complete operation. Any thread may ask. */
    public abstract long received();

    final boolean tryEnter() {
        return inside.compareAndSet(false, true);
    }

    protected final void enter() {
        if (!tryEnter()) {
            throw Errors.busy("another thread is using the request of " + this);
        }
    }

    protected final void leave() {
        inside.set(false);
    }

    /** A new operation has started, or has even completed: nobody knows its result yet. */
    protected final void begun() {
        reported = false;
    }

    final boolean isUnreported() {
        return !reported;
    }

    /** The program knows that it is complete. */
    final void report() {
        reported = true;
    }

    /** Returns whether it is really in progress, and no thread is waiting for it. */
    final boolean isForgotten() {
        if (!isActive() || !tryEnter()) {
            return false;
        }
        try {
            if (isActive()) {
                advance();
            }
            return isActive();
        } finally {
            leave();
        }
    }

    private long known() {
        reported = true;
        return result();
    }

    /** Waits until it is complete; returns the bytes received or sent. */
    public final long await() {
        return await(context().deadline());
    }

    /** The same until a deadline, after which it continues, and an exception is thrown. */
    public final long await(Deadline deadline) {
        return Recorder.isOff() ? awaitNow(deadline) : record(() -> awaitNow(deadline));
    }

    private long record(LongSupplier call) {
        return name() == null ? call.getAsLong() : Recorder.record(
                name(), context().job().rank(), peer(), mai(), bytes(), call);
    }

    private long awaitNow(Deadline deadline) {
        enter();
        try {
            if (isActive()) {
                finish(deadline);
            }
            if (isActive()) {
                throw deadline.exception("the " + this + " is not complete; it continues, and can"
                        + " be awaited again", peer());
            }
            return known();
        } finally {
            leave();
        }
    }

    /** Makes progress, and returns whether it is complete. Never blocks. */
    public final boolean test() {
        return Recorder.isOff() ? testNow() : record(() -> testNow() ? 1 : 0) != 0;
    }

    private boolean testNow() {
        enter();
        try {
            if (isActive()) {
                advance();
            }
            if (isActive()) {
                return false;
            }
            known();
            return true;
        } finally {
            leave();
        }
    }

    /** Cancels it; returns false if it is complete, or it is too late. */
    public final boolean cancel() {
        requireCancellable();
        enter();
        try {
            if (!isActive() || !withdraw()) {
                return false;
            }
            reported = true;
            return true;
        } finally {
            leave();
        }
    }
}
