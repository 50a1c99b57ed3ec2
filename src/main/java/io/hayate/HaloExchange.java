// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.grid.HaloLayout;
import io.hayate.internal.grid.HaloState;
import java.util.Arrays;

/**
 * Fills the halo of a block with the elements at the edges of the neighbours' blocks, again and
 * again. Each rank of a {@link Cartesian} grid has a block of a global array, with a halo of
 * constant width around it: in three dimensions, a block of {@code nx * ny * nz} elements is stored
 * in {@code (nx + 2w) * (ny + 2w) * (nz + 2w)} elements. The last dimension is contiguous, as in a
 * Java array and as the ranks of the grid. The messages are prepared once; an exchange allocates
 * nothing.
 *
 * <!-- java: Fmpl fmpl; int nx, ny; abstract boolean notConverged();
 *      abstract void computeInside(); abstract void computeAtTheEdges(); -->
 * <pre>{@code
 * Cartesian grid = Cartesian.of(fmpl.world(), new int[2]);
 * Span block = Span.of(new double[(nx + 2) * (ny + 2)]);
 * int[] extents = {nx, ny};
 * try (HaloExchange halo = HaloExchange.ofFaces(grid, block, Double.BYTES, extents, 1, 0)) {
 *     while (notConverged()) {
 *         halo.start();
 *         computeInside();          // what needs no halo
 *         halo.await();
 *         computeAtTheEdges();
 *     }
 * }
 * }</pre>
 *
 * <p>{@link #ofFaces} serves stencils that look along one dimension at a time: all messages are
 * under way at once, and the halo has no particular values where two dimensions meet.
 * {@link #withCorners} also fills edges and corners: the dimensions follow each other, the first
 * one from {@link #start()} on, the others in {@link #await()}. The halo beyond an edge of the grid
 * that is not periodic is not written, except where it meets another dimension; it holds, for
 * example, boundary values. In a periodic dimension, the neighbour can be this rank itself.
 *
 * <p>An exchange uses two entries (mai) for each dimension, from the given one on, which must not
 * be used for anything else meanwhile. Several exchanges can be in progress at once if their
 * entries are different.
 *
 * <p><strong>Threads.</strong> Any thread may call, one at a time: a call of a second thread throws
 * {@link BusyException}. Memory ordering: what a neighbour wrote into its block before its start is
 * visible to the thread whose await has returned.
 */
public final class HaloExchange implements AutoCloseable {
    private final HaloState state;

    private HaloExchange(HaloState state) {
        this.state = state;
    }

    /**
     * Prepares an exchange of faces only. Collective over the communicator of the grid.
     *
     * @param grid the grid of the blocks
     * @param block all elements with their halo, in any memory; of the symmetric heap, it cannot be
     *     closed before the exchange
     * @param elementBytes the size of an element, the same on every rank; an element may consist of
     *     several numbers
     * @param extents the elements of this rank's block without halo, along each dimension, at least
     *     width; ranks that differ in one coordinate must agree on the extents of the other
     *     dimensions
     * @param width of the halo on each side, at least 1, the same on every rank
     * @param mai the first of two entries for each dimension, the same on every rank
     * @return the exchange; the caller closes it
     * @throws ArgumentException if an argument is null or out of range, the block is smaller than
     *     its halo, or the memory does not have the length of the block with its halo, is read-only
     *     or consists of blocks; the other ranks wait
     * @throws MismatchException on every rank, if the blocks of two neighbours do not fit together,
     *     or the ranks pass grids of other extents, or another mai
     * @throws BusyException if an entry is in use
     * @throws PeerFailedException if a rank died or left
     * @throws ClosedException if the {@link Fmpl}, the job or the memory is closed
     */
    public static HaloExchange ofFaces(Cartesian grid, Span block, int elementBytes, int[] extents,
            int width, int mai) {
        return of(grid, block, elementBytes, extents, width, mai, false);
    }

    /**
     * Prepares an exchange that also fills the halo where dimensions meet. Everything else is as
     * with {@link #ofFaces}.
     *
     * @param grid the grid of the blocks
     * @param block all elements with their halo
     * @param elementBytes the size of an element
     * @param extents the elements of this rank's block without halo, along each dimension
     * @param width of the halo on each side
     * @param mai the first of two entries for each dimension
     * @return the exchange; the caller closes it
     * @throws HayateException the exceptions of {@link #ofFaces}
     */
    public static HaloExchange withCorners(Cartesian grid, Span block, int elementBytes,
            int[] extents, int width, int mai) {
        return of(grid, block, elementBytes, extents, width, mai, true);
    }

    private static HaloExchange of(Cartesian grid, Span block, int elementBytes, int[] extents,
            int width, int mai, boolean corners) {
        int n = Errors.required(grid, "grid").dimensions();
        if (Errors.required(extents, "extents").length != n) {
            throw Errors.argument("extents of " + extents.length + " dimensions: the grid has "
                    + n);
        }
        HaloLayout layout =
                new HaloLayout(Span.memory(block), elementBytes, extents, width, corners);
        HaloState state = new HaloState(grid.communicator().fmpl, layout, peers(grid), mai);
        try {
            requireSame(grid, mai);
            agree(grid, state.misfit());
            return new HaloExchange(state);
        } catch (RuntimeException | Error e) {
            state.close();
            throw e;
        }
    }

    private static int[] peers(Cartesian grid) {
        int[] peers = new int[2 * grid.dimensions()];
        for (int d = 0; d < grid.dimensions(); d++) {
            peers[2 * d] = grid.jobRank(grid.neighbor(d, -1));
            peers[2 * d + 1] = grid.jobRank(grid.neighbor(d, 1));
        }
        return peers;
    }

    /** Otherwise ranks would wait for messages of others that are not their neighbours. */
    private static void requireSame(Cartesian grid, int mai) {
        int hash = 31 * Arrays.hashCode(grid.extents()) + mai;
        for (int d = 0; d < grid.dimensions(); d++) {
            hash = 31 * hash + Boolean.hashCode(grid.isPeriodic(d));
        }
        int[] most = {hash, ~hash}; // ~ turns the order round
        Cartesian.allreduce(grid.communicator(), most, Reduction.INT_MAX);
        if (most[0] != ~most[1]) {
            throw new MismatchException("the ranks pass different grids or entries: expected the"
                    + " same extents, periodic dimensions and mai on every rank", HaloState.NOBODY);
        }
    }

    private static void agree(Cartesian grid, int misfit) {
        int[] wrong = {misfit == HaloState.NOBODY ? 0 : 1};
        Cartesian.allreduce(grid.communicator(), wrong, Reduction.INT_MAX);
        if (wrong[0] != 0) {
            String who = misfit == HaloState.NOBODY ? "the blocks of two other ranks"
                    : "the blocks of this rank and of rank " + misfit;
            throw new MismatchException(who + " do not fit together: expected the same size of an"
                    + " element, width, corners, and extents of the other dimensions", misfit);
        }
    }

    /**
     * Starts to fill the halo. Never blocks. Until the await, the program must not write the
     * elements at the edges of the block that its neighbours need, and must not use the halo.
     *
     * @throws BusyException if the previous exchange was not awaited
     * @throws HayateException as {@link #await()}
     */
    public void start() {
        state.start();
    }

    /**
     * Waits until the halo is filled and the block can be written again. It returns at once if no
     * exchange is in progress. A waiting virtual thread releases its carrier.
     *
     * @throws TimedOutException if the limit of the {@link Fmpl} is over; the exchange continues,
     *     and can be awaited again
     * @throws InterruptedWaitException likewise, if the thread was interrupted
     * @throws PeerFailedException if a neighbour died or left; the exchange can then no longer be
     *     used: each further call throws this exception again, and its entries may stay in use
     * @throws ClosedException after close, or if the {@link Fmpl} or the job is closed
     */
    public void await() {
        state.await();
    }

    /**
     * Fills the halo: {@link #start()} and {@link #await()}. If a limit or an interrupt ends the
     * wait, {@link #await()} continues it.
     */
    public void exchange() {
        state.start();
        state.await();
    }

    /**
     * Closes the exchange on this rank; idempotent. The block can then be closed.
     *
     * @throws BusyException if an exchange was started and not awaited, or another thread is in a
     *     call
     */
    @Override
    public void close() {
        state.close();
    }

    /**
     * Returns a human-readable description.
     *
     * @return a text with the extents of the block and the width of the halo
     */
    @Override
    public String toString() {
        return state.toString();
    }
}
