/* SPDX-License-Identifier: Apache-2.0 */
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntFunction;

/** Doubles in a direct buffer or an array, written and read as c/lines.h says. */
interface LineData {
    int LINE = 64;

    /** The buffer or array. */
    Object memory();

    /** How many doubles. */
    int count();

    /** Writes {@code turn + offset} into the first double of each cache line. */
    void write(int turn);

    /** Returns how far the first double of each line is off from {@code times} that value. */
    double read(int turn, int times);

    void set(int index, double value);

    double get(int index);

    /** Sets each to a value that tells its place and the seed. */
    default void fill(double seed) {
        for (int i = 0; i < count(); i++) {
            set(i, i * 7.0 + seed);
        }
    }

    /** Whether each is that value: of one, or summed up over several ranks. */
    default boolean holds(int times, double seed) {
        boolean holds = true;
        for (int i = 0; i < count(); i++) {
            holds &= get(i) == times * i * 7.0 + seed;
        }
        return holds;
    }

    /** In an array, or in memory that the library gives. */
    static LineData of(String buffers, int bytes, IntFunction<ByteBuffer> allocate) {
        return buffers.equals("array") ? new Doubles(bytes) : new Direct(allocate.apply(bytes));
    }

    final class Direct implements LineData {
        private final ByteBuffer data;

        private Direct(ByteBuffer memory) {
            data = memory.order(ByteOrder.nativeOrder());
        }

        @Override
        public ByteBuffer memory() {
            return data;
        }

        @Override
        public int count() {
            return data.capacity() / Double.BYTES;
        }

        @Override
        public void write(int turn) {
            for (int at = 0; at + Double.BYTES <= data.capacity(); at += LINE) {
                data.putDouble(at, turn + at);
            }
        }

        @Override
        public double read(int turn, int times) {
            double off = 0;
            for (int at = 0; at + Double.BYTES <= data.capacity(); at += LINE) {
                off += Math.abs(data.getDouble(at) - (double) times * (turn + at));
            }
            return off;
        }

        @Override
        public void set(int index, double value) {
            data.putDouble(index * Double.BYTES, value);
        }

        @Override
        public double get(int index) {
            return data.getDouble(index * Double.BYTES);
        }
    }

    final class Doubles implements LineData {
        private static final int STEP = LINE / Double.BYTES;

        private final double[] data;

        private Doubles(int bytes) {
            data = new double[bytes / Double.BYTES];
        }

        @Override
        public double[] memory() {
            return data;
        }

        @Override
        public int count() {
            return data.length;
        }

        @Override
        public void write(int turn) {
            for (int i = 0; i < data.length; i += STEP) {
                data[i] = turn + i;
            }
        }

        @Override
        public double read(int turn, int times) {
            double off = 0;
            for (int i = 0; i < data.length; i += STEP) {
                off += Math.abs(data[i] - (double) times * (turn + i));
            }
            return off;
        }

        @Override
        public void set(int index, double value) {
            data[index] = value;
        }

        @Override
        public double get(int index) {
            return data[index];
        }
    }
}
