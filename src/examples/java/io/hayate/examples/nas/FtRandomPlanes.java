// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** The field at the beginning: random complex numbers, x fastest, then y, then z. */
final class FtRandomPlanes implements FtPlanes.Work {
    private final FtLayout layout;
    private final NpbRandom random = new NpbRandom(NpbRandom.SEED);
    private final double error;

    /** `error` is added to the real part of this rank's first number. */
    FtRandomPlanes(FtLayout layout, double error) {
        this.layout = layout;
        this.error = error;
    }

    @Override
    public void on(double[] values, int plane) {
        FtProblem problem = layout.problem();
        random.seed(NpbRandom.SEED);
        random.skip(2L * problem.x() * problem.y() * (layout.firstPlane() + plane));
        for (int y = 0; y < problem.y(); y++) {
            fillRow(values, y * FtPlanes.pitch(layout), problem.x());
        }
        if (plane == 0) {
            values[0] += error;
        }
    }

    private void fillRow(double[] values, int row, int points) {
        for (int i = row; i < row + points; i++) {
            values[i] = random.next();
            values[i + points] = random.next();
        }
    }
}
