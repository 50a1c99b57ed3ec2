// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.nio.DoubleBuffer;

/**
 * A rank's Fourier coefficients: transforms along z, and how they decay as time goes on. They are
 * kept in bundles of columns along z, which fit into the cache.
 */
final class FtSpectrum {
    private final FtLayout layout;
    private final FtDecay decay;
    private final FtTransform alongZ;
    private final int columns; // of a bundle
    private final int pitch; // of a bundle: its real parts at a z, then the imaginary ones
    private final int x;
    private final int z;
    private final double[] coefficients;
    private final double[] bundle;

    FtSpectrum(FtLayout layout, FtDecay decay, FtTransform alongZ, int columns) {
        this.layout = layout;
        this.decay = decay;
        this.alongZ = alongZ;
        this.columns = columns;
        pitch = 2 * columns;
        x = layout.problem().x();
        z = layout.problem().z();
        coefficients = new double[layout.length()];
        bundle = new double[z * pitch];
    }

    /** Takes what was transformed along x and y. */
    void take(DoubleBuffer from) {
        for (int row = 0; row < layout.rows(); row++) {
            for (int column = 0; column < x; column += columns) {
                int start = start(row, column);
                read(from, row, column, start);
                alongZ.forwardColumns(coefficients, start, pitch, columns, columns);
            }
        }
    }

    /** One unit of time later; what is transformed back along z goes to `to`. */
    void evolve(DoubleBuffer to) {
        for (int row = 0; row < layout.rows(); row++) {
            for (int column = 0; column < x; column += columns) {
                decay(row, column);
                alongZ.inverseColumns(bundle, 0, pitch, columns, columns);
                write(to, row, column);
            }
        }
    }

    /** Of a bundle. */
    private int start(int row, int column) {
        return (row * x + column) * 2 * z;
    }

    private void read(DoubleBuffer from, int row, int column, int start) {
        for (int k = 0; k < z; k++) {
            int place = layout.rowOfColumn(k, row) + column;
            from.get(place, coefficients, start + k * pitch, columns);
            from.get(place + x, coefficients, start + k * pitch + columns, columns);
        }
    }

    private void write(DoubleBuffer to, int row, int column) {
        for (int k = 0; k < z; k++) {
            int place = layout.rowOfColumn(k, row) + column;
            to.put(place, bundle, k * pitch, columns);
            to.put(place + x, bundle, k * pitch + columns, columns);
        }
    }

    private void decay(int row, int column) {
        for (int k = 0; k < z; k++) {
            double common = decay.alongY(layout.firstRow() + row) * decay.alongZ(k);
            int from = start(row, column) + k * pitch;
            decay.apply(coefficients, from, column, columns, common);
            System.arraycopy(coefficients, from, bundle, k * pitch, pitch);
        }
    }
}
