// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;

/** A complex number in a buffer: its real part, then its imaginary part. */
public final class DoubleComplex {
    private final DoubleBuffer buffer;
    private final int place;

    private DoubleComplex(DoubleBuffer buffer, int index) {
        this.buffer = buffer;
        place = Math.multiplyExact(2, index);
    }

    /**
     * Accesses the first number of a buffer.
     *
     * @param buffer the buffer, from index 0
     * @return the number
     */
    public static DoubleComplex get(DoubleBuffer buffer) {
        return get(buffer, 0);
    }

    /**
     * Accesses a number of a buffer.
     *
     * @param buffer the buffer, from index 0
     * @param index the number, from 0
     * @return the number
     */
    public static DoubleComplex get(DoubleBuffer buffer, int index) {
        return new DoubleComplex(buffer, index);
    }

    /**
     * Accesses the first number of an array.
     *
     * @param array the array
     * @return the number
     */
    public static DoubleComplex get(double[] array) {
        return get(array, 0);
    }

    /**
     * Accesses a number of an array.
     *
     * @param array the array
     * @param index the number, from 0
     * @return the number
     */
    public static DoubleComplex get(double[] array, int index) {
        return new DoubleComplex(DoubleBuffer.wrap(array), index);
    }

    /**
     * Accesses the first number of a buffer.
     *
     * @param buffer the buffer, from its position on, in the byte order of the machine
     * @return the number
     */
    public static DoubleComplex get(ByteBuffer buffer) {
        return get(buffer, 0);
    }

    /**
     * Accesses a number of a buffer.
     *
     * @param buffer the buffer, from its position on, in the byte order of the machine
     * @param index the number, from 0
     * @return the number
     */
    public static DoubleComplex get(ByteBuffer buffer, int index) {
        return new DoubleComplex(buffer.asDoubleBuffer(), index);
    }

    /** {@return the buffer from this number on} */
    public DoubleBuffer getBuffer() {
        return place == 0 ? buffer : Buffers.slice(buffer, place);
    }

    /** {@return the real part} */
    public double getReal() {
        return buffer.get(place);
    }

    /** {@return the imaginary part} */
    public double getImag() {
        return buffer.get(place + 1);
    }

    /**
     * Writes the real part.
     *
     * @param real the real part
     */
    public void putReal(double real) {
        buffer.put(place, real);
    }

    /**
     * Writes the imaginary part.
     *
     * @param imag the imaginary part
     */
    public void putImag(double imag) {
        buffer.put(place + 1, imag);
    }
}
