// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** The processes of a grid that take part in an operation. */
public enum Scope {
    /** The processes in the same row as the caller. */
    ROW('R'),
    /** The processes in the same column as the caller. */
    COLUMN('C'),
    /** All processes of the grid. */
    ALL('A');

    final char letter;

    Scope(char letter) {
        this.letter = letter;
    }
}
