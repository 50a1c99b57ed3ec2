// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import io.hayate.internal.bindings.LogBinding;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The time that a rank waits for others: its limit, when to say so, when to try again. */
final class Patience {
    private static final int[] TOLD_AFTER = {10, 30, 60}; // seconds
    private static final long PAUSE_LOW_MS = 20;
    private static final long PAUSE_HIGH_MS = 500;

    private final long start = System.nanoTime();
    private final long limit;
    private final Supplier<String> state;
    private int told;
    private long pause = PAUSE_LOW_MS;

    /**
     * Begins to wait.
     *
     * @param state what to write to the log after 10, 30 and 60 s; null: nothing
     */
    Patience(Duration limit, Supplier<String> state) {
        this.limit = limit.toNanos();
        this.state = state;
    }

    /** Returns the nanoseconds that are left; not positive: it is over. */
    long left() {
        return limit - (System.nanoTime() - start);
    }

    /** Writes to the log if it is time to. */
    void look() {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        boolean due = false;
        while (told < TOLD_AFTER.length && seconds >= TOLD_AFTER[told]) {
            told++;
            due = true;
        }
        String text = due ? state.get() : null;
        if (text != null) {
            LogBinding.logWarn("since " + seconds + " s " + text);
        }
    }

    /** Waits before the next attempt: longer each time, and differently on each rank. */
    void pause() throws InterruptedException {
        long half = pause / 2;
        Thread.sleep(half + ThreadLocalRandom.current().nextLong(pause));
        pause = Math.min(PAUSE_HIGH_MS, pause * 2);
    }
}
