// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.blacs.BlacsState;
import io.hayate.internal.errors.Errors;

/**
 * The Basic Linear Algebra Communication Subprograms (BLACS) of this process: grids of the
 * processes of a job, which exchange sections of matrices. A process has at most one, over which
 * also ScaLAPACK communicates ({@link io.hayate.scalapack}).
 *
 * <p>A broadcast or combine that fails after it began, because of a time limit ({@code
 * HAYATE_TIMEOUT}), other arguments of another process, or a death, ends the use of its scope.
 * Processes that are late may still read and write the section: it is held until the job is closed,
 * and a heap span cannot be closed before. Arrays are not used any more.
 *
 * <p>Any thread may use it.
 */
public final class Blacs implements AutoCloseable {
    private final BlacsState state;

    private Blacs(BlacsState state) {
        this.state = state;
    }

    /**
     * Opens the BLACS on a job. Collective over the job.
     *
     * @param job the job of {@link Hayate#init()}
     * @return the BLACS; the caller closes it before the job
     * @throws ArgumentException if job is null
     * @throws UnsupportedException if the job is of {@link Hayate#initThreads}
     * @throws StateException if this process has the BLACS open
     * @throws ClosedException if the job is closed
     * @throws PeerFailedException if a rank died
     * @throws MemoryExhaustedException if there is no memory
     */
    public static Blacs open(Hayate job) {
        return new Blacs(BlacsState.open(Errors.required(job, "job").job));
    }

    /**
     * Returns the number of this process.
     *
     * @return its rank in the job
     */
    public int rank() {
        return state.rank();
    }

    /**
     * Returns the number of processes.
     *
     * @return the size of the job
     */
    public int size() {
        return state.size();
    }

    /**
     * Creates a grid of the first rows * columns processes, row by row. Collective over the job.
     *
     * @param rows at least 1
     * @param columns at least 1
     * @return the grid; the caller closes it. On the other processes it is a grid without them
     * @throws ArgumentException if the job has fewer processes
     * @throws MismatchException if the processes passed different values
     * @throws ClosedException if the BLACS or the job is closed
     * @throws PeerFailedException if a rank died
     * @throws MemoryExhaustedException if there is no memory
     */
    public BlacsGrid grid(int rows, int columns) {
        return new BlacsGrid(state.grid(rows, columns, BlacsGrid.first(rows, columns)));
    }

    /**
     * Creates a grid of any processes. Collective over the job.
     *
     * @param ranks the rows of the grid, all of the same length; no rank occurs twice
     * @return the grid; the caller closes it. On the other processes it is a grid without them
     * @throws ArgumentException if ranks is null, empty or not a grid
     * @throws MismatchException if the processes passed different values
     * @throws ClosedException if the BLACS or the job is closed
     * @throws PeerFailedException if a rank died
     * @throws MemoryExhaustedException if there is no memory
     */
    public BlacsGrid grid(int[][] ranks) {
        int[] all = BlacsGrid.flat(ranks);
        return new BlacsGrid(state.grid(ranks.length, ranks[0].length, all));
    }

    /**
     * Closes all grids and the BLACS, but not the job; idempotent, not collective. Several threads
     * may call it: each returns when they are closed. It first waits until other processes have
     * received everything that this process has sent.
     *
     * @throws BusyException if another thread uses a grid, or is in a call of ScaLAPACK; the BLACS
     *     then stay open
     * @throws PeerFailedException if a process died or left before; the BLACS are closed
     */
    @Override
    public void close() {
        state.close();
    }
}
