// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

import io.hayate.internal.Errors;
import io.hayate.internal.PvasReach;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The memory behind a {@code PvasMemory}: one hold of its keeper from the beginning until it is
 * closed and the last thread has left, and one for each buffer that was handed out.
 */
public final class PvasAccess {
    /** In uses: nobody enters any more. The other bits count those who are inside. */
    private static final int CLOSED = Integer.MIN_VALUE;

    public final long address;
    public final long bytes;
    public final boolean readOnly;
    private final PvasKeeper keeper;
    private final AtomicInteger uses = new AtomicInteger();
    /** Of memory segments, null without them. Guarded by this. */
    private AutoCloseable arena;
    /** While there are segments: nobody closes it because it cannot be reached. */
    @SuppressWarnings("unused")
    private Object pinned;

    /** Takes over a hold of the keeper. */
    PvasAccess(PvasKeeper keeper, long address, long bytes, boolean readOnly) {
        this.keeper = keeper;
        this.address = address;
        this.bytes = bytes;
        this.readOnly = readOnly;
    }

    boolean isClosed() {
        return uses.get() < 0;
    }

    /** The memory stays as it is until as many {@link #leave()}. */
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
            keeper.drop();
        }
    }

    /** A buffer for others, which keeps the memory until nobody can reach it. */
    public ByteBuffer view(long offset, long length) {
        enter();
        try {
            keeper.hold();
            return keptView(offset, length);
        } finally {
            leave();
        }
    }

    private ByteBuffer keptView(long offset, long length) {
        boolean kept = false;
        try {
            ByteBuffer view = PvasReach.view(address + offset, length);
            PvasReach.onUnreachable(view, keeper::drop);
            kept = true;
            return view;
        } finally {
            if (!kept) {
                keeper.drop();
            }
        }
    }

    /** The one arena of its segments, which close() closes. */
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

    /** Idempotent. */
    public synchronized void close() {
        closeArena();
        int now = uses.get();
        while (now >= 0 && !uses.compareAndSet(now, now | CLOSED)) {
            now = uses.get();
        }
        if (now == 0) {
            keeper.drop();
        }
    }

    private void closeArena() {
        if (arena == null) {
            return;
        }
        try {
            arena.close();
        } catch (IllegalStateException inUse) {
            throw Errors.busy("a segment of the task's memory is being used by a call of another"
                    + " thread: close again when that is over");
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
        arena = null;
        pinned = null;
    }
}
