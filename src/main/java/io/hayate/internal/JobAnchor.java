// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;

/**
 * Keeps a job's native memory while anything in Java can reach it. Whatever holds an address of the
 * job holds this object; the memory goes when the collector finds that nobody does.
 *
 * <p>A direct buffer cannot hold it, so each root buffer has an action at the cleaner that does:
 * slices, duplicates and views hold their root.
 */
public final class JobAnchor {
    static final Cleaner CLEANER = Cleaner.create();

    private final long job;

    /** Takes the job over: it will be closed and freed. */
    public JobAnchor(long job) {
        this.job = job;
        CLEANER.register(this, () -> free(job));
    }

    public long job() {
        return job;
    }

    /** A direct buffer over memory of the job, big endian as all new buffers. */
    public ByteBuffer buffer(long address, long bytes) {
        ByteBuffer root = MemoryDoor.buffer(address, bytes);
        if (root == null) {
            throw new OutOfMemoryError("a direct buffer of " + bytes + " bytes");
        }
        CLEANER.register(root, new Hold(this));
        return root;
    }

    private static void free(long job) {
        SetupDoor.jobClose(job);
        SetupDoor.jobFree(job);
    }

    /** The cleaner keeps it, and so the anchor, until the buffer is gone. */
    private record Hold(JobAnchor anchor) implements Runnable {
        @Override
        public void run() {
            // nothing: being forgotten by the cleaner is all
        }
    }
}
