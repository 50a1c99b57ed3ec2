// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

import io.hayate.BusyException;
import io.hayate.MemoryExhaustedException;
import io.hayate.internal.bindings.PvasBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.lifetime.Reclaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * The state of an address space, separate from the {@code Pvas} of the program. It is destroyed
 * when the program has closed it or can no longer reach it, and the last of its tasks is reclaimed.
 */
public final class PvasSpace implements PvasTaskState.Owner {
    /** How long to wait for the garbage collector to find unreachable tasks and buffers. */

    /** The spaces that are not destroyed. */
    private static final AtomicInteger EXISTING = new AtomicInteger();

    private final int number;
    private final PvasExports exports;
    /** The tasks that are not reclaimed. */
    private final Set<PvasTaskState> tasks = ConcurrentHashMap.newKeySet();
    /** The number of tasks that run or are being started. */
    private final AtomicInteger living = new AtomicInteger();
    private final BooleanSupplier nobodyLives = () -> living.get() == 0;
    /** Shared by calls that need the open space; exclusive for the call that closes it. */
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private volatile boolean closed;
    private volatile boolean abandoned;
    private boolean destroyed; // guarded by this

    private PvasSpace(int number) {
        this.number = number;
        exports = new PvasExports(number);
        EXISTING.incrementAndGet();
    }

    public static PvasSpace create(int tasks, long partitionBytes) {
        try {
            return createOnce(tasks, partitionBytes);
        } catch (MemoryExhaustedException full) {
            if (EXISTING.get() == 0 || !Reclaim.collect(EXISTING::get)) {
                throw full;
            }
            return createOnce(tasks, partitionBytes);
        }
    }

    private static PvasSpace createOnce(int tasks, long partitionBytes) {
        int number = Errors.check(PvasBinding.pvasCreate(tasks, partitionBytes));
        try {
            return new PvasSpace(number);
        } catch (RuntimeException | Error e) {
            PvasBinding.pvasDestroy(number);
            throw e;
        }
    }

    /** Runs an action while the space is open. */
    public void whileOpen(Runnable action) {
        lock.readLock().lock();
        try {
            if (closed) {
                throw Errors.closed("the address space");
            }
            action.run();
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    public int number() {
        return number;
    }

    /** Returns the exports; may be used only while the space is open. */
    public PvasExports exports() {
        return exports;
    }

    /**
     * Starts a task and closes the start. Returns the object that the maker creates from the task
     * for the program.
     */
    public <T> T spawn(PvasStart program, Function<PvasTaskState, T> maker) {
        try (PvasStart start = program) {
            whileOpen(() -> { }); // checked before files are truncated
            start.openStreams();
            return spawnOrCollect(start, maker);
        }
    }

    private <T> T spawnOrCollect(PvasStart start, Function<PvasTaskState, T> maker) {
        try {
            return spawnOnce(start, maker);
        } catch (MemoryExhaustedException full) {
            boolean ended = tasks.stream().anyMatch(task -> !task.isAlive());
            if (!ended || !Reclaim.collect(tasks::size)) {
                throw full;
            }
            return spawnOnce(start, maker);
        }
    }

    private <T> T spawnOnce(PvasStart start, Function<PvasTaskState, T> maker) {
        List<T> task = new ArrayList<>(1);
        whileOpen(() -> {
            living.incrementAndGet();
            try {
                task.add(taken(start, start.spawn(number), maker));
            } finally {
                if (task.isEmpty()) {
                    ended();
                }
            }
        });
        return task.get(0);
    }

    /** Registers a task that was just started; unless this succeeds, the start is undone. */
    private <T> T taken(PvasStart start, int[] started, Function<PvasTaskState, T> maker) {
        PvasTaskState state = null;
        try {
            state = new PvasTaskState(this, started[PvasBinding.TASK], started[PvasBinding.PID],
                    start.pipes());
            T task = maker.apply(state);
            tasks.add(state);
            PvasReaper.add(state, started[PvasBinding.WATCH]);
            start.keepPipes();
            return task;
        } catch (Throwable e) {
            undo(state, started);
            throw e;
        }
    }

    private void undo(PvasTaskState state, int[] started) {
        if (state != null) {
            tasks.remove(state);
            state.forget();
        }
        PvasBinding.pvasUndo(number, started[PvasBinding.TASK]);
        PvasBinding.pvasClose(started[PvasBinding.WATCH]);
    }

    @Override
    public void ended() {
        if (living.decrementAndGet() == 0) {
            exports.forgetRetired(nobodyLives);
        }
    }

    @Override
    public void gone(PvasTaskState task) {
        tasks.remove(task);
        destroyIfDone();
    }

    private void destroyIfDone() {
        synchronized (this) {
            if (!closed && !abandoned || destroyed || !tasks.isEmpty()) {
                return;
            }
            destroyed = true;
        }
        PvasBinding.pvasDestroy(number);
        EXISTING.decrementAndGet();
        exports.clear();
    }

    public void close() {
        lock.writeLock().lock(); // waits for spawns in progress
        closed = true;
        lock.writeLock().unlock();
        for (PvasTaskState task : tasks) {
            task.kill(PvasBinding.KILL); // kill all tasks before waiting for the first
        }
        BusyException busy = null;
        for (PvasTaskState task : tasks) {
            try {
                task.close();
            } catch (BusyException e) {
                busy = e;
            }
        }
        if (busy != null) {
            throw busy;
        }
        exports.clear();
        destroyIfDone();
    }

    /** Called when the program cannot reach it any more; its tasks continue to run. */
    public void abandon() {
        abandoned = true;
        destroyIfDone();
    }
}
