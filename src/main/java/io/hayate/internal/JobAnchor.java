// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import java.nio.ByteBuffer;

/**
 * Keeps a job's native memory. A direct buffer cannot hold it, so each root buffer has an action at
 * the cleaner that does: slices, duplicates and views hold their root.
 */
public final class JobAnchor extends Anchor {
    /** For a job, which will be closed and freed. */
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

    /** A direct buffer over memory of the job, big endian as all new buffers. */
    public ByteBuffer buffer(long address, long bytes) {
        ByteBuffer root = MemoryBinding.buffer(address, bytes);
        if (root == null) {
            throw new OutOfMemoryError("a direct buffer of " + bytes + " bytes");
        }
        CLEANER.register(root, new Hold(this));
        return root;
    }

    /** The cleaner keeps it, and so the anchor, until the buffer is gone. */
    private record Hold(JobAnchor anchor) implements Runnable {
        @Override
        public void run() {
            // nothing: being forgotten by the cleaner is all
        }
    }
}
