// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.internal.bindings.TaggedBinding;
import io.hayate.internal.job.VirtualThreads;
import java.lang.ref.Reference;

/**
 * The room for buffered sends that the program has attached. Native code copies a message that
 * cannot be sent at once; the attached buffer only limits how much is copied.
 */
final class BufferedSends {
    /** Bytes of messages that programs send without an attached buffer, as Open MPI lets them. */
    private static final int SMALL = 4096;
    /** The room that such messages have in addition, all together. */
    private static final long SPARE = 64 << 10;

    private byte[] attached; // guarded by this
    private long room;
    /** What was under way when it was attached, and takes no room of it. */
    private long before;

    synchronized void attach(Engine engine, byte[] buffer, long bytes) {
        if (attached != null || room > 0) {
            throw new MPIException(ErrorClass.BUFFER, "a buffer for buffered sends is attached"
                    + " already: detach it first");
        }
        attached = buffer;
        room = bytes;
        before = TaggedBinding.buffered(engine.tags.handle());
    }

    /** Waits until all messages are sent, and returns the buffer; null: there was none. */
    byte[] detach(Engine engine) {
        await(engine);
        synchronized (this) {
            byte[] buffer = attached;
            attached = null;
            room = 0;
            before = 0;
            return buffer;
        }
    }

    /** Waits until all messages are sent. */
    void await(Engine engine) {
        VirtualThreads.await(() -> TaggedBinding.settle(engine.tags.handle()));
        Reference.reachabilityFence(engine);
    }

    /** Checks that there is room for one more message. */
    synchronized void reserve(Engine engine, long bytes) {
        long all = TaggedBinding.buffered(engine.tags.handle());
        before = Math.min(before, all);
        long used = all - before;
        long free = room - used + (bytes <= SMALL ? SPARE : 0);
        if (bytes > free) {
            throw new MPIException(ErrorClass.BUFFER, "a buffered send of " + bytes
                    + " bytes finds " + Math.max(0, room - used) + " of " + room
                    + " bytes: attach a larger buffer"
                    + " with MPI.attachBuffer, or wait until messages are received");
        }
    }
}
