// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.lifetime;

import io.hayate.MemoryExhaustedException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Runs the garbage collector for native memory, which it knows nothing about, as the JDK does for
 * direct buffers. What the program has closed is freed when no thread can be inside it any more,
 * and only the collector can tell. A call that opens something runs it when much is closed and not
 * yet freed, and when there is no room.
 */
public final class Reclaim {
    private static final int MANY = 32;
    private static final long MUCH = 64 << 20;
    private static final int COLLECT_MS = 500;
    private static final int QUIET_MS = 100; // more than a busy machine lets a thread wait

    private static final AtomicInteger CLOSED = new AtomicInteger(); // and not yet freed
    private static final AtomicLong BYTES = new AtomicLong(); // of the heaps of these
    private static volatile int limit = MANY;
    private static volatile long limitBytes = MUCH;

    private Reclaim() {
    }

    static void closed(long bytes) {
        CLOSED.incrementAndGet();
        BYTES.addAndGet(bytes);
    }

    static void freed(long bytes) {
        BYTES.addAndGet(-bytes);
        CLOSED.decrementAndGet();
    }

    /** Frees what the program has closed, if that is much; called before something is opened. */
    public static void ifMany() {
        if (CLOSED.get() >= limit || BYTES.get() >= limitBytes) {
            collect(CLOSED::get);
            limit = Math.max(MANY, 2 * CLOSED.get()); // what the program still refers to stays
            limitBytes = Math.max(MUCH, 2 * BYTES.get());
        }
    }

    /**
     * Opens a native object, once more if there is no room. If a collective call finds no room on
     * one rank, it fails so on all of them, and all of them try once more.
     */
    public static long open(LongSupplier call) {
        ifMany();
        try {
            return call.getAsLong();
        } catch (MemoryExhaustedException full) {
            collect(CLOSED::get);
            return call.getAsLong();
        }
    }

    /**
     * Runs the collector, waits until its cleaners have nothing more to do, and returns whether
     * less is in use then.
     */
    public static boolean collect(IntSupplier used) {
        int before = used.getAsInt();
        if (before == 0) {
            return false;
        }
        System.gc();
        int now = before;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(COLLECT_MS);
        while (now > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            int next = used.getAsInt();
            if (next < now) {
                end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(QUIET_MS);
            }
            now = next;
        }
        return now < before;
    }
}
