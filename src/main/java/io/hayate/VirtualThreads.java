// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
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
     * The result of a native call that waits for other ranks. In a virtual thread it would hold the
     * carrier meanwhile, and what those ranks wait for may be another virtual thread, which needs
     * that carrier: so a platform thread calls, and the virtual one parks. An interrupt does not
     * end the wait.
     */
    static long await(LongSupplier call) {
        return isCurrent() ? awaitElsewhere(call) : call.getAsLong();
    }

    private static long awaitElsewhere(LongSupplier call) {
        long[] result = new long[1];
        FutureTask<Void> task = new FutureTask<>(() -> result[0] = call.getAsLong(), null);
        Thread thread = new Thread(task, "hayate-set-up");
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = false;
        try {
            while (!isOver(task)) {
                interrupted = true;
            }
            return result[0];
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** False: the wait was interrupted. A failure has the stack of who called. */
    private static boolean isOver(FutureTask<Void> task) {
        try {
            task.get();
            return true;
        } catch (InterruptedException e) {
            return false;
        } catch (ExecutionException e) {
            Throwable failure = e.getCause();
            failure.fillInStackTrace();
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure; // a LongSupplier throws no other
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
