// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Pairs of a float and an int, as MPI.FLOAT_INT has them, in a byte buffer. */
public final class FloatInt extends Struct {
    private final int value;
    private final int index;

    /**
     * Creates the struct. Programs use {@code MPI.floatInt}.
     *
     * @param intOff the offset of the index
     * @param intSize the bytes of the index: 4
     */
    protected FloatInt(int intOff, int intSize) {
        assert intSize == Integer.BYTES;
        value = addFloat();
        index = setOffset(intOff).addInt();
    }

    @Override
    protected Data newData() {
        return new Data();
    }

    /** Reads and writes a pair in a buffer. */
    public final class Data extends Struct.Data {
        /** Creates an object that {@code getData} connects with a buffer. */
        public Data() {
        }

        /** {@return the value} */
        public float getValue() {
            return getFloat(value);
        }

        /** {@return the index} */
        public int getIndex() {
            return getInt(index);
        }

        /**
         * Writes the value.
         *
         * @param newValue the value
         */
        public void putValue(float newValue) {
            putFloat(value, newValue);
        }

        /**
         * Writes the index.
         *
         * @param newIndex the index
         */
        public void putIndex(int newIndex) {
            putInt(index, newIndex);
        }
    }
}
