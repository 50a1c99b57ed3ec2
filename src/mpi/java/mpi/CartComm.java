// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A communicator whose processes are a grid: see {@link Intracomm#createCart}. */
public final class CartComm extends Cartcomm {
    CartComm(CartGrid grid) {
        super(grid);
    }

    @Override
    public CartComm dup() {
        return (CartComm) super.dup();
    }

    @Override
    public CartComm dupWithInfo(Info info) {
        return (CartComm) super.dupWithInfo(info);
    }

    @Override
    public CartComm iDup() {
        return (CartComm) super.iDup();
    }

    @Override
    public CartComm clone() {
        return dup();
    }

    /**
     * Makes communicators of the parts of the grid in some dimensions.
     *
     * @param remainDims for each dimension, whether the parts have it
     * @return the communicator of this process's part
     */
    public CartComm sub(boolean[] remainDims) {
        return part(remainDims);
    }

    /**
     * Chooses extents that are as equal as possible, and whose product is a number of processes.
     *
     * @param nnodes the number of processes
     * @param dims the extents; those that are 0 are chosen
     */
    public static void createDims(int nnodes, int[] dims) {
        CartGrid.createDims(nnodes, dims);
    }
}
