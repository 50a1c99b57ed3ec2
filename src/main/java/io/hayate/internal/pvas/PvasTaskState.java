// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

import io.hayate.BusyException;
import io.hayate.HayateException;
import io.hayate.PvasStatus;
import io.hayate.internal.Errors;
import io.hayate.internal.PvasBinding;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * A task, apart from the {@code PvasTask} that the program has. Its partition is given back when it
 * has ended, the program is done with it (closed it, or cannot reach it any more), and nobody holds
 * its memory.
 */
public final class PvasTaskState implements PvasKeeper {
    /** Until there may be memory again. */
    static final long PAUSE_NS = 10_000_000;

    final Owner owner;
    public final int number;
    public final int pid;
    public final PvasStreams streams;
    /** Without the status: to complete it needs no memory. */
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Set<PvasAccess> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    // Written by the thread that waits for tasks, before the end is complete:
    private boolean counted; // by the space as ended
    private int code; // below 0: how it ended is not known
    private boolean exited;
    private int exit;
    private boolean dumped;
    private HayateException failure;
    // Guarded by this:
    private int holds;
    private boolean released;
    private boolean reclaimed;

    /** The space that a task is in. */
    interface Owner {
        int number();

        /** A task has ended. */
        void ended();

        /** A task was reclaimed. */
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

    /** Of its end, whatever it is. */
    public CompletableFuture<Void> end() {
        return end;
    }

    /** Of its status. */
    public CompletableFuture<PvasStatus> future() {
        return end.thenApplyAsync(nothing -> status(), this::executeAnyway);
    }

    /** What a future has claimed it does not ask for again: so until there is memory for it. */
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

    /** Behind the end. */
    private PvasStatus status() {
        if (failure != null) {
            throw failure;
        }
        if (code < 0) {
            throw Errors.exception(code, "how the task ended is not known, and there was no"
                    + " memory to keep why", -1);
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

    /** With a code, what the binding gave, and why it failed, if there was memory to keep that. */
    void reaped(int rc, int[] status, HayateException why) {
        code = rc;
        failure = why;
        exited = status[0] != 0;
        exit = status[1];
        dumped = status[2] != 0;
    }

    /** To be called again if there was no memory for those who asked for a future. */
    void tellEnd() {
        end.complete(null);
        if (!counted) {
            counted = true;
            owner.ended();
        }
        reclaimIfDone();
    }

    // ---- of anybody

    public synchronized void kill(int signal) {
        if (!reclaimed && !end.isDone()) {
            Errors.check(PvasBinding.pvasKill(owner.number(), number, signal));
        }
    }

    /** What the maker makes of exported memory; null: nobody exported it within the time. */
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
        if (closed) { // it may have been closed before it could see this one
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

    /** Ends the task if it has not ended, and all looking at it. */
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

    /** The program is done with it. */
    public void release() {
        synchronized (this) {
            released = true;
        }
        reclaimIfDone();
    }

    /** The spawn came to nothing: the task is not this object's any more. */
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
