// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** Several threads of one rank, of either kind. */
public final class Threads {
    public interface Work {
        void run(int number) throws Exception;
    }

    public interface Starter {
        Thread start(Runnable work);
    }

    public static Thread platform(Runnable work) {
        Thread thread = new Thread(work);
        thread.start();
        return thread;
    }

    /** By reflection, as the class is for Java 17. */
    public static Thread virtual(Runnable work) {
        try {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            return (Thread) start.invoke(null, work);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Between two looks. Virtual threads that only yield are run again before those that another
     * kind of thread has woken: of one carrier, the JDK gives these nothing.
     */
    public static void pause() {
        LockSupport.parkNanos(20_000);
    }

    public static void together(int threads, Starter starter, Work work) throws Exception {
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            running.add(starter.start(() -> {
                try {
                    work.run(number);
                } catch (Throwable thrown) {
                    failures.add(thrown);
                }
            }));
        }
        for (Thread thread : running) {
            thread.join();
        }
        if (!failures.isEmpty()) {
            throw new AssertionError(failures.size() + " threads failed", failures.peek());
        }
    }
}
