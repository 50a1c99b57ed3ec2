// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Pairs of a double and an int, as MPI.DOUBLE_INT has them, in a byte buffer. */
public final class DoubleInt extends Struct {
    private final int value;
    private final int index;

    /**
     * Creates the struct. Programs use {@code MPI.doubleInt}.
     *
     * @param intOff the offset of the index
     * @param intSize the bytes of the index: 4
     */
    protected DoubleInt(int intOff, int intSize) {
        assert intSize == Integer.BYTES;
        value = addDouble();
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
        public double getValue() {
            return getDouble(value);
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
        public void putValue(double newValue) {
            putDouble(value, newValue);
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
