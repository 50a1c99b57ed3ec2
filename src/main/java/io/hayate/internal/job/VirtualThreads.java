// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Virtual threads on the JDKs that have them, from a release of Java that has not. */
public final class VirtualThreads {
    /** That all virtual threads are of; null: there are none. */
    private static final Class<?> KIND = find();

    private VirtualThreads() {
    }

    /** Allocates nothing, compiled or not, as an invocation of a method handle may. */
    public static boolean isCurrent() {
        return KIND != null && KIND.isInstance(Thread.currentThread());
    }

    /**
     * The result of a native call that may wait long: for other ranks, or another process. In a
     * virtual thread it would hold the carrier meanwhile, and what is waited for may depend on
     * another virtual thread, which needs that carrier: so a platform thread calls, and the virtual
     * one parks. Neither an interrupt nor a full heap ends the wait.
     */
    public static long await(LongSupplier call) {
        if (!isCurrent()) {
            return call.getAsLong();
        }
        Elsewhere elsewhere = new Elsewhere(call);
        Thread thread = new Thread(elsewhere, "hayate-set-up");
        thread.setDaemon(true);
        thread.start();
        return elsewhere.await();
    }

    /** A call that a platform thread makes for a virtual one. Nothing here needs memory. */
    private static final class Elsewhere implements Runnable {
        private final LongSupplier call;
        private final Thread waiter = Thread.currentThread();
        private long result;
        private Throwable failure;
        private volatile boolean over;

        Elsewhere(LongSupplier call) {
            this.call = call;
        }

        @Override
        public void run() {
            try {
                result = call.getAsLong();
            } catch (Throwable e) {
                failure = e;
            }
            over = true;
            while (!isTold()) {
                Thread.yield();
            }
        }

        /** False: waking needs memory of the JVM's, and there is none. */
        private boolean isTold() {
            try {
                LockSupport.unpark(waiter);
                return true;
            } catch (OutOfMemoryError full) {
                return false;
            }
        }

        long await() {
            boolean interrupted = false;
            while (!over) {
                interrupted |= restIsInterrupted();
            }
            if (interrupted) {
                waiter.interrupt();
            }
            if (failure != null) {
                failure.fillInStackTrace(); // that of who called
                throw unchecked(failure);
            }
            return result;
        }

        private boolean restIsInterrupted() {
            try {
                LockSupport.park(this);
            } catch (OutOfMemoryError full) {
                Thread.yield();
            }
            return Thread.interrupted();
        }

        private static RuntimeException unchecked(Throwable failure) {
            if (failure instanceof Error error) {
                throw error;
            }
            return (RuntimeException) failure; // a LongSupplier throws no other
        }
    }

    /** By one that is never started. */
    private static Class<?> find() {
        if (Runtime.version().feature() < 21) {
            return null;
        }
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Object thread = Class.forName("java.lang.Thread$Builder")
                    .getMethod("unstarted", Runnable.class)
                    .invoke(builder, (Runnable) () -> { });
            Class<?> kind = thread.getClass();
            while (kind.getSuperclass() != Thread.class) {
                kind = kind.getSuperclass();
            }
            return kind;
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
