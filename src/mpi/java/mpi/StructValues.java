// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;

/** The values of the fields of a struct in a buffer. Fields are named by their offsets. */
abstract class StructValues {
    ByteBuffer buffer;
    /** The beginning of the struct in the buffer. */
    int offset;

    StructValues() {
    }

    /** Returns the place of an element of a field in the buffer. */
    abstract int at(int field, int index, Datatype member);

    /**
     * Reads a byte.
     *
     * @param field its offset
     * @return the value
     */
    protected final byte getByte(int field) {
        return getByte(field, 0);
    }

    /**
     * Reads an element of an array of bytes.
     *
     * @param field the offset of the array
     * @param index the element
     * @return the value
     */
    protected final byte getByte(int field, int index) {
        return buffer.get(at(field, index, Types.BYTE));
    }

    /**
     * Writes a byte.
     *
     * @param field its offset
     * @param value the value
     */
    protected final void putByte(int field, byte value) {
        putByte(field, 0, value);
    }

    /**
     * Writes an element of an array of bytes.
     *
     * @param field the offset of the array
     * @param index the element
     * @param value the value
     */
    protected final void putByte(int field, int index, byte value) {
        buffer.put(at(field, index, Types.BYTE), value);
    }

    /**
     * Reads a char.
     *
     * @param field its offset
     * @return the value
     */
    protected final char getChar(int field) {
        return getChar(field, 0);
    }

    /**
     * Reads an element of an array of chars.
     *
     * @param field the offset of the array
     * @param index the element
     * @return the value
     */
    protected final char getChar(int field, int index) {
        return buffer.getChar(at(field, index, Types.CHAR));
    }

    /**
     * Writes a char.
     *
     * @param field its offset
     * @param value the value
     */
    protected final void putChar(int field, char value) {
        putChar(field, 0, value);
    }

    /**
     * Writes an element of an array of chars.
     *
     * @param field the offset of the array
     * @param index the element
     * @param value the value
     */
    protected final void putChar(int field, int index, char value) {
        buffer.putChar(at(field, index, Types.CHAR), value);
    }

    /**
     * Reads a short.
     *
     * @param field its offset
     * @return the value
     */
    protected final short getShort(int field) {
        return getShort(field, 0);
    }

    /**
     * Reads an element of an array of shorts.
     *
     * @param field the offset of the array
     * @param index the element
     * @return the value
     */
    protected final short getShort(int field, int index) {
        return buffer.getShort(at(field, index, Types.SHORT));
    }

    /**
     * Writes a short.
     *
     * @param field its offset
     * @param value the value
     */
    protected final void putShort(int field, short value) {
        putShort(field, 0, value);
    }

    /**
     * Writes an element of an array of shorts.
     *
     * @param field the offset of the array
     * @param index the element
     * @param value the value
     */
    protected final void putShort(int field, int index, short value) {
        buffer.putShort(at(field, index, Types.SHORT), value);
    }

    /**
     * Reads an int.
     *
     * @param field its offset
     * @return the value
     */
    protected final int getInt(int field) {
        return getInt(field, 0);
    }

    /**
     * Reads an element of an array of ints.
     *
     * @param field the offset of the array
     * @param index the element
     * @return the value
     */
    protected final int getInt(int field, int index) {
        return buffer.getInt(at(field, index, Types.INT));
    }

    /**
     * Writes an int.
     *
     * @param field its offset
     * @param value the value
     */
    protected final void putInt(int field, int value) {
        putInt(field, 0, value);
    }

    /**
     * Writes an element of an array of ints.
     *
     * @param field the offset of the array
     * @param index the element
     * @param value the value
     */
    protected final void putInt(int field, int index, int value) {
        buffer.putInt(at(field, index, Types.INT), value);
    }

    /**
     * Reads a long.
     *
     * @param field its offset
     * @return the value
     */
    protected final long getLong(int field) {
        return getLong(field, 0);
    }

    /**
     * Reads an element of an array of longs.
     *
     * @param field the offset of the array
     * @param index the element
     * @return the value
     */
    protected final long getLong(int field, int index) {
        return buffer.getLong(at(field, index, Types.LONG));
    }

    /**
     * Writes a long.
     *
     * @param field its offset
     * @param value the value
     */
    protected final void putLong(int field, long value) {
        putLong(field, 0, value);
    }

    /**
     * Writes an element of an array of longs.
     *
     * @param field the offset of the array
     * @param index the element
     * @param value the value
     */
    protected final void putLong(int field, int index, long value) {
        buffer.putLong(at(field, index, Types.LONG), value);
    }

    /**
     * Reads a float.
     *
     * @param field its offset
     * @return the value
     */
    protected final float getFloat(int field) {
        return getFloat(field, 0);
    }

    /**
     * Reads an element of an array of floats.
     *
     * @param field the offset of the array
     * @param index the element
     * @return the value
     */
    protected final float getFloat(int field, int index) {
        return buffer.getFloat(at(field, index, Types.FLOAT));
    }

    /**
     * Writes a float.
     *
     * @param field its offset
     * @param value the value
     */
    protected final void putFloat(int field, float value) {
        putFloat(field, 0, value);
    }

    /**
     * Writes an element of an array of floats.
     *
     * @param field the offset of the array
     * @param index the element
     * @param value the value
     */
    protected final void putFloat(int field, int index, float value) {
        buffer.putFloat(at(field, index, Types.FLOAT), value);
    }

    /**
     * Reads a double.
     *
     * @param field its offset
     * @return the value
     */
    protected final double getDouble(int field) {
        return getDouble(field, 0);
    }

    /**
     * Reads an element of an array of doubles.
     *
     * @param field the offset of the array
     * @param index the element
     * @return the value
     */
    protected final double getDouble(int field, int index) {
        return buffer.getDouble(at(field, index, Types.DOUBLE));
    }

    /**
     * Writes a double.
     *
     * @param field its offset
     * @param value the value
     */
    protected final void putDouble(int field, double value) {
        putDouble(field, 0, value);
    }

    /**
     * Writes an element of an array of doubles.
     *
     * @param field the offset of the array
     * @param index the element
     * @param value the value
     */
    protected final void putDouble(int field, int index, double value) {
        buffer.putDouble(at(field, index, Types.DOUBLE), value);
    }
}
