// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.windows;

import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.bindings.WindowBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.fmpl.FmplContext;
import io.hayate.internal.fmpl.FmplState;
import io.hayate.internal.job.Job;
import io.hayate.internal.lifetime.JobAnchor;
import io.hayate.internal.lifetime.OmplAnchor;
import io.hayate.internal.lifetime.Reclaim;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** The space of the heaps of all ranks, of which {@link WindowBinding} tells. */
public final class HeapSpace {
    private final OmplAnchor anchor;
    private final JobAnchor job;

    private HeapSpace(OmplAnchor anchor, JobAnchor job) {
        this.anchor = anchor;
        this.job = job;
    }

    /**
     * Opens one; not collective.
     *
     * @param locks the lock of each rank of the job, as {@link WindowBinding#open} wants it
     */
    public static HeapSpace open(FmplState fmpl, long[] locks) {
        FmplContext context = fmpl.context();
        context.requireOpen();
        Job job = context.job();
        OmplAnchor anchor = new OmplAnchor(job.anchor(), List.of());
        anchor.take(Reclaim.open(() -> Errors.check(WindowBinding.open(job.handle(), locks))));
        Reference.reachabilityFence(job);
        return new HeapSpace(anchor, job.anchor());
    }

    /** Returns the offset of memory in this rank's heap; -1: it is elsewhere. */
    public static long offset(FmplState fmpl, long address, long bytes) {
        Job job = fmpl.context().job();
        long offset = WindowBinding.offset(job.handle(), address, bytes);
        Reference.reachabilityFence(job);
        return offset;
    }

    /** Returns the native object; callers keep this object reachable. */
    public long handle() {
        return anchor.ompl();
    }

    /**
     * Returns memory of a rank of the job as a buffer in the byte order of the machine, which stays
     * mapped as long as the buffer is reachable; null: it is not mapped here, or too long.
     */
    public ByteBuffer mapped(int rank, long at, long bytes) {
        long address = bytes < 1 || bytes > Integer.MAX_VALUE ? 0
                : WindowBinding.mapped(anchor.ompl(), rank, at, bytes);
        ByteBuffer memory = address == 0 ? null
                : job.buffer(address, bytes).order(ByteOrder.nativeOrder());
        Reference.reachabilityFence(anchor);
        return memory;
    }

    /** Ends waits; idempotent. The native object stays as long as this object is reachable. */
    public void close() {
        SetupBinding.omplClose(anchor.ompl());
        anchor.closed(0);
        Reference.reachabilityFence(anchor);
    }
}
