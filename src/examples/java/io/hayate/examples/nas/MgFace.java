// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.nio.DoubleBuffer;

/** The planes of a box across an axis: lines of points. Plane 0 and the last are ghosts. */
final class MgFace {
    private final int first;
    private final int step;
    private final int lines;
    private final int linePitch;
    private final int points;
    private final int pitch;

    /** With the ghost points of those axes that come before `wide`. */
    MgFace(MgBox box, int axis, int wide) {
        int inner = axis == 0 ? 1 : 0;
        int outer = axis == 2 ? 1 : 2;
        points = points(box, inner, wide);
        pitch = box.pitch(inner);
        lines = points(box, outer, wide);
        linePitch = box.pitch(outer);
        first = (inner < wide ? 0 : pitch) + (outer < wide ? 0 : linePitch);
        step = box.pitch(axis);
    }

    private static int points(MgBox box, int axis, int wide) {
        return box.own(axis) + (axis < wide ? 2 : 0);
    }

    int count() {
        return lines * points;
    }

    void pack(double[] field, int plane, DoubleBuffer to) {
        for (int line = 0; line < lines; line++) {
            int from = start(plane, line);
            if (pitch == 1) {
                to.put(line * points, field, from, points);
            } else {
                packLine(field, from, to, line * points);
            }
        }
    }

    void unpack(DoubleBuffer from, double[] field, int plane) {
        for (int line = 0; line < lines; line++) {
            int to = start(plane, line);
            if (pitch == 1) {
                from.get(line * points, field, to, points);
            } else {
                unpackLine(from, line * points, field, to);
            }
        }
    }

    void copy(double[] field, int from, int to) {
        for (int line = 0; line < lines; line++) {
            copyLine(field, start(from, line), start(to, line));
        }
    }

    private int start(int plane, int line) {
        return first + plane * step + line * linePitch;
    }

    private void packLine(double[] field, int from, DoubleBuffer to, int at) {
        for (int i = 0; i < points; i++) {
            to.put(at + i, field[from + i * pitch]);
        }
    }

    private void unpackLine(DoubleBuffer from, int at, double[] field, int to) {
        for (int i = 0; i < points; i++) {
            field[to + i * pitch] = from.get(at + i);
        }
    }

    private void copyLine(double[] field, int from, int to) {
        for (int i = 0; i < points; i++) {
            field[to + i * pitch] = field[from + i * pitch];
        }
    }
}
