// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.bindings.FmplBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.fmpl.CommunicatorState;
import io.hayate.internal.grid.GridDims;
import io.hayate.internal.grid.GridShape;
import java.util.Arrays;

/**
 * A Cartesian grid of the members of a communicator, as of MPI's process topologies: it tells the
 * coordinates of a rank, and who its neighbours are. Ranks are numbered row by row: the last
 * coordinate varies fastest, and rank 0 has the coordinates 0, 0, ...
 *
 * <p>Ranks are those of the communicator. Messages name ranks of the job, which
 * {@link #jobRank(int)} returns; in a grid of {@link Fmpl#world()} both are the same.
 *
 * <!-- java: Fmpl fmpl; Span span; -->
 * <pre>{@code
 * Cartesian grid = Cartesian.of(fmpl.world(), new int[2]);      // two dimensions, best extents
 * int north = grid.neighbor(0, -1);
 * try (Cartesian row = grid.along(1)) {                         // the ranks of my row
 *     fmpl.allreduce(span, Reduction.DOUBLE_SUM, row.communicator());
 * }
 * }</pre>
 *
 * <p>A grid does not change. Any number of threads may use it.
 *
 * @see HaloExchange
 */
public final class Cartesian implements AutoCloseable {
    /**
     * The neighbour beyond the edge of a dimension that is not periodic: there is none. It is
     * {@link Fmpl#NO_RANK}, so that a message to or from it is complete at once and changes
     * nothing.
     */
    public static final int NO_NEIGHBOR = GridShape.NONE;

    private final Communicator communicator;
    private final boolean owned;
    private final GridShape shape;
    /** The ranks of the members in the job; null: the same. */
    private final int[] jobRanks;

    private Cartesian(Communicator communicator, boolean owned, GridShape shape, int[] jobRanks) {
        this.communicator = communicator;
        this.owned = owned;
        this.shape = shape;
        this.jobRanks = jobRanks;
    }

    /**
     * Divides a number of ranks into dimensions that are as close to each other as possible, like
     * MPI_Dims_create.
     *
     * @param size the number of ranks, at least 1
     * @param dimensions the number of dimensions, at least 1
     * @return the extents, the largest first; their product is size
     * @throws ArgumentException if an argument is less than 1
     */
    public static int[] dims(int size, int dimensions) {
        if (dimensions < 1) {
            throw Errors.argument(dimensions + " dimensions: expected 1 or more");
        }
        return dims(size, new int[dimensions]);
    }

    /**
     * Divides a number of ranks into dimensions, some of which are given.
     *
     * @param size the number of ranks, at least 1
     * @param wanted the extents; those of 0 are chosen, as close to each other as possible
     * @return all extents; their product is size
     * @throws ArgumentException if wanted is null or has a negative extent, size is less than 1, or
     *     the given extents do not divide size
     */
    public static int[] dims(int size, int[] wanted) {
        if (size < 1) {
            throw Errors.argument(size + " ranks: expected 1 or more");
        }
        return GridDims.complete(size, Errors.required(wanted, "wanted"));
    }

    /**
     * Creates a grid of all members of a communicator. Collective over the communicator, unless
     * this is {@link Fmpl#world()}.
     *
     * @param communicator a communicator of which this rank is a member; it stays open as long as
     *     the grid is used
     * @param extents the number of ranks along each dimension; those of 0 are chosen as by
     *     {@link #dims(int, int[])}
     * @param periodic whether the last rank of each dimension is a neighbour of the first one; none
     *     given: no dimension is periodic
     * @return the grid
     * @throws ArgumentException if an argument is null, this rank is not a member, the product of
     *     the extents is not the number of members, or periodic has another length
     */
    public static Cartesian of(Communicator communicator, int[] extents, boolean... periodic) {
        if (!Errors.required(communicator, "communicator").isMember()) {
            throw Errors.argument("this rank is not a member of the communicator");
        }
        GridShape shape = new GridShape(communicator.size(), Errors.required(extents, "extents"),
                Errors.required(periodic, "periodic"));
        return new Cartesian(communicator, false, shape, jobRanks(communicator));
    }

    private static int[] jobRanks(Communicator communicator) {
        CommunicatorState world = communicator.fmpl.communicators().world();
        if (communicator.state == world) {
            return null;
        }
        int[] ranks = new int[communicator.size()];
        ranks[communicator.rank()] = world.rank();
        allreduce(communicator, ranks, Reduction.INT_SUM);
        return ranks;
    }

    static void allreduce(Communicator communicator, int[] values, Reduction reduction) {
        communicator.fmpl.collectives().reduce(FmplBinding.ALLREDUCE, Span.of(values).memory, 0,
                values.length, Reduction.op(reduction), 0, communicator.state);
    }

    /**
     * Describes the exchange with the next ranks along all dimensions, in the order of MPI: for
     * each dimension first the lower neighbour, then the higher one, or {@link #NO_NEIGHBOR}. What
     * is sent up arrives as the block from below, also where both neighbours are the same rank.
     * Collective over the communicator.
     *
     * @return the neighbourhood; it lives as long as the communicator
     * @throws HayateException the exceptions of {@link Communicator#neighbors}
     */
    public Neighborhood neighbors() {
        int[] around = new int[2 * dimensions()];
        for (int d = 0; d < dimensions(); d++) {
            around[2 * d] = neighbor(d, -1);
            around[2 * d + 1] = neighbor(d, 1);
        }
        return Neighborhood.of(communicator, around, around, 1);
    }

    /**
     * Creates the grid of those ranks that differ from this one only in some of the dimensions, by
     * {@link Communicator#split}: of a grid of rows and columns, {@code along(1)} is the row of
     * this rank, and {@code along(0)} its column. Collective over the communicator.
     *
     * @param dimensions the dimensions of the new grid, each once, in ascending order
     * @return a grid over a communicator of its own; the caller closes it
     * @throws ArgumentException if dimensions is null, or does not consist of different dimensions
     *     in ascending order
     * @throws HayateException the exceptions of {@link Communicator#split}
     */
    public Cartesian along(int... dimensions) {
        GridShape part = shape.along(dimensions);
        int[] elsewhere = coordinates();
        for (int dimension : dimensions) {
            elsewhere[dimension] = 0;
        }
        Communicator made = communicator.split(shape.rankAt(elsewhere), rank());
        try {
            return new Cartesian(made, true, part, jobRanks(made));
        } catch (RuntimeException | Error e) {
            made.close();
            throw e;
        }
    }

    /**
     * Returns the communicator of the grid.
     *
     * @return the communicator of {@link #of}, or the one that {@link #along} has made
     */
    public Communicator communicator() {
        return communicator;
    }

    /**
     * Returns the number of dimensions.
     *
     * @return at least 1
     */
    public int dimensions() {
        return shape.dimensions();
    }

    /**
     * Returns the extents of all dimensions.
     *
     * @return a new array
     */
    public int[] extents() {
        return shape.extents();
    }

    /**
     * Returns the number of ranks along a dimension.
     *
     * @param dimension 0 to dimensions - 1
     * @return at least 1
     * @throws ArgumentException if dimension is out of range
     */
    public int extent(int dimension) {
        return shape.extent(dimension);
    }

    /**
     * Returns whether the last rank of a dimension is a neighbour of the first one.
     *
     * @param dimension 0 to dimensions - 1
     * @return {@code true} if the dimension has no edges
     * @throws ArgumentException if dimension is out of range
     */
    public boolean isPeriodic(int dimension) {
        return shape.isPeriodic(dimension);
    }

    /**
     * Returns the rank of this process in the grid.
     *
     * @return 0 to size - 1
     */
    public int rank() {
        return communicator.rank();
    }

    /**
     * Returns where this rank is.
     *
     * @return a new array with a coordinate for each dimension
     */
    public int[] coordinates() {
        return shape.coordinates(rank());
    }

    /**
     * Returns where a rank is.
     *
     * @param rank 0 to size - 1
     * @return a new array with a coordinate for each dimension
     * @throws ArgumentException if rank is out of range
     */
    public int[] coordinates(int rank) {
        return shape.coordinates(rank);
    }

    /**
     * Returns the rank at coordinates.
     *
     * @param coordinates one for each dimension; along periodic dimensions, any numbers
     * @return the rank, or {@link #NO_NEIGHBOR} if the coordinates are beyond an edge
     * @throws ArgumentException if coordinates is null or has another length
     */
    public int rankAt(int... coordinates) {
        return shape.rankAt(coordinates);
    }

    /**
     * Returns the rank at a distance from this one.
     *
     * @param dimension 0 to dimensions - 1
     * @param distance 1 for the next rank along the dimension, -1 for the one before, or any number
     * @return the rank, or {@link #NO_NEIGHBOR} if it would be beyond an edge
     * @throws ArgumentException if dimension is out of range
     */
    public int neighbor(int dimension, int distance) {
        return shape.neighbor(rank(), dimension, distance);
    }

    /**
     * Returns the rank in the job of a rank of the grid, for messages.
     *
     * @param rank 0 to size - 1, or {@link #NO_NEIGHBOR}
     * @return the rank in the job; {@link #NO_NEIGHBOR} of itself
     * @throws ArgumentException if rank is out of range
     */
    public int jobRank(int rank) {
        if (rank != NO_NEIGHBOR && (rank < 0 || rank >= communicator.size())) {
            throw Errors.argument("rank " + rank + ": expected 0 to " + (communicator.size() - 1)
                    + ", or NO_NEIGHBOR");
        }
        return jobRanks == null || rank == NO_NEIGHBOR ? rank : jobRanks[rank];
    }

    /**
     * Closes the communicator of a grid that {@link #along} has made; idempotent. Of any other
     * grid, the communicator stays open.
     *
     * @throws BusyException if the communicator is in use; it then stays open
     */
    @Override
    public void close() {
        if (owned) {
            communicator.close();
        }
    }

    /**
     * Returns a human-readable description.
     *
     * @return a text with the extents (p: periodic) and the coordinates of this rank
     */
    @Override
    public String toString() {
        return "grid of " + shape + ", this rank at " + Arrays.toString(coordinates());
    }
}
