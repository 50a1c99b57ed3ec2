// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.PvasDoor;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A task, apart from the {@link PvasTask} that the program has. Its partition is given back when it
 * has ended, the program is done with it (closed it, or cannot reach it any more), and nobody holds
 * its memory.
 */
final class PvasTaskState implements PvasKeeper {
    final PvasSpace space;
    final int number;
    final int pid;
    final PvasStreams streams;
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

    PvasTaskState(PvasSpace space, int number, int pid, PvasStreams streams) {
        this.space = space;
        this.number = number;
        this.pid = pid;
        this.streams = streams;
    }

    boolean isAlive() {
        return !end.isDone();
    }

    /** Of its end, whatever it is. */
    CompletableFuture<Void> end() {
        return end;
    }

    /** Of its status. */
    CompletableFuture<PvasStatus> future() {
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
                LockSupport.parkNanos(PvasReaper.PAUSE_NS);
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

    void requireOpen() {
        if (closed) {
            throw Errors.closed("the task");
        }
    }

    PvasStatus await() {
        end.join();
        return status();
    }

    // ---- of the thread that waits for tasks

    /** With a code, what the door gave, and why it failed, if there was memory to keep that. */
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
            space.ended();
        }
        reclaimIfDone();
    }

    // ---- of anybody

    synchronized void kill(int signal) {
        if (!reclaimed && !end.isDone()) {
            Errors.check(PvasDoor.pvasKill(space.number, number, signal));
        }
    }

    /** null: nobody did within the time. */
    PvasMemory memory(String name, long nanos) {
        requireOpen();
        hold();
        PvasAccess access = null;
        try {
            long[] found =
                    PvasImports.find(space.number, number, name, nanos, this::requireOpen);
            if (found == null) {
                return null;
            }
            access = PvasImports.access(this, found);
        } finally {
            if (access == null) {
                drop();
            }
        }
        return opened(access, name);
    }

    private PvasMemory opened(PvasAccess access, String name) {
        PvasMemory memory = made(access, name);
        if (closed) { // it may have been closed before it could see this one
            access.close();
            requireOpen();
        }
        return memory;
    }

    private PvasMemory made(PvasAccess access, String name) {
        try {
            open.removeIf(PvasAccess::isClosed);
            open.add(access);
            return new PvasMemory(access, name);
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
            Errors.check(PvasDoor.pvasHold(space.number, number));
        }
        holds++;
    }

    @Override
    public void drop() {
        synchronized (this) {
            holds--;
            if (holds == 0) {
                PvasDoor.pvasDrop(space.number, number);
            }
        }
        reclaimIfDone();
    }

    /** Ends the task if it has not ended, and all looking at it. */
    void close() {
        closed = true;
        kill(PvasDoor.KILL);
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
    void release() {
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
            PvasDoor.pvasReclaim(space.number, number);
        }
        space.gone(this);
    }
}
