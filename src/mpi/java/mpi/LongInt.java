// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Pairs of a long and an int, as MPI.LONG_INT has them, in a byte buffer. */
public final class LongInt extends Struct {
    private final int value;
    private final int index;

    /**
     * Creates the struct. Programs use {@code MPI.longInt}.
     *
     * @param longSize the bytes of the value: 8
     * @param intOff the offset of the index
     * @param intSize the bytes of the index: 4
     */
    protected LongInt(int longSize, int intOff, int intSize) {
        assert longSize == Long.BYTES && intSize == Integer.BYTES;
        value = addLong();
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
        public long getValue() {
            return getLong(value);
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
        public void putValue(long newValue) {
            putLong(value, newValue);
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
