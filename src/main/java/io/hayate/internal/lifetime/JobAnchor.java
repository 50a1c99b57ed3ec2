// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.lifetime;

import io.hayate.internal.bindings.MemoryBinding;
import io.hayate.internal.bindings.SetupBinding;
import java.nio.ByteBuffer;

/**
 * Keeps the native memory of a job. A direct buffer cannot hold the anchor, so each root buffer has
 * a cleaner action that does: slices, duplicates and views hold their root.
 */
public final class JobAnchor extends Anchor {
    /** Creates the anchor of a job, which it will close and free. */
    public JobAnchor() {
        super(JobAnchor::free);
    }

    private static void free(long job) {
        SetupBinding.jobClose(job);
        SetupBinding.jobFree(job);
    }

    public long job() {
        return handle();
    }

    /** Creates a direct buffer over memory of the job; big endian, like all new buffers. */
    public ByteBuffer buffer(long address, long bytes) {
        ByteBuffer root = MemoryBinding.buffer(address, bytes);
        if (root == null) {
            throw new OutOfMemoryError("a direct buffer of " + bytes + " bytes");
        }
        CLEANER.register(root, new Hold(this));
        return root;
    }

    /**
     * An action that the cleaner keeps, and with it the anchor, until the buffer is unreachable.
     */
    private record Hold(JobAnchor anchor) implements Runnable {
        @Override
        public void run() {
            // nothing: the cleaner drops the reference to this action
        }
    }
}
