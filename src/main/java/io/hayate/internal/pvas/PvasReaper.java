// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

import io.hayate.HayateException;
import io.hayate.internal.bindings.PvasBinding;
import io.hayate.internal.errors.Errors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that waits for the ends of all tasks of this process. It sleeps in the kernel, and
 * ends some time after the last task.
 */
final class PvasReaper {
    private static final int IDLE_MS = 2000;
    private static final int BATCH = 64;
    /** Guarded by the class, like keys. */
    private static PvasReaper running;
    private static long keys;

    /** Guarded by itself. Searched linearly, because that needs no memory. */
    private final List<Watched> tasks = new ArrayList<>();
    private final long[] ended = new long[BATCH];
    private final int[] status = new int[3];
    private final int watch;

    /**
     * A task to wait for.
     *
     * @param key the key that the watch returns for it
     */
    private record Watched(long key, PvasTaskState task, int descriptor) {
    }

    private PvasReaper() {
        pause(0); // loads the classes that it uses while there is memory
        watch = Errors.check(PvasBinding.pvasWatchOpen());
    }

    private static void pause(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    /** Takes ownership of the descriptor if it succeeds. */
    static synchronized void add(PvasTaskState task, int descriptor) {
        if (running == null) {
            running = start();
        }
        running.watch(new Watched(++keys, task, descriptor));
    }

    private static PvasReaper start() {
        PvasReaper reaper = new PvasReaper();
        try {
            Thread thread = new Thread(reaper::run, "hayate-pvas");
            thread.setDaemon(true);
            thread.start();
        } catch (Throwable e) {
            PvasBinding.pvasClose(reaper.watch);
            throw e;
        }
        return reaper;
    }

    private void watch(Watched watched) {
        synchronized (tasks) {
            tasks.add(watched);
        }
        try {
            Errors.check(PvasBinding.pvasWatchAdd(watch, watched.descriptor, watched.key));
        } catch (HayateException | OutOfMemoryError refused) {
            take(watched.key);
            throw refused;
        }
    }

    private Watched take(long key) {
        synchronized (tasks) {
            for (int i = 0; i < tasks.size(); i++) {
                if (tasks.get(i).key == key) {
                    return tasks.remove(i);
                }
            }
        }
        throw new AssertionError(key);
    }

    private boolean isIdle() {
        synchronized (tasks) {
            return tasks.isEmpty();
        }
    }

    private void run() {
        boolean over = false;
        while (!over) {
            int count = PvasBinding.pvasWatchWait(watch, isIdle() ? IDLE_MS : -1, ended, BATCH);
            for (int i = 0; i < count; i++) {
                reapWhateverComes(take(ended[i]));
            }
            over = count <= 0 && rest();
        }
    }

    /** Continues to wait for the other tasks. */
    private void reapWhateverComes(Watched watched) {
        try {
            reap(watched);
        } catch (Throwable e) {
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, e);
        }
    }

    private void reap(Watched watched) {
        PvasTaskState task = watched.task;
        PvasBinding.pvasWatchEnd(watch, watched.descriptor);
        int rc = PvasBinding.pvasReap(task.owner.number(), task.number, status);
        task.reaped(rc, status, Errors.failureIfRoom(rc));
        while (!isTold(task)) {
            pause(PvasTaskState.PAUSE_NS);
        }
    }

    /** Returns false if there is a future, and there is no memory to complete it. */
    private static boolean isTold(PvasTaskState task) {
        try {
            task.tellEnd();
            return true;
        } catch (OutOfMemoryError full) {
            return false;
        }
    }

    private boolean rest() {
        synchronized (PvasReaper.class) {
            if (!isIdle()) {
                return false;
            }
            running = null;
        }
        PvasBinding.pvasClose(watch);
        return true;
    }
}
