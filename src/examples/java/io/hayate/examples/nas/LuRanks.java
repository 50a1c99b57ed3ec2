// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Fmpl;

/**
 * The ranks as a rectangle over x and y, x fastest: as many along x as along y, or half as many.
 * All have the whole of z.
 */
record LuRanks(int alongX, int alongY, int rank) {
    static LuRanks of(int rank, int size) {
        int alongX = 1 << Integer.numberOfTrailingZeros(size) / 2;
        return new LuRanks(alongX, size / alongX, rank);
    }

    /** This rank's part of a cube. */
    LuBox box(int points) {
        return new LuBox(new LuAxis(points, alongX, place(0)), new LuAxis(points, alongY, place(1)),
                new LuAxis(points, 1, 0));
    }

    /** Are there enough points for messages that reach no farther than to neighbours? */
    boolean fit(int points) {
        return points / alongY >= LuAxis.GHOSTS;
    }

    /** The most ranks for which this is so. */
    static int most(int points) {
        int along = Integer.highestOneBit(points / LuAxis.GHOSTS);
        return along * along;
    }

    /** Upwards (1) or downwards (-1) along x (0) or y (1); {@link Fmpl#NO_RANK} at the end. */
    int neighbour(int axis, int direction) {
        int place = place(axis) + direction;
        if (place < 0 || place >= (axis == 0 ? alongX : alongY)) {
            return Fmpl.NO_RANK;
        }
        return rank + direction * (axis == 0 ? 1 : alongX);
    }

    private int place(int axis) {
        return axis == 0 ? rank % alongX : rank / alongX;
    }
}
