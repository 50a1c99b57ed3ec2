// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/**
 * A cube of complex numbers cut into slabs of equal thickness, one for each rank, in two ways: by z
 * into planes, or by y into pencils along z. From one to the other each rank sends a block to each,
 * in several batches: a batch of the way to pencils has some of the planes, one of the way back
 * some of the x. In the memory of a rank the blocks of a batch stand together, as alltoall wants.
 *
 * @param points of a side; ranks and batches divide it, and batches the thickness
 */
record Slabs(int points, int ranks, int batches) {
    int thickness() {
        return points / ranks;
    }

    /** Planes of a batch on the way to pencils. */
    int batchPlanes() {
        return thickness() / batches;
    }

    /** Values of x of a batch on the way to planes. */
    int batchWidth() {
        return points / batches;
    }

    /** Memory of a slab. */
    long bytes() {
        return 2L * Double.BYTES * points * points * thickness();
    }

    /** Memory of the blocks of a batch. */
    long batchBytes() {
        return bytes() / batches;
    }

    /**
     * On the way to pencils: the place, in doubles, of the first plane of a batch at x and y, in
     * the block to or from a peer. The batch's planes follow, then y, then x.
     */
    int toPencils(int batch, int peer, int x, int y) {
        return 2 * (((batch * ranks + peer) * points + x) * thickness() + y) * batchPlanes();
    }

    /** On the way to planes: the place of the first y at x and z. y follows, then z, then x. */
    int toPlanes(int x, int peer, int z) {
        int batch = x / batchWidth();
        int column = (batch * ranks + peer) * batchWidth() + x % batchWidth();
        return 2 * (column * thickness() + z) * thickness();
    }
}
