// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.nio.DoubleBuffer;

/** A rank's planes in space: transforms along x and y, one plane after the other. */
final class FtPlanes {
    /** Row y of a plane begins at y * {@link #pitch}; `plane` is counted in this rank's. */
    interface Work {
        void on(double[] values, int plane);
    }

    /** Rows of a power of two of bytes would fall on a few sets of the cache. */
    private static final int PADDING = 8;

    private final FtLayout layout;
    private final FtTransform alongX;
    private final FtTransform alongY;
    private final int columns; // that are transformed at once
    private final int x;
    private final double[] values;

    FtPlanes(FtLayout layout, FtTransform alongX, FtTransform alongY, int columns) {
        this.layout = layout;
        this.alongX = alongX;
        this.alongY = alongY;
        this.columns = columns;
        x = layout.problem().x();
        values = new double[pitch(layout) * layout.problem().y()];
    }

    static int pitch(FtLayout layout) {
        return layout.rowLength() + PADDING;
    }

    /** Takes planes from `fill`, and leaves them, transformed, in the memory of messages. */
    void forward(Work fill, DoubleBuffer to) {
        for (int plane = 0; plane < layout.planes(); plane++) {
            fill.on(values, plane);
            transform();
            for (int y = 0; y < layout.problem().y(); y++) {
                to.put(layout.rowOfPlane(plane, y), values, row(y), layout.rowLength());
            }
        }
    }

    /** Gives planes, transformed back, to `take`. */
    void inverse(DoubleBuffer from, Work take) {
        for (int plane = 0; plane < layout.planes(); plane++) {
            for (int y = 0; y < layout.problem().y(); y++) {
                from.get(layout.rowOfPlane(plane, y), values, row(y), layout.rowLength());
            }
            transformBack();
            take.on(values, plane);
        }
    }

    private void transform() {
        for (int y = 0; y < layout.problem().y(); y++) {
            alongX.forwardRow(values, row(y));
        }
        for (int column = 0; column < x; column += columns) {
            alongY.forwardColumns(values, column, row(1), x, columns);
        }
    }

    private void transformBack() {
        for (int column = 0; column < x; column += columns) {
            alongY.inverseColumns(values, column, row(1), x, columns);
        }
        for (int y = 0; y < layout.problem().y(); y++) {
            alongX.inverseRow(values, row(y));
        }
    }

    private int row(int y) {
        return y * pitch(layout);
    }
}
