// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import io.hayate.internal.bindings.BellBinding;
import io.hayate.internal.bindings.TellBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.lifetime.JobAnchor;
import java.lang.ref.Reference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Lets virtual threads wait without pinning their carriers. One daemon thread sleeps on the bell of
 * this rank while any thread is parked. When the bell rings, and at intervals, it unparks all of
 * them, and each tests its condition.
 *
 * <p>No wake-up is lost: a waiter is in the set before it tests, and the daemon thread announces
 * itself to signalling ranks before it unparks for the first time. A test may call the program,
 * which may wait in turn: the thread stays in the set until its outermost wait is over.
 */
public final class Waker {
    /** Tells what a thread waits for, after each look that found nothing: {@link TellBinding}. */
    @FunctionalInterface
    public interface Teller {
        int tell(int told, long thread);
    }

    /** For waits that are not told. */
    public static final Teller SILENT = (told, thread) -> 0;

    private final JobAnchor anchor; // the bell stays mapped while the thread runs
    private final long bell;
    private final Set<Thread> parked = ConcurrentHashMap.newKeySet();
    private final Thread thread;
    private volatile boolean idle;
    private volatile boolean stopped;

    Waker(JobAnchor anchor) {
        this.anchor = anchor;
        thread = new Thread(this::run, "hayate-waker");
        thread.setDaemon(true);
        bell = Errors.check(BellBinding.open(anchor.job()));
    }

    void start() {
        try {
            thread.start();
        } catch (RuntimeException | Error e) {
            BellBinding.close(bell);
            throw e;
        }
    }

    /** Called when the job is closed: the thread ends when the last waiter has noticed it. */
    void stop() {
        stopped = true;
        LockSupport.unpark(thread);
    }

    /**
     * Parks until the test returns 0 or less, and returns that result. The test must not block. An
     * interrupt does not end the wait; the flag is set again afterwards.
     */
    public long await(LongSupplier test, Teller teller) {
        return await(test, teller, -1);
    }

    /**
     * The same for a limited number of nanoseconds (below 0: without limit); returns the last
     * result of the test.
     */
    public long await(LongSupplier test, Teller teller, long nanos) {
        long begun = System.nanoTime();
        Thread current = Thread.currentThread();
        boolean interrupted = false;
        int told = 0;
        boolean outermost = parked.add(current); // a look may wait in turn
        try {
            if (idle) {
                LockSupport.unpark(thread);
            }
            long result = test.getAsLong();
            while (result > 0 && park(begun, nanos)) {
                interrupted |= Thread.interrupted();
                result = test.getAsLong();
                if (result > 0) {
                    told = teller.tell(told, current.getId());
                }
            }
            return result;
        } finally {
            if (outermost) {
                parked.remove(current);
            }
            TellBinding.over(anchor.job(), told);
            if (interrupted) {
                current.interrupt();
            }
        }
    }

    /**
     * The same until the deadline; an interrupt ends the wait as well. Returns the last result of
     * the test.
     */
    public long await(LongSupplier test, Teller teller, Deadline deadline) {
        Thread current = Thread.currentThread();
        int told = 0;
        boolean outermost = parked.add(current); // a look may wait in turn
        try {
            if (idle) {
                LockSupport.unpark(thread);
            }
            long result = test.getAsLong();
            while (result > 0 && !deadline.isOver()) {
                deadline.park(this);
                result = test.getAsLong();
                if (result > 0) {
                    told = teller.tell(told, current.getId());
                }
            }
            return result;
        } finally {
            if (outermost) {
                parked.remove(current);
            }
            TellBinding.over(anchor.job(), told);
        }
    }

    /** Returns false if no time is left. */
    private boolean park(long begun, long nanos) {
        if (nanos < 0) {
            LockSupport.park(this);
            return true;
        }
        long left = nanos - (System.nanoTime() - begun);
        if (left > 0) {
            LockSupport.parkNanos(this, left);
        }
        return left > 0;
    }

    private void run() {
        try {
            while (!stopped || !parked.isEmpty()) {
                restOrTurn();
            }
        } finally {
            BellBinding.rest(bell);
            BellBinding.close(bell);
            Reference.reachabilityFence(anchor);
        }
    }

    /** If there is no memory to wake all of them, the next turn does it. */
    private void restOrTurn() {
        try {
            if (parked.isEmpty()) {
                rest();
            } else {
                turn();
            }
        } catch (OutOfMemoryError full) {
            Thread.yield();
        }
    }

    private void turn() {
        BellBinding.turn(bell);
        for (Thread waiter : parked) {
            LockSupport.unpark(waiter);
        }
    }

    private void rest() {
        BellBinding.rest(bell);
        idle = true;
        if (parked.isEmpty() && !stopped) {
            LockSupport.park(this);
        }
        idle = false;
    }
}
