// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Virtual threads on the JDKs that have them, from a release of Java that has not. */
final class VirtualThreads {
    private static final MethodHandle IS_VIRTUAL = find();

    private VirtualThreads() {
    }

    static boolean isCurrent() {
        if (IS_VIRTUAL == null) {
            return false;
        }
        try {
            return (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    /**
     * The result of a native call that may wait long: for other ranks, or another process. In a
     * virtual thread it would hold the carrier meanwhile, and what is waited for may depend on
     * another virtual thread, which needs that carrier: so a platform thread calls, and the virtual
     * one parks. Neither an interrupt nor a full heap ends the wait.
     */
    static long await(LongSupplier call) {
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

    private static MethodHandle find() {
        if (Runtime.version().feature() < 21) {
            return null;
        }
        try {
            return MethodHandles.publicLookup().findVirtual(
                    Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
