// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

/**
 * Keeps a global space's native state until no thread can be inside any more, its job, and the
 * memory of what was started and never flushed.
 */
public final class OmplAnchor extends Anchor {
    /** For a space of the job. */
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
