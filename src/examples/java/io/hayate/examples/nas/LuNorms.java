// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** Norms of fields within the cube, as NPB has them: roots of mean squares, of each component. */
final class LuNorms implements AutoCloseable {
    private final LuBox box;
    private final Doubles squares;
    private final Sum sum;

    LuNorms(NasJob job, LuBox box) {
        this.box = box;
        squares = job.doubles(CfdExact.COMPONENTS);
        sum = new Sum(job, squares.all());
    }

    /** Collective; allocates nothing. */
    void compute(double[][] fields, double[] norms) {
        for (int m = 0; m < norms.length; m++) {
            squares.values().put(m, squares(fields[m]));
        }
        sum.run();
        for (int m = 0; m < norms.length; m++) {
            norms[m] = Math.sqrt(squares.values().get(m) / Math.pow(box.z().points() - 2, 3));
        }
    }

    private double squares(double[] field) {
        double sum = 0;
        for (int k = box.z().begin(); k < box.z().end(); k++) {
            for (int j = box.y().begin(); j < box.y().end(); j++) {
                int row = box.row(j, k);
                for (int at = row + box.x().begin(); at < row + box.x().end(); at++) {
                    sum += field[at] * field[at];
                }
            }
        }
        return sum;
    }

    @Override
    public void close() {
        sum.close();
    }
}
