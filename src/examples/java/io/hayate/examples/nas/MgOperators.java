// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The operators of the V-cycle on the points of a rank. Each operator works on rows: the sums of a
 * row's four straight and four diagonal neighbour rows are formed once, and used for three points
 * each. Fields have valid ghosts when they are read; those of what is written are then not valid,
 * but for prolong(). Allocates nothing.
 */
final class MgOperators {
    // The differential operator's weights by distance; a neighbour across a face has none.
    private static final double CENTRE = -8.0 / 3;
    private static final double EDGE = 1.0 / 6;
    private static final double CORNER = 1.0 / 12;

    private final double[] weights; // of the smoother
    private final double[] straight;
    private final double[] diagonal;
    private final double[] line;

    /** `longest` is the length of the longest row, with ghosts. */
    MgOperators(double[] smoother, int longest) {
        weights = smoother;
        straight = new double[longest];
        diagonal = new double[longest];
        line = new double[longest];
    }

    /** residual = right - A solution; `right` may be the residual itself. */
    void subtract(MgLevel level, double[] right) {
        MgBox box = level.box();
        for (int k = 1; k <= box.z(); k++) {
            for (int j = 1; j <= box.y(); j++) {
                addNeighbours(level.solution(), box, box.row(j, k));
                subtractRow(level.solution(), right, level.residual(), box.row(j, k), box.x());
            }
        }
    }

    private void subtractRow(double[] u, double[] right, double[] r, int row, int own) {
        for (int i = 1; i <= own; i++) {
            r[row + i] = right[row + i] - CENTRE * u[row + i]
                    - EDGE * (diagonal[i] + straight[i - 1] + straight[i + 1])
                    - CORNER * (diagonal[i - 1] + diagonal[i + 1]);
        }
    }

    /** Adds an approximate solution for the residual to the solution. */
    void smooth(MgLevel level) {
        MgBox box = level.box();
        for (int k = 1; k <= box.z(); k++) {
            for (int j = 1; j <= box.y(); j++) {
                addNeighbours(level.residual(), box, box.row(j, k));
                smoothRow(level.residual(), level.solution(), box.row(j, k), box.x());
            }
        }
    }

    private void smoothRow(double[] r, double[] u, int row, int own) {
        double centre = weights[0];
        double face = weights[1];
        double edge = weights[2];
        for (int i = 1; i <= own; i++) {
            u[row + i] += centre * r[row + i]
                    + face * (r[row + i - 1] + r[row + i + 1] + straight[i])
                    + edge * (diagonal[i] + straight[i - 1] + straight[i + 1]);
        }
    }

    /** The coarse residual: means of the fine one, with half the weight each step away. */
    void restrict(MgLevel fine, MgLevel coarse) {
        MgBox from = fine.box();
        MgBox to = coarse.box();
        int x = shift(from.x(), to.x());
        int y = shift(from.y(), to.y());
        int z = shift(from.z(), to.z());
        for (int k = 1; k <= to.z(); k++) {
            for (int j = 1; j <= to.y(); j++) {
                average(fine.residual(), from, from.row(2 * j - y, 2 * k - z));
                restrictLine(coarse.residual(), to.row(j, k), to.x(), x);
            }
        }
    }

    /** A coarse point i lies on the fine point 2 i, or 2 i - 1 where both ranks have but one. */
    private static int shift(int fine, int coarse) {
        return fine == coarse ? 1 : 0;
    }

    private void average(double[] r, MgBox box, int row) {
        addNeighbours(r, box, row);
        for (int i = 0; i < box.rowLength(); i++) {
            line[i] = 0.5 * r[row + i] + 0.25 * straight[i] + 0.125 * diagonal[i];
        }
    }

    private void restrictLine(double[] r, int row, int own, int shift) {
        for (int i = 1; i <= own; i++) {
            int centre = 2 * i - shift;
            r[row + i] = line[centre] + 0.5 * (line[centre - 1] + line[centre + 1]);
        }
    }

    /** Adds the coarse solution, interpolated, to the fine one, to its ghosts too. */
    void prolong(MgLevel coarse, MgLevel fine) {
        MgBox from = coarse.box();
        MgBox to = fine.box();
        int x = shift(to.x(), from.x());
        int y = shift(to.y(), from.y());
        int z = shift(to.z(), from.z());
        for (int k = 0; k <= to.z() + 1; k++) {
            for (int j = 0; j <= to.y() + 1; j++) {
                interpolate(coarse.solution(), from, j + y, k + z);
                prolongLine(fine.solution(), to.row(j, k), from.x(), x);
            }
        }
    }

    /** The mean of the two or four rows around (j, k) in halves of steps, or of one four times. */
    private void interpolate(double[] u, MgBox box, int j, int k) {
        int a = box.row(j / 2, k / 2);
        int b = box.row((j + 1) / 2, k / 2);
        int c = box.row(j / 2, (k + 1) / 2);
        int d = box.row((j + 1) / 2, (k + 1) / 2);
        for (int i = 0; i < box.rowLength(); i++) {
            line[i] = 0.25 * (u[a + i] + u[b + i] + u[c + i] + u[d + i]);
        }
    }

    private void prolongLine(double[] u, int row, int own, int shift) {
        int first = row - shift;
        for (int i = shift; i <= own; i++) {
            u[first + 2 * i] += line[i];
        }
        for (int i = 0; i <= own; i++) {
            u[first + 2 * i + 1] += 0.5 * (line[i] + line[i + 1]);
        }
    }

    /** Of this rank's residual. */
    double squares(MgLevel level) {
        MgBox box = level.box();
        double sum = 0;
        for (int k = 1; k <= box.z(); k++) {
            for (int j = 1; j <= box.y(); j++) {
                sum += squares(level.residual(), box.row(j, k), box.x());
            }
        }
        return sum;
    }

    private static double squares(double[] r, int row, int own) {
        double sum = 0;
        for (int i = row + 1; i <= row + own; i++) {
            sum += r[i] * r[i];
        }
        return sum;
    }

    /** Sums over the rows next to a row in y or z, and over those next to it in both. */
    private void addNeighbours(double[] a, MgBox box, int row) {
        int y = box.pitch(1);
        int z = box.pitch(2);
        add(a, row - y, row + y, row - z, row + z, straight, box.rowLength());
        add(a, row - z - y, row - z + y, row + z - y, row + z + y, diagonal, box.rowLength());
    }

    private static void add(double[] a, int i1, int i2, int i3, int i4, double[] sum, int length) {
        for (int i = 0; i < length; i++) {
            sum[i] = a[i1 + i] + a[i2 + i] + a[i3 + i] + a[i4 + i];
        }
    }
}
