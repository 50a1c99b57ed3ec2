// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.PvasDoor;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

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
    private final CompletableFuture<PvasStatus> end = new CompletableFuture<>();
    private final Set<PvasAccess> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
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

    CompletableFuture<PvasStatus> end() {
        return end;
    }

    void requireOpen() {
        if (closed) {
            throw Errors.closed("the task");
        }
    }

    PvasStatus await() {
        try {
            return end.join();
        } catch (CompletionException e) {
            throw (HayateException) e.getCause();
        }
    }

    /** Of the thread that waits for tasks. */
    void ended(PvasStatus status, HayateException failure) {
        if (failure == null) {
            end.complete(status);
        } else {
            end.completeExceptionally(failure);
        }
        space.ended();
        reclaimIfDone();
    }

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
        open.removeIf(PvasAccess::isClosed);
        open.add(access);
        PvasMemory memory = new PvasMemory(access, name);
        if (closed) { // it may have been closed before it could see this one
            access.close();
            requireOpen();
        }
        return memory;
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
        end.handle((status, failure) -> status).join();
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
