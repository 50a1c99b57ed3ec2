// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import java.lang.ref.Cleaner;
import java.util.function.LongConsumer;

/**
 * Keeps something native while anything in Java can reach it. Whatever holds its handle holds this
 * object; it goes when the collector finds that nobody does.
 *
 * <p>An anchor is made before what it is for: when that has been opened nothing that could fail is
 * left to be done. Whoever fails behind {@link #take} calls {@link #drop}.
 */
abstract class Anchor {
    static final Cleaner CLEANER = Cleaner.create();

    static { // what drop() uses is loaded while there is memory
        new Anchor(handle -> { }) { }.drop();
    }

    private final Held held;
    private final Cleaner.Cleanable cleanable;

    /** Of what is freed so. Nothing that {@code kept} holds may lead back to this anchor. */
    Anchor(LongConsumer free, Object... kept) {
        held = new Held(free, kept);
        cleanable = CLEANER.register(this, held);
    }

    /** Takes it over; to be called once. */
    public final void take(long handle) {
        held.handle = handle;
    }

    final long handle() {
        return held.handle;
    }

    /** Frees it now: nobody else has seen it. */
    public final void drop() {
        cleanable.clean();
    }

    private static final class Held implements Runnable {
        private final LongConsumer free;
        @SuppressWarnings("unused")
        private final Object[] kept;
        private volatile long handle; // 0: nothing was taken

        Held(LongConsumer free, Object[] kept) {
            this.free = free;
            this.kept = kept;
        }

        @Override
        public void run() {
            if (handle != 0) {
                free.accept(handle);
            }
        }
    }
}
