// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.blacs;

import io.hayate.BusyException;
import io.hayate.ClosedException;
import io.hayate.HayateException;
import io.hayate.internal.bindings.BlacsSetupBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Job;
import io.hayate.internal.job.VirtualThreads;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/** The BLACS of the process, separate from the {@code Blacs} of the program. */
public final class BlacsState {
    /** Keeps the job of the open BLACS: native libraries can call them. */
    private static BlacsState current;

    private final Job job;
    private final GridState world;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ReentrantLock closing = new ReentrantLock();

    private BlacsState(Job job) {
        this.job = job;
        world = GridState.ofAll(job);
    }

    /** Opens the BLACS on a job. Collective over the job. */
    public static BlacsState open(Job job) {
        job.requireOpen();
        BlacsState opened = new BlacsState(job);
        VirtualThreads.await(() -> Errors.check(BlacsSetupBinding.blacsOpen(job.handle())));
        keep(opened);
        return opened;
    }

    private static synchronized void keep(BlacsState opened) {
        current = opened;
    }

    private static synchronized boolean drop(BlacsState closing) {
        boolean open = current == closing;
        current = open ? null : current;
        return open;
    }

    public int rank() {
        return job.rank();
    }

    public int size() {
        return job.size();
    }

    /** Creates a grid, row by row in the map. Collective over the job. */
    public GridState grid(int rows, int columns, int... ranks) {
        if (closed.get()) {
            throw Errors.closed("the BLACS");
        }
        return world.grid(rows, columns, ranks);
    }

    /**
     * Ends all grids; idempotent. If one is busy, the BLACS stay open. If several threads close
     * them, none of them returns before they have ended.
     */
    public void close() {
        closing.lock();
        try {
            closeAll();
        } finally {
            closing.unlock();
        }
    }

    private void closeAll() {
        HayateException failure = null;
        try {
            world.closeInner();
        } catch (BusyException busy) {
            throw busy;
        } catch (HayateException e) {
            failure = e; // of a grid that has ended nevertheless
        }
        if (!closed.getAndSet(true) && drop(this)) {
            end();
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** If the job is closed, nobody can receive what was sent. */
    private static void end() {
        try {
            VirtualThreads.await(() -> Errors.check(BlacsSetupBinding.blacsClose()));
        } catch (ClosedException jobIsClosed) {
            return;
        }
    }
}
