// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.blacs;

import io.hayate.BusyException;
import io.hayate.ClosedException;
import io.hayate.HayateException;
import io.hayate.internal.bindings.BlacsBinding;
import io.hayate.internal.bindings.BlacsSetupBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Job;
import io.hayate.internal.job.VirtualThreads;
import io.hayate.internal.netlib.ScaLapackLibrary;
import java.lang.ref.Reference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A grid of processes and its context, separate from the {@code BlacsGrid} of the program. Grids
 * that are made of its processes end before it.
 */
public final class GridState {
    private static final int OUTSIDE = -1;
    private static final int TOPOLOGY_SHIFT = 8;

    public final int rows;
    public final int columns;
    public final int row;
    public final int column;
    private final Job job;
    /** The context; OUTSIDE: this process is not in the grid. */
    private final int context;
    private final GridState outer;
    private final Set<GridState> inner = ConcurrentHashMap.newKeySet();
    /** The scopes in which a collective has failed after it had begun. */
    private final Set<Character> broken = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ReentrantLock closing = new ReentrantLock();
    private volatile char broadcastTopology = ' ';
    private volatile char combineTopology = ' ';

    private GridState(Job job, GridState outer, int context, int... place) {
        this.job = job;
        this.outer = outer;
        this.context = context;
        rows = place[0];
        columns = place[1];
        row = place[2];
        column = place[3];
    }

    /** Returns all processes of a job, which no context connects. */
    static GridState ofAll(Job job) {
        return new GridState(job, null, OUTSIDE, 1, job.size(), 0, job.rank());
    }

    /**
     * Creates a grid of the processes of this one, which are numbered row by row. ranks has a row
     * of the new grid after the other. Collective over the processes of this grid.
     */
    public GridState grid(int newRows, int newColumns, int... ranks) {
        requireMember();
        if ((long) newRows * newColumns != ranks.length || newRows < 1 || newColumns < 1) {
            throw Errors.argument("a grid of " + newRows + " x " + newColumns + " with "
                    + ranks.length + " processes: expected 1 or more rows and columns, and a"
                    + " process for each place");
        }
        int[] map = new int[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            map[i / newColumns + i % newColumns * newRows] = ranks[i];
        }
        int made = (int) VirtualThreads.await(() -> Errors.check(
                BlacsSetupBinding.blacsGrid(context, map, newRows, newColumns)));
        GridState grid = made == BlacsBinding.NOT_A_MEMBER
                ? new GridState(job, this, OUTSIDE, newRows, newColumns, -1, -1)
                : member(made);
        inner.add(grid);
        return grid;
    }

    private GridState member(int made) {
        int[] place = new int[4];
        BlacsSetupBinding.blacsGridInfo(made, place);
        return new GridState(job, this, made, place);
    }

    private void requireMember() {
        requireOpen();
        if (row < 0) {
            throw notAMember();
        }
    }

    private void requireOpen() {
        if (closed.get()) {
            throw Errors.closed("the grid");
        }
        job.requireOpen();
    }

    private static HayateException notAMember() {
        return Errors.argument("this process is not in the grid: only its processes can use it");
    }

    /** Returns the context; OUTSIDE if this process is not in the grid. */
    public int context() {
        requireOpen();
        return context;
    }

    private int member() {
        int number = context();
        if (number == OUTSIDE) {
            throw notAMember();
        }
        return number;
    }

    /**
     * Ends this grid and all that are made of it; idempotent. If one is busy, it stays open. If
     * several threads close it, none of them returns before it has ended.
     */
    public void close() {
        closeInner();
        closing.lock();
        try {
            closeThis();
        } finally {
            closing.unlock();
        }
    }

    private void closeThis() {
        boolean[] first = new boolean[1];
        ScaLapackLibrary.whileIdle("close of a grid", () -> first[0] = !closed.getAndSet(true));
        if (!first[0]) {
            return;
        }
        try {
            if (context != OUTSIDE) {
                VirtualThreads.await(
                        () -> Errors.check(BlacsSetupBinding.blacsGridExit(context)));
            }
        } catch (BusyException busy) {
            closed.set(false);
            throw busy;
        } catch (ClosedException ended) {
            // the job is closed, or another thread has closed the BLACS: the grid ended with them
        }
        if (outer != null) {
            outer.inner.remove(this);
        }
    }

    /** Ends the grids that are made of this one. The exception of a busy one comes first. */
    void closeInner() {
        HayateException first = null;
        for (GridState each : inner) {
            try {
                each.close();
            } catch (BusyException busy) {
                first = first == null ? busy : Errors.join(busy, first);
            } catch (HayateException failure) {
                first = Errors.join(first, failure);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    // ---- settings ----

    public void setRepeatable(boolean on) {
        Errors.check(BlacsSetupBinding.blacsSet(member(), BlacsSetupBinding.REPEATABLE,
                on ? 1 : 0));
    }

    public void setTopologies(char broadcast, char combine) {
        broadcastTopology = broadcast;
        combineTopology = combine;
    }

    // ---- exchange; a virtual thread leaves each call to a platform thread ----

    private void elsewhere(Runnable call) {
        VirtualThreads.await(() -> {
            call.run();
            return 0;
        });
    }

    public void send(MatrixSection section, int toRow, int toColumn) {
        long start = section.readable(job);
        if (VirtualThreads.isCurrent()) {
            elsewhere(() -> doSend(section, start, toRow, toColumn));
        } else {
            doSend(section, start, toRow, toColumn);
        }
    }

    private void doSend(MatrixSection section, long start, int toRow, int toColumn) {
        Errors.check(BlacsBinding.send(member(), section.array(), start, section.rows,
                section.columns, section.leadingDimension, section.shape, toRow, toColumn));
        Reference.reachabilityFence(section);
    }

    public void receive(MatrixSection section, int fromRow, int fromColumn) {
        long start = section.writable(job);
        if (VirtualThreads.isCurrent()) {
            elsewhere(() -> doReceive(section, start, fromRow, fromColumn));
        } else {
            doReceive(section, start, fromRow, fromColumn);
        }
    }

    private void doReceive(MatrixSection section, long start, int fromRow, int fromColumn) {
        Errors.check(BlacsBinding.receive(member(), section.array(), start, section.rows,
                section.columns, section.leadingDimension, section.shape, fromRow, fromColumn));
        Reference.reachabilityFence(section);
    }

    /** Sends the section of the root to the others of the scope. */
    public void broadcast(char scope, MatrixSection section, int rootRow, int rootColumn) {
        boolean root = isRoot(scope, rootRow, rootColumn);
        long start = root ? section.readable(job) : section.writable(job);
        if (VirtualThreads.isCurrent()) {
            elsewhere(() -> doBroadcast(scope, section, start, root, rootRow, rootColumn));
        } else {
            doBroadcast(scope, section, start, root, rootRow, rootColumn);
        }
    }

    private void doBroadcast(char scope, MatrixSection section, long start, boolean root,
            int rootRow, int rootColumn) {
        int place = place(scope, broadcastTopology);
        if (root) {
            Errors.check(BlacsBinding.broadcast(member(), place, section.array(), start,
                    section.rows, section.columns, section.leadingDimension, section.shape));
        } else {
            doReceiveBroadcast(scope, place, section, start, rootRow, rootColumn);
        }
        Reference.reachabilityFence(section);
    }

    private void doReceiveBroadcast(char scope, int place, MatrixSection section, long start,
            int rootRow, int rootColumn) {
        try {
            Errors.check(BlacsBinding.receiveBroadcast(member(), place, section.array(), start,
                    section.rows, section.columns, section.leadingDimension, section.shape,
                    rootRow, rootColumn));
        } catch (HayateException failure) {
            throw failed(failure, scope, section);
        }
    }

    /** Within a row only the column counts, and within a column only the row. */
    private boolean isRoot(char scope, int rootRow, int rootColumn) {
        return (scope == 'R' || rootRow == row) && (scope == 'C' || rootColumn == column);
    }

    private static int place(char scope, char topology) {
        return scope | topology << TOPOLOGY_SHIFT;
    }

    /** Combines; the result is at one process, or at all if toRow is -1. */
    public void combine(char scope, int operation, MatrixSection section, int toRow, int toColumn,
            int[] ownerRows, int[] ownerColumns) {
        long start = section.writable(job);
        if (VirtualThreads.isCurrent()) {
            elsewhere(() -> doCombine(scope, operation, section, start, toRow, toColumn,
                    ownerRows, ownerColumns));
        } else {
            doCombine(scope, operation, section, start, toRow, toColumn, ownerRows,
                    ownerColumns);
        }
    }

    private void doCombine(char scope, int operation, MatrixSection section, long start,
            int toRow, int toColumn, int[] ownerRows, int[] ownerColumns) {
        if (!section.isRectangle()) {
            throw Errors.argument("a trapezoid cannot be combined: expected a whole section");
        }
        try {
            Errors.check(BlacsBinding.combine(member(), place(scope, combineTopology), operation,
                    section.array(), start, section.rows, section.columns,
                    section.leadingDimension, section.shape, toRow, toColumn, ownerRows,
                    ownerColumns));
        } catch (HayateException failure) {
            throw failed(failure, scope, section);
        }
        Reference.reachabilityFence(section);
    }

    /**
     * Returns the failure of a collective whose members access the section. A scope is of no use
     * after a failure, so only its first one can leave others inside.
     */
    private HayateException failed(HayateException failure, char scope, MatrixSection section) {
        if (Errors.leavesPeersInside(failure.code(),
                () -> BlacsSetupBinding.blacsIsBroken(context, scope) != 0) && broken.add(scope)) {
            section.abandon(job);
        }
        return failure;
    }

    public void barrier(char scope) {
        if (VirtualThreads.isCurrent()) {
            elsewhere(() -> doBarrier(scope));
        } else {
            doBarrier(scope);
        }
    }

    private void doBarrier(char scope) {
        Errors.check(BlacsBinding.barrier(member(), place(scope, ' ')));
    }
}
