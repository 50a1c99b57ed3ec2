// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import io.hayate.HayateException;
import io.hayate.internal.errors.Errors;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * When the wait of a thread ends although its operation is not complete: at a time, if there is
 * one, or when the thread is interrupted. The interrupt status of the thread stays set.
 *
 * <p>A platform thread waits in native calls, which ask Java now and then whether the thread was
 * interrupted. With a time limit they return after a turn, and the thread looks here. So a short
 * wait does not pay for it.
 */
public final class Deadline {
    /** Only an interrupt ends the wait. */
    public static final Deadline NONE = new Deadline(null, 0);

    private static final long TURN_NS = 50_000_000;

    private final Duration limit; // null: none
    private final long end; // of System.nanoTime()

    private Deadline(Duration limit, long end) {
        this.limit = limit;
        this.end = end;
    }

    /**
     * Returns the deadline after a time; null, negative: an {@code ArgumentException}. Zero is a
     * deadline that is over.
     */
    public static Deadline after(Duration limit) {
        if (Errors.required(limit, "the time limit").isNegative()) {
            throw Errors.argument("the time limit is " + text(limit) + ": expected 0 or more");
        }
        return isForEver(limit) ? NONE : new Deadline(limit, System.nanoTime() + limit.toNanos());
    }

    /** Returns whether a time limit is so long that it is none. */
    public static boolean isForEver(Duration limit) {
        return limit.compareTo(Duration.ofDays(36_500)) > 0;
    }

    /** Describes a time in seconds, exactly, such as "3 s". */
    public static String text(Duration time) {
        return BigDecimal.valueOf(time.getSeconds()).add(BigDecimal.valueOf(time.getNano(), 9))
                .stripTrailingZeros().toPlainString() + " s";
    }

    private long left() {
        return end - System.nanoTime();
    }

    /** Returns whether the current thread must not wait any longer. */
    public boolean isOver() {
        return Thread.currentThread().isInterrupted() || limit != null && left() <= 0;
    }

    /** Returns the nanoseconds of the next native turn; below 0: until an interrupt. */
    public long turn() {
        if (Thread.currentThread().isInterrupted()) {
            return 1;
        }
        return limit == null ? -1 : Math.max(1, Math.min(left(), TURN_NS));
    }

    /** Parks until somebody unparks this thread, the time is over, or it is interrupted. */
    void park(Object blocker) {
        if (limit == null) {
            LockSupport.park(blocker);
        } else {
            LockSupport.parkNanos(blocker, Math.max(1, left()));
        }
    }

    /**
     * Creates the exception for a wait that is over.
     *
     * @param what what is not complete, and what became of it
     * @param peer the rank that was waited for, or -1
     */
    public HayateException exception(String what, int peer) {
        if (Thread.currentThread().isInterrupted()) {
            return Errors.exception(Errors.INTERRUPTED,
                    "the thread was interrupted, which ended its wait: " + what, peer);
        }
        return Errors.exception(Errors.TIMED_OUT,
                "the time limit of " + text(limit) + " is over: " + what, peer);
    }
}
