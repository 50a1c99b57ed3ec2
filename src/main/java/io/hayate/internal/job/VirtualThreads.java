// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Detects virtual threads on JDKs that have them, with code for a Java release that does not. */
public final class VirtualThreads {
    /** The class of all virtual threads; null: there are none. */
    private static final Class<?> KIND = find();

    private VirtualThreads() {
    }

    /** Allocates nothing, compiled or not, whereas an invocation of a method handle may. */
    public static boolean isCurrent() {
        return KIND != null && KIND.isInstance(Thread.currentThread());
    }

    /**
     * Returns the result of a native call that may wait long for other ranks or another process. In
     * a virtual thread it would pin the carrier, and the awaited event may depend on another
     * virtual thread that needs this carrier. Therefore a platform thread makes the call, and the
     * virtual thread parks. Neither an interrupt nor a full Java heap ends the wait.
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

    /** A call that a platform thread makes for a virtual one. It allocates no memory. */
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

        /** Returns false if the JVM lacks the memory that it needs to wake the thread. */
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
                failure.fillInStackTrace(); // the stack trace of the caller
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

    /** Finds the class by a thread that is never started. */
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
