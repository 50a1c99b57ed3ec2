// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.lifetime;

import io.hayate.internal.bindings.SetupBinding;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the native state of an FMPL until no thread can use it any more. It also keeps the job, and
 * the buffers of operations that were never completed, because peers may still know their
 * addresses.
 */
public final class FmplAnchor extends Anchor {
    private final Set<Object> kept;

    /** Creates the anchor for an FMPL of the job. */
    public FmplAnchor(JobAnchor job) {
        this(job, ConcurrentHashMap.newKeySet());
    }

    private FmplAnchor(JobAnchor job, Set<Object> kept) {
        super(FmplAnchor::free, job, kept);
        this.kept = kept;
    }

    private static void free(long fmpl) {
        SetupBinding.fmplClose(fmpl);
        SetupBinding.fmplFree(fmpl);
    }

    public long fmpl() {
        return handle();
    }

    /** Returns the other objects that it keeps. None of them may refer to this anchor. */
    public Set<Object> kept() {
        return kept;
    }
}
