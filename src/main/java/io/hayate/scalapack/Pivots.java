// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

/**
 * The row interchanges of an LU factorisation by {@link ScaLapack#getrf}, for
 * {@link ScaLapack#getrs}. Each process holds the ones of its rows. Immutable.
 */
public final class Pivots {
    final BlockCyclic layout;
    final int[] rows;

    Pivots(BlockCyclic layout, int... rows) {
        this.layout = layout;
        this.rows = rows;
    }

    /**
     * Returns which row was interchanged with a row of this process.
     *
     * @param localRow the local index of a row, 0 to {@link BlockCyclic#localRows} - 1
     * @return the global index of the row, from 0
     * @throws io.hayate.ArgumentException if there is no such local row
     */
    public int row(int localRow) {
        layout.requireLocalRow(localRow);
        return rows[localRow] - 1;
    }
}
