// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/** A symmetric positive definite matrix, given by its entries. */
interface SpdMatrix {
    int rows();

    double at(int row, int column);

    /** Neighbours far away count less; the diagonal outweighs them all. */
    static SpdMatrix generated(int rows) {
        return new SpdMatrix() {
            @Override
            public int rows() {
                return rows;
            }

            @Override
            public double at(int row, int column) {
                double near = 1.0 / (1 + Math.abs(row - column));
                return row == column ? 2 * (1 + Math.log(rows + 1.0)) : near;
            }
        };
    }

    static SpdMatrix of(CsrMatrix sparse) {
        return new SpdMatrix() {
            @Override
            public int rows() {
                return sparse.rows();
            }

            @Override
            public double at(int row, int column) {
                int found = sparse.find(row, column);
                return found < 0 ? 0 : sparse.values()[found];
            }
        };
    }
}
