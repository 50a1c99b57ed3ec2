// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.tagged;

import io.hayate.internal.bindings.TaggedBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.fmpl.CommunicatorState;
import io.hayate.internal.fmpl.FmplContext;
import io.hayate.internal.fmpl.FmplState;
import io.hayate.internal.job.VirtualThreads;
import io.hayate.internal.lifetime.Reclaim;
import io.hayate.internal.lifetime.TagsAnchor;
import java.lang.ref.Reference;
import java.util.function.LongSupplier;

/** Messages with tags of one FMPL: what all its communicators share. */
public final class Tags {
    private final FmplContext context;
    private final TagsAnchor anchor;

    private Tags(FmplContext context, TagsAnchor anchor) {
        this.context = context;
        this.anchor = anchor;
    }

    /** Opens them; collective over the job. */
    public static Tags open(FmplState fmpl) {
        FmplContext context = fmpl.context();
        TagsAnchor anchor = new TagsAnchor(context.anchor());
        anchor.take(Reclaim.open(() -> VirtualThreads.await(
                () -> Errors.check(TaggedBinding.open(context.handle())))));
        return new Tags(context, anchor);
    }

    /** Returns the native object; callers keep the anchor reachable. */
    public long handle() {
        return anchor.tags();
    }

    public TagsAnchor anchor() {
        return anchor;
    }

    /**
     * Opens messages with tags between the members of a communicator; collective over these.
     * Returns the native object, which {@link TaggedBinding#closeOn} closes.
     */
    public long openOn(CommunicatorState comm) {
        return opened(comm, () -> Errors.check(
                TaggedBinding.openOn(anchor.tags(), comm.number())));
    }

    /**
     * The same for messages to and from {@code count} members only, beginning with {@code first},
     * which are numbered from 0. The sides of an intercommunicator open each other.
     */
    public long openPart(CommunicatorState comm, int first, int count) {
        return opened(comm, () -> Errors.check(
                TaggedBinding.openPart(anchor.tags(), comm.number(), first, count)));
    }

    private long opened(CommunicatorState comm, LongSupplier open) {
        context.requireOpen();
        comm.enter();
        try {
            return VirtualThreads.await(open);
        } finally {
            comm.leave();
            Reference.reachabilityFence(anchor);
        }
    }

    /** Ends everything under way; idempotent. The native state stays as long as it is reachable. */
    public void close() {
        TaggedBinding.close(anchor.tags());
        anchor.closed(0);
    }
}
