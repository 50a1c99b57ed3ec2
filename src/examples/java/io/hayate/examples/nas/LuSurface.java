// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The integral of the pressure over the surface of a block within the cube, by the trapezoidal
 * rule.
 */
final class LuSurface {
    private static final int[] LOWER = {1, 1, 2}; // the block's first points
    private static final int[] UPPER = {2, 3, 2}; // its last ones, from the number of points

    private final LuFlow flow;
    private final LuBox box;

    LuSurface(LuFlow flow) {
        this.flow = flow;
        box = flow.box();
    }

    /** This rank's part. */
    double integral() {
        double sum = 0;
        for (int k = LuAxis.GHOSTS; k < LuAxis.GHOSTS + box.z().own(); k++) {
            for (int j = LuAxis.GHOSTS; j < LuAxis.GHOSTS + box.y().own(); j++) {
                for (int i = LuAxis.GHOSTS; i < LuAxis.GHOSTS + box.x().own(); i++) {
                    sum += weight(i, j, k) * flow.pressure(box.row(j, k) + i);
                }
            }
        }
        return sum;
    }

    /** The area that belongs to a point on all faces where it is. */
    private double weight(int i, int j, int k) {
        double x = length(0, i);
        double y = length(1, j);
        double z = length(2, k);
        return face(0, i) * y * z + x * face(1, j) * z + x * y * face(2, k);
    }

    private double length(int axis, int index) {
        int point = box.axis(axis).point(index);
        int upper = box.axis(axis).points() - UPPER[axis];
        if (point < LOWER[axis] || point > upper) {
            return 0;
        }
        double step = box.axis(axis).step();
        return face(axis, index) == 1 ? step / 2 : step;
    }

    private int face(int axis, int index) {
        int point = box.axis(axis).point(index);
        return point == LOWER[axis] || point == box.axis(axis).points() - UPPER[axis] ? 1 : 0;
    }
}
