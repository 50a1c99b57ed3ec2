// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.stream.IntStream;

/** This rank's part of the sum of 1024 points (j, 3 j, 5 j), modulo the points of each axis. */
final class FtChecksum implements FtPlanes.Work {
    private static final int TERMS = 1024;

    private final int apart; // from real to imaginary part
    private final int[][] places; // in each plane
    private double real;
    private double imaginary;

    FtChecksum(FtLayout layout) {
        FtProblem problem = layout.problem();
        apart = problem.x();
        places = new int[layout.planes()][];
        for (int plane = 0; plane < places.length; plane++) {
            int z = layout.firstPlane() + plane;
            places[plane] = IntStream.rangeClosed(1, TERMS).filter(j -> 5 * j % problem.z() == z)
                    .map(j -> 3 * j % problem.y() * FtPlanes.pitch(layout) + j % problem.x())
                    .toArray();
        }
    }

    void begin() {
        real = 0;
        imaginary = 0;
    }

    @Override
    public void on(double[] values, int plane) {
        for (int place : places[plane]) {
            real += values[place];
            imaginary += values[place + apart];
        }
    }

    double real() {
        return real;
    }

    double imaginary() {
        return imaginary;
    }
}
