// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Pairs of two ints, as MPI.INT2 has them, in a byte buffer. */
public final class Int2 extends Struct {
    private final int value;
    private final int index;

    /**
     * Creates the struct. Programs use {@code MPI.int2}.
     *
     * @param intOff the offset of the index
     * @param intSize the bytes of the index: 4
     */
    protected Int2(int intOff, int intSize) {
        assert intSize == Integer.BYTES;
        value = addInt();
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
        public int getValue() {
            return getInt(value);
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
        public void putValue(int newValue) {
            putInt(value, newValue);
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
