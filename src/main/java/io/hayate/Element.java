// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** The type of the elements of a matrix. A complex number is two values: real, imaginary. */
public enum Element {
    /** {@code int}; I in the names of the BLACS. */
    INT('i', Integer.BYTES),
    /** {@code float}; S in the names of the BLACS. */
    FLOAT('s', Float.BYTES),
    /** {@code double}; D in the names of the BLACS. */
    DOUBLE('d', Double.BYTES),
    /** Complex numbers of two floats; C in the names of the BLACS. */
    COMPLEX_FLOAT('c', 2 * Float.BYTES),
    /** Complex numbers of two doubles; Z in the names of the BLACS. */
    COMPLEX_DOUBLE('z', 2 * Double.BYTES);

    private final char letter;
    private final int bytes;

    Element(char letter, int bytes) {
        this.letter = letter;
        this.bytes = bytes;
    }

    /**
     * Returns the letter of the type in the names of BLAS, BLACS and ScaLAPACK.
     *
     * @return i, s, d, c or z
     */
    public char letter() {
        return letter;
    }

    /**
     * Returns the size of an element.
     *
     * @return bytes
     */
    public int bytes() {
        return bytes;
    }

    /**
     * Returns whether an element has a real and an imaginary part.
     *
     * @return {@code true} for the complex types
     */
    public boolean isComplex() {
        return this == COMPLEX_FLOAT || this == COMPLEX_DOUBLE;
    }
}
