// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.Grid;

/** A grid without processes behind it, for what is computed without messages. */
record PlainGrid(int rows, int columns, int row, int column) implements Grid {
    static final PlainGrid ONE = new PlainGrid(1, 1, 0, 0);

    @Override
    public int context() {
        return row < 0 ? -1 : 7;
    }
}
