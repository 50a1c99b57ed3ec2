// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The decay of a coefficient in a unit of time: exp(-4 pi^2 alpha |k|^2), a factor for each axis.
 */
final class FtDecay {
    private static final double ALPHA = 1e-6;

    private final FtTransform[] axes;
    private final double[][] factors;

    /** Along x, y, z. */
    FtDecay(FtProblem problem, FtTransform... axes) {
        this.axes = axes;
        factors = new double[][] {new double[problem.x()], new double[problem.y()],
            new double[problem.z()]};
    }

    /** Computes the factors, which NPB wants to be measured. */
    void begin() {
        for (int axis = 0; axis < axes.length; axis++) {
            for (int place = 0; place < factors[axis].length; place++) {
                double k = axes[axis].waveNumber(place);
                factors[axis][place] = Math.exp(-4 * Math.PI * Math.PI * ALPHA * k * k);
            }
        }
    }

    double alongY(int place) {
        return factors[1][place];
    }

    double alongZ(int place) {
        return factors[2][place];
    }

    /** To `count` coefficients from place x on: real parts from a[from] on, then imaginary ones. */
    void apply(double[] a, int from, int x, int count, double common) {
        double[] alongX = factors[0];
        for (int i = 0; i < count; i++) {
            double factor = alongX[x + i] * common;
            a[from + i] *= factor;
            a[from + count + i] *= factor;
        }
    }
}
