// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.util.Arrays;

/**
 * A sparse matrix by compressed rows: the entries of row i stand at rowPointers[i] up to, not
 * including, rowPointers[i + 1], sorted by column. The arrays are shared, not copied.
 */
record CsrMatrix(int[] rowPointers, int[] columns, double[] values) {
    int rows() {
        return rowPointers.length - 1;
    }

    int nonzeros() {
        return rowPointers[rows()];
    }

    /** Where entry (row, column) stands, negative when it is zero. */
    int find(int row, int column) {
        return Arrays.binarySearch(columns, rowPointers[row], rowPointers[row + 1], column);
    }
}
