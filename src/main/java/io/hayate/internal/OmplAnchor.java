// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

/**
 * Keeps a global space's native state until no thread can be inside any more, its job, and the
 * memory of what was started and never flushed.
 */
public final class OmplAnchor {
    private final long ompl;

    /** Takes the space over. Nothing that {@code kept} holds may lead back to this anchor. */
    public OmplAnchor(long ompl, JobAnchor job, Object kept) {
        this.ompl = ompl;
        JobAnchor.CLEANER.register(this, new Free(ompl, job, kept));
    }

    public long ompl() {
        return ompl;
    }

    private record Free(long ompl, JobAnchor job, Object kept) implements Runnable {
        @Override
        public void run() {
            SetupDoor.omplClose(ompl);
            SetupDoor.omplFree(ompl);
        }
    }
}
