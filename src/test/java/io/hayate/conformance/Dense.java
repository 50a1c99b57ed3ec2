// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.scalapack.DistributedMatrix;
import java.util.Arrays;

/** A matrix on one rank, and plain algorithms for it, to compare distributed ones with. */
final class Dense {
    final int rows;
    final int columns;
    private final double[][] real;
    private final double[][] imaginary;

    Dense(int rows, int columns) {
        this.rows = rows;
        this.columns = columns;
        real = new double[rows][columns];
        imaginary = new double[rows][columns];
    }

    Dense(int rows, int columns, DistributedMatrix.Entry entry, DistributedMatrix.Entry other) {
        this(rows, columns);
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                real[i][j] = entry.at(i, j);
                imaginary[i][j] = other.at(i, j);
            }
        }
    }

    /** From what {@code gather} returns. */
    Dense(int rows, int columns, boolean complex, double... values) {
        this(rows, columns,
                (i, j) -> values[complex ? 2 * (i + j * rows) : i + j * rows],
                (i, j) -> complex ? values[2 * (i + j * rows) + 1] : 0);
    }

    /** What {@code scatter} takes. */
    double[] values(boolean complex) {
        double[] values = new double[rows * columns * (complex ? 2 : 1)];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                int at = i + j * rows;
                values[complex ? 2 * at : at] = real[i][j];
                if (complex) {
                    values[2 * at + 1] = imaginary[i][j];
                }
            }
        }
        return values;
    }

    double get(int row, int column) {
        return real[row][column];
    }

    double getImaginary(int row, int column) {
        return imaginary[row][column];
    }

    static Dense identity(int order) {
        return new Dense(order, order, (i, j) -> i == j ? 1 : 0, (i, j) -> 0);
    }

    /** Its first rows and columns. */
    Dense part(int rowCount, int columnCount) {
        return part(0, 0, rowCount, columnCount);
    }

    Dense part(int row, int column, int rowCount, int columnCount) {
        return new Dense(rowCount, columnCount, (i, j) -> real[row + i][column + j],
                (i, j) -> imaginary[row + i][column + j]);
    }

    /** Its upper or lower triangle, zero elsewhere. */
    Dense triangle(boolean upper) {
        return new Dense(rows, columns, (i, j) -> (upper ? i <= j : i >= j) ? real[i][j] : 0,
                (i, j) -> (upper ? i <= j : i >= j) ? imaginary[i][j] : 0);
    }

    Dense transposed(boolean conjugated) {
        return new Dense(columns, rows, (i, j) -> real[j][i],
                (i, j) -> conjugated ? -imaginary[j][i] : imaginary[j][i]);
    }

    /** Its rows in another order. */
    Dense rowsAt(Integer... from) {
        return new Dense(rows, columns, (i, j) -> real[from[i]][j],
                (i, j) -> imaginary[from[i]][j]);
    }

    Dense plus(double factor, Dense other) {
        return new Dense(rows, columns, (i, j) -> real[i][j] + factor * other.real[i][j],
                (i, j) -> imaginary[i][j] + factor * other.imaginary[i][j]);
    }

    Dense scaled(double factor) {
        return new Dense(rows, columns, (i, j) -> real[i][j] * factor,
                (i, j) -> imaginary[i][j] * factor);
    }

    Dense times(Dense other) {
        Dense product = new Dense(rows, other.columns);
        for (int i = 0; i < rows; i++) {
            for (int k = 0; k < columns; k++) {
                for (int j = 0; j < other.columns; j++) {
                    product.real[i][j] += real[i][k] * other.real[k][j]
                            - imaginary[i][k] * other.imaginary[k][j];
                    product.imaginary[i][j] += real[i][k] * other.imaginary[k][j]
                            + imaginary[i][k] * other.real[k][j];
                }
            }
        }
        return product;
    }

    double absolute(int row, int column) {
        return Math.hypot(real[row][column], imaginary[row][column]);
    }

    double largest() {
        double largest = 0;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                double value = absolute(i, j);
                largest = Double.isNaN(value) ? Double.POSITIVE_INFINITY : Math.max(largest, value);
            }
        }
        return largest;
    }

    /** The solution of A X = B by Gauss's elimination with row interchanges. */
    Dense solve(Dense rightHandSides) {
        Dense a = part(rows, columns);
        Dense x = rightHandSides.part(rows, rightHandSides.columns);
        for (int k = 0; k < rows; k++) {
            int pivot = k;
            for (int i = k; i < rows; i++) {
                pivot = a.absolute(i, k) > a.absolute(pivot, k) ? i : pivot;
            }
            a.swap(k, pivot);
            x.swap(k, pivot);
            for (int i = 0; i < rows; i++) {
                if (i != k) {
                    eliminate(a, x, i, k);
                }
            }
        }
        for (int i = 0; i < rows; i++) {
            x.divideRow(i, a.real[i][i], a.imaginary[i][i]);
        }
        return x;
    }

    private static void eliminate(Dense a, Dense x, int row, int pivot) {
        double re = a.real[pivot][pivot];
        double im = a.imaginary[pivot][pivot];
        double square = re * re + im * im;
        double up = a.real[row][pivot];
        double upIm = a.imaginary[row][pivot];
        double factor = (up * re + upIm * im) / square;
        double factorIm = (upIm * re - up * im) / square;
        a.subtractRow(row, pivot, factor, factorIm);
        x.subtractRow(row, pivot, factor, factorIm);
    }

    private void subtractRow(int row, int other, double factor, double factorIm) {
        for (int j = 0; j < columns; j++) {
            real[row][j] -= factor * real[other][j] - factorIm * imaginary[other][j];
            imaginary[row][j] -= factor * imaginary[other][j] + factorIm * real[other][j];
        }
    }

    private void divideRow(int row, double re, double im) {
        double square = re * re + im * im;
        for (int j = 0; j < columns; j++) {
            double up = real[row][j];
            double upIm = imaginary[row][j];
            real[row][j] = (up * re + upIm * im) / square;
            imaginary[row][j] = (upIm * re - up * im) / square;
        }
    }

    private void swap(int row, int other) {
        double[] saved = real[row];
        real[row] = real[other];
        real[other] = saved;
        saved = imaginary[row];
        imaginary[row] = imaginary[other];
        imaginary[other] = saved;
    }

    /**
     * The eigenvalues of a Hermitian matrix H = A + i B in ascending order: each is twice one of
     * the real symmetric matrix (A, -B; B, A).
     */
    double[] eigenvalues() {
        double[] twice = new Dense(2 * rows, 2 * rows,
                (i, j) -> i / rows == j / rows ? real[i % rows][j % rows]
                        : (i < rows ? -1 : 1) * imaginary[i % rows][j % rows],
                (i, j) -> 0).realEigenvalues();
        double[] values = new double[rows];
        Arrays.setAll(values, i -> twice[2 * i]);
        return values;
    }

    /** The eigenvalues of a real symmetric matrix in ascending order, by Jacobi's rotations. */
    private double[] realEigenvalues() {
        double[][] a = part(rows, columns).real;
        for (int sweep = 0; sweep < 30; sweep++) {
            for (int p = 0; p < rows; p++) {
                for (int q = p + 1; q < rows; q++) {
                    rotate(a, p, q);
                }
            }
        }
        double[] values = new double[rows];
        for (int i = 0; i < rows; i++) {
            values[i] = a[i][i];
        }
        Arrays.sort(values);
        return values;
    }

    /** Makes a[p][q] zero. */
    private static void rotate(double[][] a, int p, int q) {
        if (a[p][q] == 0) {
            return;
        }
        double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        double t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
        double c = 1 / Math.hypot(t, 1);
        double s = t * c;
        for (int k = 0; k < a.length; k++) {
            double kp = a[k][p];
            double kq = a[k][q];
            a[k][p] = c * kp - s * kq;
            a[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < a.length; k++) {
            double pk = a[p][k];
            double qk = a[q][k];
            a[p][k] = c * pk - s * qk;
            a[q][k] = s * pk + c * qk;
        }
    }
}
