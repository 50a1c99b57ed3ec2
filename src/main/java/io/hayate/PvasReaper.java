// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.PvasDoor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The one thread that waits for the ends of all tasks of this process. It sleeps in the kernel, and
 * goes away some time after the last task.
 */
final class PvasReaper {
    private static final int IDLE_MS = 2000;
    private static final int BATCH = 64;
    /** Guarded by the class, as keys is. */
    private static PvasReaper running;
    private static long keys;

    private final Map<Long, Watched> tasks = new ConcurrentHashMap<>();
    private final int watch;

    private record Watched(PvasTaskState task, int descriptor) {
    }

    private PvasReaper() {
        watch = Errors.check(PvasDoor.pvasWatchOpen());
    }

    /** Takes the descriptor over, if it succeeds. */
    static synchronized void add(PvasTaskState task, int descriptor) {
        if (running == null) {
            running = start();
        }
        running.watch(++keys, new Watched(task, descriptor));
    }

    private static PvasReaper start() {
        PvasReaper reaper = new PvasReaper();
        try {
            Thread thread = new Thread(reaper::run, "hayate-pvas");
            thread.setDaemon(true);
            thread.start();
        } catch (Throwable e) {
            PvasDoor.pvasClose(reaper.watch);
            throw e;
        }
        return reaper;
    }

    private void watch(long key, Watched watched) {
        tasks.put(key, watched);
        try {
            Errors.check(PvasDoor.pvasWatchAdd(watch, watched.descriptor, key));
        } catch (HayateException refused) {
            tasks.remove(key);
            throw refused;
        }
    }

    private void run() {
        long[] ended = new long[BATCH];
        while (true) {
            int count = PvasDoor.pvasWatchWait(watch, tasks.isEmpty() ? IDLE_MS : -1, ended, BATCH);
            for (int i = 0; i < count; i++) {
                reapWhateverComes(tasks.remove(ended[i]));
            }
            if (count <= 0 && rest()) {
                return;
            }
        }
    }

    private boolean rest() {
        synchronized (PvasReaper.class) {
            if (!tasks.isEmpty()) {
                return false;
            }
            running = null;
        }
        PvasDoor.pvasClose(watch);
        return true;
    }

    /** Memory may be out, and the others are still to be waited for. */
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
        PvasDoor.pvasWatchEnd(watch, watched.descriptor);
        int[] status = new int[3];
        HayateException failure =
                Errors.failure(PvasDoor.pvasReap(task.space.number, task.number, status));
        task.ended(new PvasStatus(status[0] != 0, status[1], status[2] != 0), failure);
    }
}
