// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.lifetime.PvasReach;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The memory of a {@code PvasMemory}. It holds its retainer once from the beginning until it is
 * closed and the last thread has left, and once for each buffer that it has handed out.
 */
public final class PvasAccess {
    /**
     * Bit in uses: no thread can enter any more. The other bits count the threads that have
     * entered.
     */
    private static final int CLOSED = Integer.MIN_VALUE;

    public final long address;
    public final long bytes;
    public final boolean readOnly;
    private final PvasRetainer retainer;
    private final AtomicInteger uses = new AtomicInteger();
    /** The arena of memory segments; null without segments. Guarded by this. */
    private AutoCloseable arena;
    /**
     * Keeps the owner reachable while there are segments, so that it is not closed as unreachable.
     */
    @SuppressWarnings("unused")
    private Object pinned;

    /** Takes ownership of a hold on the retainer. */
    PvasAccess(PvasRetainer retainer, long address, long bytes, boolean readOnly) {
        this.retainer = retainer;
        this.address = address;
        this.bytes = bytes;
        this.readOnly = readOnly;
    }

    boolean isClosed() {
        return uses.get() < 0;
    }

    /** Keeps the memory until {@link #leave()} has been called as often as this method. */
    public void enter() {
        int now = uses.get();
        while (now >= 0) {
            if (uses.compareAndSet(now, now + 1)) {
                return;
            }
            now = uses.get();
        }
        throw Errors.closed("the memory of the task");
    }

    public void leave() {
        if (uses.decrementAndGet() == CLOSED) {
            retainer.drop();
        }
    }

    /** Creates a buffer for the program, which keeps the memory until it is unreachable. */
    public ByteBuffer view(long offset, long length) {
        enter();
        try {
            retainer.hold();
            return keptView(offset, length);
        } finally {
            leave();
        }
    }

    private ByteBuffer keptView(long offset, long length) {
        boolean kept = false;
        try {
            ByteBuffer view = PvasReach.view(address + offset, length);
            PvasReach.onUnreachable(view, retainer::drop);
            kept = true;
            return view;
        } finally {
            if (!kept) {
                retainer.drop();
            }
        }
    }

    /** Returns the arena of its segments, which close() closes. */
    public synchronized AutoCloseable arena(Supplier<? extends AutoCloseable> maker,
            Object memory) {
        if (isClosed()) {
            throw Errors.closed("the memory of the task");
        }
        if (arena == null) {
            arena = maker.get();
            pinned = memory;
        }
        return arena;
    }

    /** Closes the access; idempotent. */
    public synchronized void close() {
        closeArena();
        int now = uses.get();
        while (now >= 0 && !uses.compareAndSet(now, now | CLOSED)) {
            now = uses.get();
        }
        if (now == 0) {
            retainer.drop();
        }
    }

    private void closeArena() {
        if (arena == null) {
            return;
        }
        try {
            arena.close();
        } catch (IllegalStateException inUse) {
            throw Errors.busy("a call of another thread uses a segment of the task's memory: close"
                    + " again after that call");
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
        arena = null;
        pinned = null;
    }
}
