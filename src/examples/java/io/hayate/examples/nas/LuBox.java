// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** A rank's points of the grid, with ghosts. In an array x is the fastest. */
record LuBox(LuAxis x, LuAxis y, LuAxis z) {
    LuAxis axis(int axis) {
        return axis == 0 ? x : axis == 1 ? y : z;
    }

    /** From a point to the next one along an axis. */
    int pitch(int axis) {
        return axis == 0 ? 1 : axis == 1 ? x.length() : x.length() * y.length();
    }

    /** Where a row begins: its first ghost point. */
    int row(int j, int k) {
        return (k * y.length() + j) * x.length();
    }

    /** Of an array. */
    int length() {
        return x.length() * y.length() * z.length();
    }

    boolean isInside(int i, int j, int k) {
        return x.isInside(i) && y.isInside(j) && z.isInside(k);
    }

    boolean isOnBoundary(int i, int j, int k) {
        return x.isOnBoundary(i) || y.isOnBoundary(j) || z.isOnBoundary(k);
    }
}
