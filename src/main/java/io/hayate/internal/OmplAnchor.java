// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

/** Keeps a global space's native state until no thread can be inside any more, and its job. */
public final class OmplAnchor {
    private final long ompl;

    /** Takes the space over: it will be closed and freed. */
    public OmplAnchor(long ompl, JobAnchor job) {
        this.ompl = ompl;
        JobAnchor.CLEANER.register(this, new Free(ompl, job));
    }

    public long ompl() {
        return ompl;
    }

    private record Free(long ompl, JobAnchor job) implements Runnable {
        @Override
        public void run() {
            SetupDoor.omplClose(ompl);
            SetupDoor.omplFree(ompl);
        }
    }
}
