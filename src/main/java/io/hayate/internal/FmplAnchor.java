// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps an FMPL's native state until no thread can be inside any more, and with it the job, and the
 * buffers of operations that were never finished: their peers may still know the addresses.
 */
public final class FmplAnchor extends Anchor {
    private final Set<Object> kept;

    /** For an FMPL of the job. */
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

    /** What it keeps as well. Nothing in there may lead back to this anchor. */
    public Set<Object> kept() {
        return kept;
    }
}
