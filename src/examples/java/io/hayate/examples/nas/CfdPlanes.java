// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.nio.DoubleBuffer;

/** Some planes of a cell's field across an axis, own ones or ghosts, as messages carry them. */
final class CfdPlanes {
    private final CfdCell cell;
    private final double[] field;
    private final int width; // numbers for each point
    private final int[] first = new int[CfdCell.AXES];
    private final int[] points = new int[CfdCell.AXES];

    private CfdPlanes(CfdCell cell, double[] field, int axis, int firstPlane, int depth) {
        this.cell = cell;
        this.field = field;
        width = field.length / cell.length();
        for (int each = 0; each < CfdCell.AXES; each++) {
            first[each] = each == axis ? firstPlane : 0;
            points[each] = each == axis ? depth : cell.own(each);
        }
    }

    /** The outermost own planes, at the upper (1) or the lower (-1) end. */
    static CfdPlanes own(CfdCell cell, double[] field, int axis, int direction, int depth) {
        return new CfdPlanes(cell, field, axis, direction > 0 ? cell.own(axis) - depth : 0, depth);
    }

    /** The innermost ghosts at an end. */
    static CfdPlanes ghosts(CfdCell cell, double[] field, int axis, int direction, int depth) {
        return new CfdPlanes(cell, field, axis, direction > 0 ? cell.own(axis) : -depth, depth);
    }

    /** Of numbers. */
    int count() {
        return points[0] * points[1] * points[2] * width;
    }

    /** Where in `to` the next ones can go. */
    int pack(DoubleBuffer to, int at) {
        int length = points[0] * width;
        int next = at;
        for (int k = first[2]; k < first[2] + points[2]; k++) {
            for (int j = first[1]; j < first[1] + points[1]; j++) {
                to.put(next, field, cell.at(first[0], j, k) * width, length);
                next += length;
            }
        }
        return next;
    }

    int unpack(DoubleBuffer from, int at) {
        int length = points[0] * width;
        int next = at;
        for (int k = first[2]; k < first[2] + points[2]; k++) {
            for (int j = first[1]; j < first[1] + points[1]; j++) {
                from.get(next, field, cell.at(first[0], j, k) * width, length);
                next += length;
            }
        }
        return next;
    }
}
