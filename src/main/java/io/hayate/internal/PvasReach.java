// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory of a task that Java can reach. A direct buffer cannot be taken back from those who have
 * it, but it can be known when nobody has: slices, duplicates and views hold their root, and the
 * collector tells when that is gone.
 */
public final class PvasReach {
    private PvasReach() {
    }

    /** A direct buffer in native order over memory that the caller keeps mapped. */
    public static ByteBuffer view(long address, long bytes) {
        ByteBuffer view = MemoryBinding.buffer(address, bytes);
        if (view == null) {
            throw new OutOfMemoryError("a direct buffer of " + bytes + " bytes");
        }
        return view.order(ByteOrder.nativeOrder());
    }

    /** Runs the action, which must not refer to the object, when nothing reaches the object. */
    public static void onUnreachable(Object object, Runnable action) {
        JobAnchor.CLEANER.register(object, action);
    }
}
