// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

/** What C asks Java while a thread waits. */
final class InterruptBinding {
    private InterruptBinding() {
    }

    /** Must be called once, before any wait: a wait, however long, then allocates nothing. */
    static native void setUp();

    /** C asks this now and then while the thread blocks: whether it was interrupted. */
    @SuppressWarnings("unused")
    private static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }
}
