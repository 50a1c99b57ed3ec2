// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * mpiJava: a communicator whose processes are a grid. All such objects are {@link CartComm}s, so
 * programs can use the names of both dialects.
 */
public class Cartcomm extends Intracomm {
    final CartGrid grid;

    Cartcomm(CartGrid grid) {
        this.grid = grid;
    }

    @Override
    CartComm fresh() {
        return new CartComm(grid);
    }

    @Override
    final int topology() {
        return Constants.CART;
    }

    @Override
    final int[] sources() {
        return grid.neighbors(rank);
    }

    @Override
    final int[] destinations() {
        return grid.neighbors(rank);
    }

    @Override
    public Cartcomm dup() {
        return (Cartcomm) super.dup();
    }

    @Override
    public Cartcomm clone() {
        return dup();
    }

    /**
     * Returns the rank at coordinates.
     *
     * @param coords for each dimension, from 0; periodic dimensions take any number
     * @return the rank
     */
    public final int getRank(int[] coords) {
        requireOpen();
        return guarded(() -> grid.rank(coords));
    }

    /**
     * Returns the coordinates of a rank.
     *
     * @param rank 0 to size - 1
     * @return for each dimension, from 0
     */
    public final int[] getCoords(int rank) {
        requireOpen();
        return guarded(() -> grid.coords(rank));
    }

    /**
     * Returns the grid, and where this process is in it.
     *
     * @return extents, periods, coordinates
     */
    public final CartParms getTopo() {
        requireOpen();
        return grid.parms(rank);
    }

    /**
     * Returns whom this process receives from and sends to when data move along a dimension.
     *
     * @param direction the dimension, from 0
     * @param disp by how many processes, may be negative
     * @return the ranks, {@code MPI.PROC_NULL} beyond an end that is not periodic
     */
    public final ShiftParms shift(int direction, int disp) {
        requireOpen();
        return guarded(() -> grid.shift(rank, direction, disp));
    }

    /** The communicator of those that differ from this process in some dimensions only. */
    final CartComm part(boolean[] remainDims) {
        requireOpen();
        return guarded(() -> {
            CartGrid rest = grid.sub(remainDims);
            return part(new CartComm(rest), rest.size(), true, grid.subColor(rank, remainDims),
                    grid.subKey(rank, remainDims));
        });
    }

    /**
     * Returns the best rank of this process in a grid.
     *
     * @param dims the extents
     * @param periods for each dimension, whether its ends are neighbours
     * @return the rank, or {@code MPI.UNDEFINED}
     */
    public final int map(int[] dims, boolean[] periods) {
        requireOpen();
        return guarded(() -> new CartGrid(dims, periods).requireFits(members.size()).map(rank));
    }

    /**
     * Returns the coordinates of a rank, as {@link #getCoords}.
     *
     * @param rank 0 to size - 1
     * @return for each dimension, from 0
     */
    public int[] Coords(int rank) {
        return getCoords(rank);
    }

    /**
     * Returns the rank at coordinates, as {@link #getRank(int[])}.
     *
     * @param coords for each dimension, from 0
     * @return the rank
     */
    public int Rank(int[] coords) {
        return getRank(coords);
    }

    /**
     * Returns the grid, as {@link #getTopo}.
     *
     * @return extents, periods, coordinates
     */
    public CartParms Get() {
        return getTopo();
    }

    /**
     * Returns the partners of a shift, as {@link #shift}.
     *
     * @param direction the dimension, from 0
     * @param disp by how many processes, may be negative
     * @return the ranks
     */
    public ShiftParms Shift(int direction, int disp) {
        return shift(direction, disp);
    }

    /**
     * Makes communicators of the parts of the grid in some dimensions, as {@link CartComm#sub}.
     *
     * @param remain_dims for each dimension, whether the parts have it
     * @return the communicator of this process's part
     */
    public Cartcomm Sub(boolean[] remain_dims) {
        return part(remain_dims);
    }

    /**
     * Returns the best rank of this process in a grid, as {@link #map}.
     *
     * @param dims the extents
     * @param periods for each dimension, whether its ends are neighbours
     * @return the rank, or {@code MPI.UNDEFINED}
     */
    public int Map(int[] dims, boolean[] periods) {
        return map(dims, periods);
    }

    /**
     * Chooses extents, as {@link CartComm#createDims}.
     *
     * @param nnodes the number of processes
     * @param dims the extents; those that are 0 are chosen
     */
    public static void Dims_create(int nnodes, int[] dims) {
        CartGrid.createDims(nnodes, dims);
    }
}
