// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

/** A norm of a matrix. */
public enum Norm {
    /** The largest absolute value of an element; not a norm that is consistent. */
    MAX('M'),
    /** The largest sum of absolute values of a column. */
    ONE('1'),
    /** The largest sum of absolute values of a row. */
    INFINITY('I'),
    /** The square root of the sum of squares of all elements. */
    FROBENIUS('F');

    final char letter;

    Norm(char letter) {
        this.letter = letter;
    }
}
