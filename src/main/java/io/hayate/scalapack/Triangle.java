// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

/** The triangle of a symmetric matrix that a call uses; it ignores the other one. */
public enum Triangle {
    /** The elements on the diagonal and above. */
    UPPER('U'),
    /** The elements on the diagonal and below. */
    LOWER('L');

    final char letter;

    Triangle(char letter) {
        this.letter = letter;
    }
}
