// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The Cartesian topology of a communicator, and where this process is in it. */
public class CartParms {
    /** The extent of each dimension. */
    public int[] dims;

    /** For each dimension, whether its last rank is a neighbour of its first one. */
    public boolean[] periods;

    /** The coordinates of this process. */
    public int[] coords;

    /** Takes the arrays, which nobody else changes from now on. */
    CartParms(int[] dims, boolean[] periods, int[] coords) {
        this.dims = dims;
        this.periods = periods;
        this.coords = coords;
    }

    /**
     * Returns the number of dimensions.
     *
     * @return 0 or more
     */
    public final int getDimCount() {
        return dims.length;
    }

    /**
     * Returns the extent of a dimension.
     *
     * @param i the dimension, from 0
     * @return 1 or more
     * @throws MPIException {@code ERR_ARG} if there is no such dimension
     */
    public final int getDim(int i) {
        return Bounds.at(dims, i, "dimension");
    }

    /**
     * Says whether a dimension is periodic.
     *
     * @param i the dimension, from 0
     * @return true if its last rank is a neighbour of its first one
     * @throws MPIException {@code ERR_ARG} if there is no such dimension
     */
    public final boolean getPeriod(int i) {
        return periods[Bounds.check(i, periods.length, "dimension")];
    }

    /**
     * Returns a coordinate of this process.
     *
     * @param i the dimension, from 0
     * @return 0 to {@code getDim(i) - 1}
     * @throws MPIException {@code ERR_ARG} if there is no such dimension
     */
    public final int getCoord(int i) {
        return Bounds.at(coords, i, "dimension");
    }
}
