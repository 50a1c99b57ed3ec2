// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;

/** Threads that survive a lack of memory, which ends the threads of the JDK's pools. */
final class HardyPool implements Executor {
    private static final int MOST = 64;
    private final ArrayBlockingQueue<Runnable> queue = new ArrayBlockingQueue<>(MOST);
    private volatile boolean over;

    HardyPool(int threads) {
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(this::work, "hardy");
            thread.setDaemon(true);
            thread.start();
        }
    }

    @Override
    public void execute(Runnable work) {
        queue.add(work);
    }

    private void work() {
        while (!over) {
            try {
                queue.take().run();
            } catch (OutOfMemoryError full) {
                Thread.yield();
            } catch (InterruptedException never) {
                return;
            }
        }
    }

    void shutdown() {
        over = true;
        queue.add(() -> { });
        queue.add(() -> { });
    }
}
