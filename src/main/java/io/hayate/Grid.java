// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * A grid of processes: rows and columns of ranks, and the context of the BLACS in which they
 * communicate. {@link io.hayate.scalapack} distributes matrices over it.
 */
public interface Grid {
    /**
     * Returns the handle of the context.
     *
     * @return the handle, 0 or more; -1 if this process is not in the grid
     * @throws ClosedException if the grid is closed
     */
    int context();

    /**
     * Returns the number of rows of processes.
     *
     * @return at least 1
     */
    int rows();

    /**
     * Returns the number of columns of processes.
     *
     * @return at least 1
     */
    int columns();

    /**
     * Returns the row of this process.
     *
     * @return 0 to rows - 1, or -1 if this process is not in the grid
     */
    int row();

    /**
     * Returns the column of this process.
     *
     * @return 0 to columns - 1, or -1 if this process is not in the grid
     */
    int column();
}
