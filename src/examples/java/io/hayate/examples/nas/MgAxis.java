// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * A line of ranks, and this rank's place in it. The points of a level are dealt out in equal
 * blocks. Where there are fewer points than ranks, the last rank of each group of neighbours has
 * one, and the others sleep.
 */
record MgAxis(int ranks, int place) {
    /** Number of this rank's points. */
    int own(int points) {
        return first(points, place + 1) - first(points, place);
    }

    /** This rank's first point. */
    int first(int points) {
        return first(points, place);
    }

    boolean isAwake(int points) {
        return own(points) > 0;
    }

    /** Do some sleep? */
    boolean isFolded(int points) {
        return ranks > points;
    }

    /** The place of the rank that is awake next, upwards (1) or downwards (-1), around the end. */
    int neighbour(int points, int direction) {
        int stride = Math.max(1, ranks / points);
        return Math.floorMod(place + direction * stride, ranks);
    }

    private int first(int points, int of) {
        return of * points / ranks;
    }
}
