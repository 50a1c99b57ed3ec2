// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The multipartition of NPB: side * side ranks share a cube of side * side * side cells. Those of
 * a rank lie on a diagonal, so that it has one in each plane of cells across any axis: in each
 * stage of a sweep along an axis all ranks have something to do. And all cells that come next to
 * those of a rank in one direction, around the end, belong to the same rank.
 */
record CfdPartition(int side, int column, int row) {
    static CfdPartition of(int rank, int size) {
        int side = (int) Math.round(Math.sqrt(size));
        return new CfdPartition(side, rank % side, rank / side);
    }

    /** Where the rank's cell number `cell` lies; numbers are places on the z axis. */
    int[] place(int cell) {
        return new int[] {Math.floorMod(column + cell, side), Math.floorMod(row - cell, side),
            cell};
    }

    /** The rank's cell in a plane of cells across an axis. */
    int cell(int axis, int plane) {
        return switch (axis) {
            case 0 -> Math.floorMod(plane - column, side);
            case 1 -> Math.floorMod(row - plane, side);
            default -> plane;
        };
    }

    /** The rank whose cells come next on an axis, upwards (1) or downwards (-1). */
    int neighbour(int axis, int direction) {
        return switch (axis) {
            case 0 -> rank(column + direction, row);
            case 1 -> rank(column, row + direction);
            default -> rank(column - direction, row + direction);
        };
    }

    private int rank(int ofColumn, int ofRow) {
        return Math.floorMod(ofRow, side) * side + Math.floorMod(ofColumn, side);
    }
}
