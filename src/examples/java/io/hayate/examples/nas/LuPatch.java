// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.nio.DoubleBuffer;

/** The shape of a set of points that a message carries all components of: lines of points. */
record LuPatch(int lines, int linePitch, int points, int pitch) {
    /** Numbers in a message. */
    int count() {
        return CfdExact.COMPONENTS * lines * points;
    }

    /** @param first the first of the points */
    void pack(double[][] fields, int first, DoubleBuffer to, int at) {
        int next = at;
        for (double[] field : fields) {
            for (int line = 0; line < lines; line++) {
                for (int i = 0; i < points; i++) {
                    to.put(next++, field[first + line * linePitch + i * pitch]);
                }
            }
        }
    }

    void unpack(DoubleBuffer from, int at, double[][] fields, int first) {
        int next = at;
        for (double[] field : fields) {
            for (int line = 0; line < lines; line++) {
                for (int i = 0; i < points; i++) {
                    field[first + line * linePitch + i * pitch] = from.get(next++);
                }
            }
        }
    }
}
