// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * A box of points of the grid, and ghost points around it, which belong to neighbours or to nobody.
 * In arrays x is the fastest, and all numbers of a point stand together; indices (i, j, k) count
 * from the first own point. The interior is what is not on the boundary of the grid.
 */
final class CfdCell {
    static final int AXES = 3;
    static final int GHOSTS = 2; // layers

    /** Work on a row of interior points along x. */
    interface RowWork {
        void run(CfdCell cell, int j, int k);
    }

    private final int points;
    private final int[] first = new int[AXES];
    private final int[] own = new int[AXES];
    private final double[] solution;
    private final double[] forcing;
    private final double[] right;
    private final double[] flow;
    private final double[] factors;

    /** At a place in a cube of cells, for a grid with `points` on a side. */
    CfdCell(int points, int side, int[] place, int factorsPerPoint) {
        this.points = points;
        for (int axis = 0; axis < AXES; axis++) {
            first[axis] = place[axis] * points / side;
            own[axis] = (place[axis] + 1) * points / side - first[axis];
        }
        int length = length();
        solution = new double[CfdExact.COMPONENTS * length];
        forcing = new double[CfdExact.COMPONENTS * length];
        right = new double[CfdExact.COMPONENTS * length];
        flow = new double[CfdFlow.SIZE * length];
        factors = new double[factorsPerPoint * length];
    }

    /** CfdExact.COMPONENTS for each point. */
    double[] solution() {
        return solution;
    }

    /** What makes the exact solution a steady state; CfdExact.COMPONENTS for each point. */
    double[] forcing() {
        return forcing;
    }

    /** The right side, and then the change of the solution; 0 outside of the interior. */
    double[] right() {
        return right;
    }

    /** {@link CfdFlow}.SIZE for each point. */
    double[] flow() {
        return flow;
    }

    /** What a {@link CfdSolver} leaves for its second pass; 0 outside of the interior. */
    double[] factors() {
        return factors;
    }

    /** Number of own points along an axis. */
    int own(int axis) {
        return own[axis];
    }

    /** Is it the last one upwards (1), or downwards (-1)? */
    boolean isEnd(int axis, int direction) {
        return direction > 0 ? first[axis] + own[axis] == points : first[axis] == 0;
    }

    /** From a point to the next one along an axis. */
    int pitch(int axis) {
        int row = own[0] + 2 * GHOSTS;
        return axis == 0 ? 1 : axis == 1 ? row : row * (own[1] + 2 * GHOSTS);
    }

    /** Number of points with ghosts. */
    int length() {
        return pitch(2) * (own[2] + 2 * GHOSTS);
    }

    int at(int i, int j, int k) {
        return (k + GHOSTS) * pitch(2) + (j + GHOSTS) * pitch(1) + i + GHOSTS;
    }

    /** From 0 to 1 along the axis; i counts from the first own point. */
    double coordinate(int axis, int i) {
        return (first[axis] + i) / (points - 1.0);
    }

    boolean isInterior(int i, int j, int k) {
        return i >= begin(0) && i < end(0) && j >= begin(1) && j < end(1) && k >= begin(2)
                && k < end(2);
    }

    /** The first interior point of a row. */
    int row(int j, int k) {
        return at(begin(0), j, k);
    }

    /** Number of interior points of a row. */
    int rowLength() {
        return end(0) - begin(0);
    }

    /** Which point of the grid along an axis a row lies at, or begins at. */
    int position(int axis, int j, int k) {
        return first[axis] + (axis == 0 ? begin(0) : axis == 1 ? j : k);
    }

    /** All rows of the interior, in the order of the memory. */
    void forEachRow(RowWork work) {
        for (int k = begin(2); k < end(2); k++) {
            for (int j = begin(1); j < end(1); j++) {
                work.run(this, j, k);
            }
        }
    }

    /** From the last row to the first. */
    void forEachRowBackwards(RowWork work) {
        for (int k = end(2) - 1; k >= begin(2); k--) {
            for (int j = end(1) - 1; j >= begin(1); j--) {
                work.run(this, j, k);
            }
        }
    }

    /** The first interior point. */
    int begin(int axis) {
        return isEnd(axis, -1) ? 1 : 0;
    }

    /** The point after the last interior one. */
    int end(int axis) {
        return isEnd(axis, 1) ? own[axis] - 1 : own[axis];
    }
}
