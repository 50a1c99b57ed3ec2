// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/** A complex number in a buffer: its real part, then its imaginary part. */
public final class FloatComplex {
    private final FloatBuffer buffer;
    private final int place;

    private FloatComplex(FloatBuffer buffer, int index) {
        this.buffer = buffer;
        place = Math.multiplyExact(2, index);
    }

    /**
     * Accesses the first number of a buffer.
     *
     * @param buffer the buffer, from index 0
     * @return the number
     */
    public static FloatComplex get(FloatBuffer buffer) {
        return get(buffer, 0);
    }

    /**
     * Accesses a number of a buffer.
     *
     * @param buffer the buffer, from index 0
     * @param index the number, from 0
     * @return the number
     */
    public static FloatComplex get(FloatBuffer buffer, int index) {
        return new FloatComplex(buffer, index);
    }

    /**
     * Accesses the first number of an array.
     *
     * @param array the array
     * @return the number
     */
    public static FloatComplex get(float[] array) {
        return get(array, 0);
    }

    /**
     * Accesses a number of an array.
     *
     * @param array the array
     * @param index the number, from 0
     * @return the number
     */
    public static FloatComplex get(float[] array, int index) {
        return new FloatComplex(FloatBuffer.wrap(array), index);
    }

    /**
     * Accesses the first number of a buffer.
     *
     * @param buffer the buffer, from its position on, in the byte order of the machine
     * @return the number
     */
    public static FloatComplex get(ByteBuffer buffer) {
        return get(buffer, 0);
    }

    /**
     * Accesses a number of a buffer.
     *
     * @param buffer the buffer, from its position on, in the byte order of the machine
     * @param index the number, from 0
     * @return the number
     */
    public static FloatComplex get(ByteBuffer buffer, int index) {
        return new FloatComplex(buffer.asFloatBuffer(), index);
    }

    /** {@return the buffer from this number on} */
    public FloatBuffer getBuffer() {
        return place == 0 ? buffer : Buffers.slice(buffer, place);
    }

    /** {@return the real part} */
    public float getReal() {
        return buffer.get(place);
    }

    /** {@return the imaginary part} */
    public float getImag() {
        return buffer.get(place + 1);
    }

    /**
     * Writes the real part.
     *
     * @param real the real part
     */
    public void putReal(float real) {
        buffer.put(place, real);
    }

    /**
     * Writes the imaginary part.
     *
     * @param imag the imaginary part
     */
    public void putImag(float imag) {
        buffer.put(place + 1, imag);
    }
}
