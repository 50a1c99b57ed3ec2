// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A page-aligned, zeroed buffer of one of the kinds, and its bytes. All ranks create the same
 * buffers.
 */
abstract class Memory {
    private static final int PAGE = 4096;
    private static final int LINE = 64;

    private final Span all;

    private Memory(Span all) {
        this.all = all;
    }

    static Memory of(Hayate job, Buffers kind, long bytes) {
        long rounded = Math.max(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
        return switch (kind) {
            case HEAP -> ofHeap(job.allocate(rounded));
            case DIRECT -> new Native(aligned((int) rounded));
            case ARRAY -> new OfDoubles(new double[(int) (rounded / Double.BYTES)]);
        };
    }

    private static Memory ofHeap(HeapSpan span) {
        Memory memory = new Native(span, span.buffer(0, (int) span.bytes()));
        memory.fill(0, (int) span.bytes(), 0);
        return memory;
    }

    private static ByteBuffer aligned(int bytes) {
        return ByteBuffer.allocateDirect(bytes + PAGE).alignedSlice(PAGE).limit(bytes).slice();
    }

    /** Returns a part of it as a span. */
    final Span span(int from, int bytes) {
        return all.slice(from, bytes);
    }

    abstract void putByte(int at, int value);

    abstract int getByte(int at);

    abstract void putDouble(int index, double value);

    abstract double getDouble(int index);

    /** Writes {@code turn + offset} into the first double of each line of a part. */
    abstract void writeLines(int from, int bytes, long turn);

    /**
     * Returns how far the first doubles of the lines of a part are off {@code times} what
     * writeLines writes.
     */
    abstract double readLines(int from, int bytes, long turn, double times);

    final void fill(int from, int bytes, int value) {
        for (int i = 0; i < bytes; i++) {
            putByte(from + i, value);
        }
    }

    /** Writes bytes that depend on their offset and a seed. */
    final void fillPattern(int from, int bytes, int seed) {
        for (int i = 0; i < bytes; i++) {
            putByte(from + i, pattern(i, seed));
        }
    }

    final boolean hasPattern(int from, int bytes, int seed) {
        for (int i = 0; i < bytes; i++) {
            if (getByte(from + i) != pattern(i, seed)) {
                return false;
            }
        }
        return true;
    }

    private static int pattern(int i, int seed) {
        return i * 7 + (i >> 8) + seed & 0xff;
    }

    private static final class Native extends Memory {
        private final ByteBuffer data;

        Native(ByteBuffer data) {
            this(Span.of(data), data);
        }

        Native(Span span, ByteBuffer data) {
            super(span);
            this.data = data.order(ByteOrder.nativeOrder());
        }

        @Override
        void putByte(int at, int value) {
            data.put(at, (byte) value);
        }

        @Override
        int getByte(int at) {
            return data.get(at) & 0xff;
        }

        @Override
        void putDouble(int index, double value) {
            data.putDouble(index * Double.BYTES, value);
        }

        @Override
        double getDouble(int index) {
            return data.getDouble(index * Double.BYTES);
        }

        @Override
        void writeLines(int from, int bytes, long turn) {
            ByteBuffer to = data;
            int end = from + bytes - Double.BYTES;
            for (int at = from; at <= end; at += LINE) {
                to.putDouble(at, turn - from + at);
            }
        }

        @Override
        double readLines(int from, int bytes, long turn, double times) {
            ByteBuffer of = data;
            int end = from + bytes - Double.BYTES;
            double off = 0;
            for (int at = from; at <= end; at += LINE) {
                off += Math.abs(of.getDouble(at) - times * (turn - from + at));
            }
            return off;
        }
    }

    /** Writes doubles as bytes in the order of the machine: on x86 the lowest comes first. */
    private static final class OfDoubles extends Memory {
        private final double[] data;

        OfDoubles(double[] data) {
            super(Span.of(data));
            this.data = data;
        }

        @Override
        void putByte(int at, int value) {
            long bits = Double.doubleToRawLongBits(data[at / Double.BYTES]);
            int shift = at % Double.BYTES * Byte.SIZE;
            data[at / Double.BYTES] =
                    Double.longBitsToDouble(bits & ~(0xffL << shift) | (long) value << shift);
        }

        @Override
        int getByte(int at) {
            long bits = Double.doubleToRawLongBits(data[at / Double.BYTES]);
            return (int) (bits >>> at % Double.BYTES * Byte.SIZE & 0xff);
        }

        @Override
        void putDouble(int index, double value) {
            data[index] = value;
        }

        @Override
        double getDouble(int index) {
            return data[index];
        }

        @Override
        void writeLines(int from, int bytes, long turn) {
            double[] to = data;
            int first = from / Double.BYTES;
            int end = first + bytes / Double.BYTES;
            for (int i = first; i < end; i += LINE / Double.BYTES) {
                to[i] = turn - from + (long) i * Double.BYTES;
            }
        }

        @Override
        double readLines(int from, int bytes, long turn, double times) {
            double[] of = data;
            int first = from / Double.BYTES;
            int end = first + bytes / Double.BYTES;
            double off = 0;
            for (int i = first; i < end; i += LINE / Double.BYTES) {
                off += Math.abs(of[i] - times * (turn - from + (long) i * Double.BYTES));
            }
            return off;
        }
    }
}
