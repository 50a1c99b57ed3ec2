// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * An axis of the grid, of which the ranks in a line have a block each, and this rank's place in
 * the line. Local indices count the ghost points on both sides.
 */
record LuAxis(int points, int ranks, int place) {
    /** On each side: as many as the dissipation reaches. */
    static final int GHOSTS = 2;

    /** The first of this rank's points. */
    int first() {
        return place * points / ranks;
    }

    /** Number of this rank's points. */
    int own() {
        return (place + 1) * points / ranks - first();
    }

    /** Of this rank's points, with ghosts. */
    int length() {
        return own() + 2 * GHOSTS;
    }

    /** The local index of the first own point that is not on the boundary of the cube. */
    int begin() {
        return place == 0 ? GHOSTS + 1 : GHOSTS;
    }

    /** The local index after the last own point that is not on the boundary. */
    int end() {
        return GHOSTS + own() - (place == ranks - 1 ? 1 : 0);
    }

    /** The number of a point on the whole axis; that of a ghost may be outside. */
    int point(int index) {
        return first() + index - GHOSTS;
    }

    boolean isInside(int index) {
        return point(index) >= 0 && point(index) < points;
    }

    boolean isOnBoundary(int index) {
        return point(index) == 0 || point(index) == points - 1;
    }

    /** From 0 to 1. */
    double position(int index) {
        return point(index) * step();
    }

    /** The distance of two points. */
    double step() {
        return 1.0 / (points - 1);
    }
}
