// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Deadline;
import io.hayate.internal.job.Job;
import io.hayate.internal.lifetime.FmplAnchor;
import java.lang.ref.Reference;
import java.time.Duration;

/**
 * The state that all parts of one FMPL share: its job, its native handle, and whether it is open.
 */
public final class FmplContext {
    private final Job job;
    private final FmplAnchor anchor;
    private volatile boolean closed;
    private volatile Duration limit; // of calls without one of their own; null: none

    FmplContext(Job job, FmplAnchor anchor) {
        this.job = job;
        this.anchor = anchor;
    }

    public Job job() {
        return job;
    }

    /** Callers must keep it reachable during native calls. */
    public FmplAnchor anchor() {
        return anchor;
    }

    public long handle() {
        return anchor.fmpl();
    }

    public void requireOpen() {
        if (closed) {
            throw Errors.closed("the Fmpl");
        }
        job.requireOpen();
    }

    /** Returns when a wait that begins now, without a limit of its own, ends. */
    public Deadline deadline() {
        Duration now = limit;
        return now == null ? Deadline.NONE : Deadline.after(now);
    }

    /** Returns the limit of such waits; null: none. */
    public Duration limit() {
        return limit;
    }

    /** Sets the limit in Java and C. */
    public void limit(Duration next) {
        if (Errors.required(next, "the time limit").isNegative() || next.isZero()) {
            throw Errors.argument("the time limit is " + next + ": expected more than 0");
        }
        requireOpen();
        boolean forEver = Deadline.isForEver(next);
        SetupBinding.timeoutSet(handle(), forEver ? 0 : next.toNanos());
        limit = forEver ? null : next;
        Reference.reachabilityFence(anchor);
    }

    /** Reads the limit that C has from the settings. */
    void readLimit() {
        long nanos = SetupBinding.timeoutGet(handle());
        limit = nanos == 0 ? null : Duration.ofNanos(nanos);
    }

    /** Returns whether it is open, and its job as well. */
    public boolean isOpen() {
        return !closed && !job.isClosed();
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public String toString() {
        return job + (closed && !job.isClosed() ? ", closed" : "");
    }

    /** Marks it as closed; the native close follows. */
    void close() {
        closed = true;
    }
}
