// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.internal.Errors;
import io.hayate.internal.FmplAnchor;
import io.hayate.internal.job.Job;

/**
 * The state that all parts of one FMPL share: its job, its native handle, and whether it is open.
 */
public final class FmplContext {
    private final Job job;
    private final FmplAnchor anchor;
    private volatile boolean closed;

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
