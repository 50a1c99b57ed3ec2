// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.Blacs;
import io.hayate.BlacsGrid;

/** Rows and columns of a grid of all ranks. */
record GridShape(int rows, int columns) {
    /** With so many rows, 0: as square as possible, and not more rows than columns. */
    static GridShape of(int ranks, int rows) throws UsageException {
        int chosen = rows == 0 ? (int) Math.sqrt(ranks) : rows;
        while (rows == 0 && ranks % chosen != 0) {
            chosen--;
        }
        if (ranks % chosen != 0) {
            throw new UsageException("--grid-rows " + rows + ": " + ranks + " ranks cannot be"
                    + " dealt out to as many rows");
        }
        return new GridShape(chosen, ranks / chosen);
    }

    BlacsGrid open(Blacs blacs) {
        return blacs.grid(rows, columns);
    }

    @Override
    public String toString() {
        return rows + " x " + columns;
    }
}
