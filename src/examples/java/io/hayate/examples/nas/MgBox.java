// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * A rank's points of a level, and a layer of ghost points around them, which belong to neighbours.
 * In an array x is the fastest; indices count the ghosts: own points are 1 to x, y, or z.
 */
record MgBox(int x, int y, int z) {
    /** Own points along an axis. */
    int own(int axis) {
        return axis == 0 ? x : axis == 1 ? y : z;
    }

    /** From a point to the next one along an axis. */
    int pitch(int axis) {
        return axis == 0 ? 1 : axis == 1 ? x + 2 : (x + 2) * (y + 2);
    }

    /** Where a row begins: its ghost point. */
    int row(int j, int k) {
        return (k * (y + 2) + j) * (x + 2);
    }

    /** Of a row with its ghosts. */
    int rowLength() {
        return x + 2;
    }

    /** Of an array. */
    int length() {
        return (x + 2) * (y + 2) * (z + 2);
    }

    /** Points of the largest face, with ghosts. */
    int largestFace() {
        return length() / (Math.min(x, Math.min(y, z)) + 2);
    }
}
