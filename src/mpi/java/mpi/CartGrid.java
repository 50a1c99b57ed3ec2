// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Cartesian;
import java.util.Arrays;

/**
 * The arithmetic of a Cartesian topology: extents, and which rank is where. The last coordinate
 * varies fastest, as in MPI. Immutable.
 */
final class CartGrid {
    private final int[] dims;
    private final boolean[] periods;
    private final int size;

    /** A grid of dims[0] x dims[1] x .. ranks; without dimensions it is one rank. */
    CartGrid(int[] dims, boolean[] periods) {
        this.dims = Bounds.required(dims, "dims").clone();
        checkFlags(periods, "periods");
        this.periods = periods.clone();
        long ranks = 1;
        for (int extent : this.dims) {
            if (extent < 1) {
                throw new MPIException(ErrorClass.DIMS, "a grid of " + Arrays.toString(dims)
                        + ": expected extents of 1 or more; createDims chooses some");
            }
            ranks = Math.min(ranks * extent, Integer.MAX_VALUE);
        }
        size = (int) ranks;
    }

    private void checkFlags(boolean[] flags, String what) {
        if (flags == null || flags.length != dims.length) {
            throw new MPIException(ErrorClass.ARG, what + " has "
                    + (flags == null ? "no flags, it is null" : flags.length + " flags")
                    + ": expected " + dims.length + ", one for each dimension");
        }
    }

    /** Returns this grid if a communicator has enough ranks for it. */
    CartGrid requireFits(int ranks) {
        if (size > ranks) {
            throw new MPIException(ErrorClass.ARG, "a grid of " + Arrays.toString(dims)
                    + " on " + ranks + " ranks: expected extents whose product is at most that");
        }
        return this;
    }

    /** Returns the number of ranks. */
    int size() {
        return size;
    }

    int dimensions() {
        return dims.length;
    }

    /** Returns the topology as a rank of it sees it. */
    CartParms parms(int rank) {
        return new CartParms(dims.clone(), periods.clone(), coords(rank));
    }

    /** Returns the coordinates of a rank. */
    int[] coords(int rank) {
        int rest = RankRanges.checkRank(rank, size);
        int[] coords = new int[dims.length];
        for (int d = dims.length - 1; d >= 0; d--) {
            coords[d] = rest % dims[d];
            rest /= dims[d];
        }
        return coords;
    }

    /** Returns the rank at coordinates, which periodic dimensions take modulo their extent. */
    int rank(int[] coords) {
        if (Bounds.required(coords, "coords").length < dims.length) {
            throw new MPIException(ErrorClass.ARG, coords.length + " coordinates: expected "
                    + dims.length + ", one for each dimension");
        }
        int rank = 0;
        for (int d = 0; d < dims.length; d++) {
            int at = wrap(coords[d], d);
            if (at < 0) {
                throw new MPIException(ErrorClass.ARG, "coordinate " + coords[d] + " of dimension "
                        + d + ", which is not periodic: expected 0 to " + (dims[d] - 1));
            }
            rank = rank * dims[d] + at;
        }
        return rank;
    }

    /** Returns a coordinate within the extent, or -1 beyond an edge. */
    private int wrap(long coordinate, int dimension) {
        if (periods[dimension]) {
            return (int) Math.floorMod(coordinate, (long) dims[dimension]);
        }
        return coordinate >= 0 && coordinate < dims[dimension] ? (int) coordinate : -1;
    }

    private int neighbor(int rank, int dimension, long distance) {
        int[] coords = coords(rank);
        coords[dimension] = wrap(coords[dimension] + distance, dimension);
        return coords[dimension] < 0 ? Constants.PROC_NULL : rank(coords);
    }

    /** Returns whom a rank receives from and sends to in a shift by a distance. */
    ShiftParms shift(int rank, int direction, int distance) {
        if (direction < 0 || direction >= dims.length) {
            throw new MPIException(ErrorClass.DIMS, "direction " + direction + " of a grid of "
                    + dims.length + " dimensions: expected a dimension, from 0");
        }
        return new ShiftParms(neighbor(rank, direction, -(long) distance),
                neighbor(rank, direction, distance));
    }

    /**
     * Returns the neighbours of a rank in the order of neighbourhood collectives: for each
     * dimension the lower one, then the upper one, either of which may be PROC_NULL.
     */
    int[] neighbors(int rank) {
        int[] all = new int[2 * dims.length];
        for (int d = 0; d < dims.length; d++) {
            all[2 * d] = neighbor(rank, d, -1);
            all[2 * d + 1] = neighbor(rank, d, 1);
        }
        return all;
    }

    /** Returns the grid of the dimensions that remain. */
    CartGrid sub(boolean[] remain) {
        checkFlags(remain, "remain_dims");
        int[] kept = new int[dims.length];
        boolean[] keptPeriods = new boolean[dims.length];
        int count = 0;
        for (int d = 0; d < dims.length; d++) {
            if (remain[d]) {
                kept[count] = dims[d];
                keptPeriods[count++] = periods[d];
            }
        }
        return new CartGrid(Arrays.copyOf(kept, count), Arrays.copyOf(keptPeriods, count));
    }

    /** Returns a number that ranks of the same part have in common: the color of a split. */
    int subColor(int rank, boolean[] remain) {
        return position(rank, remain, false);
    }

    /** Returns the rank of a rank within its part: the key of a split. */
    int subKey(int rank, boolean[] remain) {
        return position(rank, remain, true);
    }

    private int position(int rank, boolean[] remain, boolean kept) {
        checkFlags(remain, "remain_dims");
        int[] coords = coords(rank);
        int position = 0;
        for (int d = 0; d < dims.length; d++) {
            if (remain[d] == kept) {
                position = position * dims[d] + coords[d];
            }
        }
        return position;
    }

    /** Returns the best rank for a process: the one it has, UNDEFINED if the grid is smaller. */
    int map(int rank) {
        return rank < size ? rank : Constants.UNDEFINED;
    }

    /** Replaces extents of 0 so that their product is the number of ranks; the largest first. */
    static void createDims(int ranks, int[] dims) {
        int product = 1;
        boolean free = false;
        for (int extent : Bounds.required(dims, "dims")) {
            free |= extent == 0;
            boolean divides = ranks > 0 && extent >= 0
                    && (extent == 0 || ranks / product % extent == 0);
            if (!divides) {
                throw doNotFit(ranks, dims);
            }
            product *= Math.max(extent, 1);
        }
        if (ranks < 1 || !free && product != ranks) {
            throw doNotFit(ranks, dims);
        }
        if (free) {
            System.arraycopy(Cartesian.dims(ranks, dims), 0, dims, 0, dims.length);
        }
    }

    private static MPIException doNotFit(int ranks, int[] dims) {
        return new MPIException(ErrorClass.DIMS, "extents " + Arrays.toString(dims) + " for "
                + ranks + " ranks: expected 1 rank or more, and extents whose product is the number"
                + " of ranks, or 0 for those that are to be chosen");
    }
}
