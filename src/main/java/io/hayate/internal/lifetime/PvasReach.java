// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.lifetime;

import io.hayate.internal.bindings.MemoryBinding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Tracks whether Java can still reach memory of a task. A direct buffer cannot be revoked, but
 * slices, duplicates and views hold their root, and the garbage collector reports when the root is
 * unreachable.
 */
public final class PvasReach {
    private PvasReach() {
    }

    /** Creates a direct buffer in native order over memory that the caller keeps mapped. */
    public static ByteBuffer view(long address, long bytes) {
        ByteBuffer view = MemoryBinding.buffer(address, bytes);
        if (view == null) {
            throw new OutOfMemoryError("a direct buffer of " + bytes + " bytes");
        }
        return view.order(ByteOrder.nativeOrder());
    }

    /** Runs the action when the object is unreachable; the action must not refer to the object. */
    public static void onUnreachable(Object object, Runnable action) {
        JobAnchor.CLEANER.register(object, action);
    }
}
