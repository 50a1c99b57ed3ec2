// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/** The rows of one rank; columns are those of the whole matrix. */
record RowBlock(RowPartition partition, int rank, long allNonzeros, CsrMatrix matrix) {
    int firstRow() {
        return partition.first(rank);
    }

    int rows() {
        return matrix.rows();
    }
}
