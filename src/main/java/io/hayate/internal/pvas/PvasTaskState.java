// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

import io.hayate.BusyException;
import io.hayate.HayateException;
import io.hayate.PvasStatus;
import io.hayate.internal.bindings.PvasBinding;
import io.hayate.internal.errors.Errors;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * The state of a task, separate from the {@code PvasTask} of the program. Its partition is
 * reclaimed when it has ended, the program has closed it or can no longer reach it, and nothing
 * holds its memory.
 */
public final class PvasTaskState implements PvasRetainer {
    /** How long to wait until there may be memory again. */
    static final long PAUSE_NS = 10_000_000;

    final Owner owner;
    public final int number;
    public final int pid;
    public final PvasStreams streams;
    /** Completes at the end, without the status, so that completion needs no memory. */
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Set<PvasAccess> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    // Written by the thread that waits for tasks, before it completes the end:
    private boolean counted; // whether the space has counted it as ended
    private int code; // below 0: the status is unknown
    private boolean exited;
    private int exit;
    private boolean dumped;
    private HayateException failure;
    // Guarded by this:
    private int holds;
    private boolean released;
    private boolean reclaimed;

    /** The space of a task. */
    interface Owner {
        int number();

        /** Called when a task has ended. */
        void ended();

        /** Called when a task was reclaimed. */
        void gone(PvasTaskState task);
    }

    PvasTaskState(Owner owner, int number, int pid, PvasStreams streams) {
        this.owner = owner;
        this.number = number;
        this.pid = pid;
        this.streams = streams;
    }

    public boolean isAlive() {
        return !end.isDone();
    }

    /** Returns a future of its end, whatever its status. */
    public CompletableFuture<Void> end() {
        return end;
    }

    /** Returns a future of its status. */
    public CompletableFuture<PvasStatus> future() {
        return end.thenApplyAsync(nothing -> status(), this::executeAnyway);
    }

    /**
     * Retries until there is memory, because a future does not request its result a second time.
     */
    private void executeAnyway(Runnable action) {
        boolean begun = false;
        while (!begun) {
            try {
                end.defaultExecutor().execute(action);
                begun = true;
            } catch (OutOfMemoryError full) {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    /** Returns the status; called after the end. */
    private PvasStatus status() {
        if (failure != null) {
            throw failure;
        }
        if (code < 0) {
            throw Errors.exception(code, "the status of the task is unknown, and there was no"
                    + " memory to keep the reason", -1);
        }
        return new PvasStatus(exited, exit, dumped);
    }

    public void requireOpen() {
        if (closed) {
            throw Errors.closed("the task");
        }
    }

    public PvasStatus await() {
        end.join();
        return status();
    }

    // ---- of the thread that waits for tasks

    /**
     * Records the end: the code of the binding, its result, and the failure, if there was memory to
     * keep it.
     */
    void reaped(int rc, int[] status, HayateException why) {
        code = rc;
        failure = why;
        exited = status[0] != 0;
        exit = status[1];
        dumped = status[2] != 0;
    }

    /** Completes the futures; must be called again if there was no memory for that. */
    void tellEnd() {
        end.complete(null);
        if (!counted) {
            counted = true;
            owner.ended();
        }
        reclaimIfDone();
    }

    // ---- any thread

    public synchronized void kill(int signal) {
        if (!reclaimed && !end.isDone()) {
            Errors.check(PvasBinding.pvasKill(owner.number(), number, signal));
        }
    }

    /**
     * Returns what the maker creates from exported memory; null: there was no export within the
     * time.
     */
    public <T> T memory(String name, long nanos, Function<PvasAccess, T> maker) {
        requireOpen();
        hold();
        PvasAccess access = null;
        try {
            long[] found =
                    PvasImports.find(owner.number(), number, name, nanos, this::requireOpen);
            if (found == null) {
                return null;
            }
            access = PvasImports.access(this, found);
        } finally {
            if (access == null) {
                drop();
            }
        }
        return opened(access, maker);
    }

    private <T> T opened(PvasAccess access, Function<PvasAccess, T> maker) {
        T memory = made(access, maker);
        if (closed) { // close may have run before this access was registered
            access.close();
            requireOpen();
        }
        return memory;
    }

    private <T> T made(PvasAccess access, Function<PvasAccess, T> maker) {
        try {
            open.removeIf(PvasAccess::isClosed);
            open.add(access);
            return maker.apply(access);
        } catch (RuntimeException | Error e) {
            access.close();
            throw e;
        }
    }

    @Override
    public synchronized void hold() {
        if (reclaimed) {
            throw Errors.closed("the task");
        }
        if (holds == 0) {
            Errors.check(PvasBinding.pvasHold(owner.number(), number));
        }
        holds++;
    }

    @Override
    public void drop() {
        synchronized (this) {
            holds--;
            if (holds == 0) {
                PvasBinding.pvasDrop(owner.number(), number);
            }
        }
        reclaimIfDone();
    }

    /** Kills the task if it runs, and ends all access to its memory. */
    public void close() {
        closed = true;
        kill(PvasBinding.KILL);
        end.join();
        streams.close();
        closeMemory();
        release();
    }

    private void closeMemory() {
        BusyException busy = null;
        for (PvasAccess access : List.copyOf(open)) {
            try {
                access.close();
                open.remove(access);
            } catch (BusyException e) {
                busy = e;
            }
        }
        if (busy != null) {
            throw busy;
        }
    }

    /** Called when the program has closed it or can no longer reach it. */
    public void release() {
        synchronized (this) {
            released = true;
        }
        reclaimIfDone();
    }

    /** Called when the spawn has failed: this object no longer owns the task. */
    synchronized void forget() {
        reclaimed = true;
    }

    private void reclaimIfDone() {
        synchronized (this) {
            if (!released || !end.isDone() || holds > 0 || reclaimed) {
                return;
            }
            reclaimed = true;
            PvasBinding.pvasReclaim(owner.number(), number);
        }
        owner.gone(this);
    }
}
