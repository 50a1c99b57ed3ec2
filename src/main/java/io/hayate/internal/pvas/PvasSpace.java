// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

import io.hayate.BusyException;
import io.hayate.MemoryExhaustedException;
import io.hayate.internal.Errors;
import io.hayate.internal.PvasBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;

/**
 * An address space, apart from the {@code Pvas} that the program has. It is destroyed when the
 * program has closed it or cannot reach it any more, and the last of its tasks is reclaimed.
 */
public final class PvasSpace implements PvasTaskState.Owner {
    /** How long to wait for the collector to find tasks, and buffers of them, that nobody has. */
    private static final int COLLECT_MS = 500;

    /** Spaces that are not destroyed. */
    private static final AtomicInteger EXISTING = new AtomicInteger();

    private final int number;
    private final PvasExports exports;
    /** Not reclaimed. */
    private final Set<PvasTaskState> tasks = ConcurrentHashMap.newKeySet();
    /** Tasks that run, or are just being started. */
    private final AtomicInteger living = new AtomicInteger();
    private final BooleanSupplier nobodyLives = () -> living.get() == 0;
    /** Calls that want it open share it; whoever closes it has it alone. */
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
            if (EXISTING.get() == 0 || !collect(EXISTING::get)) {
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

    /** Runs it while the space is open. */
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

    /** To be used while the space is open only. */
    public PvasExports exports() {
        return exports;
    }

    /** Starts a task and closes the start. What the maker makes of the task is for the program. */
    public <T> T spawn(PvasStart program, Function<PvasTaskState, T> maker) {
        try (PvasStart start = program) {
            whileOpen(() -> { }); // before files are emptied
            start.openStreams();
            return spawnOrCollect(start, maker);
        }
    }

    private <T> T spawnOrCollect(PvasStart start, Function<PvasTaskState, T> maker) {
        try {
            return spawnOnce(start, maker);
        } catch (MemoryExhaustedException full) {
            boolean ended = tasks.stream().anyMatch(task -> !task.isAlive());
            if (!ended || !collect(tasks::size)) {
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

    /** A task that has just been started; it is undone unless this succeeds. */
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

    /** Whether there is less of it now that the collector has been asked for. */
    private static boolean collect(IntSupplier used) {
        int before = used.getAsInt();
        System.gc();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(COLLECT_MS);
        while (used.getAsInt() >= before && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return used.getAsInt() < before;
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
        lock.writeLock().lock(); // spawns that have begun are over then
        closed = true;
        lock.writeLock().unlock();
        for (PvasTaskState task : tasks) {
            task.kill(PvasBinding.KILL); // all before the first is waited for
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

    /** The program cannot reach it any more; its tasks run on. */
    public void abandon() {
        abandoned = true;
        destroyIfDone();
    }
}
