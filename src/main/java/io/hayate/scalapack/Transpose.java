// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

/** What is done to a matrix before a call uses it. */
public enum Transpose {
    /** The matrix itself. */
    NONE('N'),
    /** The transposed matrix. */
    TRANSPOSED('T'),
    /** The transposed matrix of the conjugates. For real matrices the same as TRANSPOSED. */
    CONJUGATED('C');

    final char letter;

    Transpose(char letter) {
        this.letter = letter;
    }
}
