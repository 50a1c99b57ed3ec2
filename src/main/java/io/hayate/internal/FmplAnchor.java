// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

/**
 * Keeps an FMPL's native state until no thread can be inside any more, and with it the job, and the
 * buffers of operations that were never finished: their peers may still know the addresses.
 */
public final class FmplAnchor {
    private final long fmpl;

    /** Takes the FMPL over. Nothing that {@code kept} holds may lead back to this anchor. */
    public FmplAnchor(long fmpl, JobAnchor job, Object kept) {
        this.fmpl = fmpl;
        JobAnchor.CLEANER.register(this, new Free(fmpl, job, kept));
    }

    public long fmpl() {
        return fmpl;
    }

    private record Free(long fmpl, JobAnchor job, Object kept) implements Runnable {
        @Override
        public void run() {
            SetupDoor.fmplClose(fmpl);
            SetupDoor.fmplFree(fmpl);
        }
    }
}
