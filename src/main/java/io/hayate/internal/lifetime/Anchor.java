// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.lifetime;

import java.lang.ref.Cleaner;
import java.util.function.LongConsumer;

/**
 * Keeps a native object while any Java object can reach it. Every holder of the handle also holds
 * this anchor; the native object is freed when the garbage collector finds the anchor unreachable.
 *
 * <p>An anchor is created before its native object, so that nothing can fail after that has been
 * opened. A caller that fails after {@link #take} calls {@link #drop}.
 */
abstract class Anchor {
    static final Cleaner CLEANER = Cleaner.create();

    static { // loads the classes that drop() uses while there is memory
        new Anchor(handle -> { }) { }.drop();
    }

    private final Held held;
    private final Cleaner.Cleanable cleanable;

    /**
     * Creates an anchor with its free function. No object that {@code kept} holds may refer to this
     * anchor.
     */
    Anchor(LongConsumer free, Object... kept) {
        held = new Held(free, kept);
        cleanable = CLEANER.register(this, held);
    }

    /** Takes ownership of the handle; called once. */
    public final void take(long handle) {
        held.handle = handle;
    }

    final long handle() {
        return held.handle;
    }

    /**
     * Notes that the program has closed the object, which is now only kept for its threads and
     * views.
     *
     * @param bytes how much memory of a heap stays with it, at most
     */
    public final void closed(long bytes) {
        held.close(bytes);
    }

    /** Frees the native object now, because no other object has seen it. */
    public final void drop() {
        cleanable.clean();
    }

    private static final class Held implements Runnable {
        private final LongConsumer free;
        @SuppressWarnings("unused")
        private final Object[] kept;
        private volatile long handle; // 0: nothing was taken
        private boolean closed; // guarded by this, like the next one
        private long bytes;

        Held(LongConsumer free, Object[] kept) {
            this.free = free;
            this.kept = kept;
        }

        synchronized void close(long kept) {
            if (!closed) {
                closed = true;
                bytes = kept;
                Reclaim.closed(kept);
            }
        }

        @Override
        public synchronized void run() {
            if (handle != 0) {
                free.accept(handle);
            }
            if (closed) {
                Reclaim.freed(bytes);
            }
        }
    }
}
