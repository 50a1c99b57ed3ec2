// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;

/**
 * The type of the elements of a span, a reduction or a matrix. A complex number is two values: its
 * real and its imaginary part.
 */
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
    COMPLEX_DOUBLE('z', 2 * Double.BYTES),
    /** {@code long}; the BLACS and ScaLAPACK have none of this type and those below. */
    LONG(Element.NO_LETTER, Long.BYTES),
    /** {@code byte}; a span over bytes has no type unless {@link Span#as} gives it this one. */
    BYTE(Element.NO_LETTER, Byte.BYTES),
    /** {@code short}. */
    SHORT(Element.NO_LETTER, Short.BYTES),
    /** {@code char}, a number without a sign. */
    CHAR(Element.NO_LETTER, Character.BYTES),
    /** {@code boolean}, in one byte that is 0 or 1. */
    BOOLEAN(Element.NO_LETTER, Byte.BYTES);

    private static final char NO_LETTER = 0;

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
     * @throws ArgumentException if they do not have the type
     */
    public char letter() {
        if (letter == NO_LETTER) {
            throw Errors.argument("elements of type " + this + ": expected INT, FLOAT, DOUBLE,"
                    + " COMPLEX_FLOAT or COMPLEX_DOUBLE, the types of the BLACS and ScaLAPACK");
        }
        return letter;
    }

    /** Returns its number in the C interface of the BLACS. */
    int number() {
        letter(); // refuses a type that they do not have
        return ordinal();
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

    /**
     * Returns the type of the real and of the imaginary part.
     *
     * @return FLOAT or DOUBLE for a complex type; any other type itself
     */
    public Element part() {
        return this == COMPLEX_FLOAT ? FLOAT : this == COMPLEX_DOUBLE ? DOUBLE : this;
    }
}
