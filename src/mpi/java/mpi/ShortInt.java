// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Pairs of a short and an int, as MPI.SHORT_INT has them, in a byte buffer. */
public final class ShortInt extends Struct {
    private final int value;
    private final int index;

    /**
     * Creates the struct. Programs use {@code MPI.shortInt}.
     *
     * @param shortSize the bytes of the value: 2
     * @param intOff the offset of the index
     * @param intSize the bytes of the index: 4
     */
    protected ShortInt(int shortSize, int intOff, int intSize) {
        assert shortSize == Short.BYTES && intSize == Integer.BYTES;
        value = addShort();
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
        public short getValue() {
            return getShort(value);
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
        public void putValue(short newValue) {
            putShort(value, newValue);
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
