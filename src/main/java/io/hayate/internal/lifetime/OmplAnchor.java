// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.lifetime;

import io.hayate.internal.bindings.SetupBinding;

/**
 * Keeps the native state of a global space until no thread can use it any more, and with it the job
 * and the memory of operations that were started and never flushed.
 */
public final class OmplAnchor extends Anchor {
    /** Creates the anchor for a space of the job. */
    public OmplAnchor(JobAnchor job, Object kept) {
        super(OmplAnchor::free, job, kept);
    }

    private static void free(long ompl) {
        SetupBinding.omplClose(ompl);
        SetupBinding.omplFree(ompl);
    }

    public long ompl() {
        return handle();
    }
}
