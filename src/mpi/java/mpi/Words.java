// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * Words of 4 or 8 bytes, as the bits that are in memory: in buffers of the program, and in memory
 * of a window that is mapped here, which takes half the time that a call of native code takes.
 */
final class Words {
    private static final ByteOrder NATIVE = ByteOrder.nativeOrder();
    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, NATIVE);
    private static final VarHandle INTS =
            MethodHandles.byteBufferViewVarHandle(int[].class, NATIVE);

    private Words() {
    }

    /** Says whether so many bytes are a word, with which a buffer begins. */
    static boolean isFirst(Buffer buffer, long bytes) {
        if (bytes == Long.BYTES) {
            return buffer instanceof ByteBuffer
                    || buffer instanceof LongBuffer longs && longs.order() == NATIVE
                    || buffer instanceof DoubleBuffer doubles && doubles.order() == NATIVE;
        }
        return bytes == Integer.BYTES && (buffer instanceof ByteBuffer
                || buffer instanceof IntBuffer ints && ints.order() == NATIVE
                || buffer instanceof FloatBuffer floats && floats.order() == NATIVE);
    }

    /** Returns the first word of a buffer, with zeros above. */
    static long load(Buffer buffer, long bytes) {
        if (bytes == Long.BYTES) {
            return buffer instanceof ByteBuffer words ? (long) LONGS.get(words, 0)
                    : buffer instanceof LongBuffer longs ? longs.get(0)
                    : Double.doubleToRawLongBits(((DoubleBuffer) buffer).get(0));
        }
        int word = buffer instanceof ByteBuffer words ? (int) INTS.get(words, 0)
                : buffer instanceof IntBuffer ints ? ints.get(0)
                : Float.floatToRawIntBits(((FloatBuffer) buffer).get(0));
        return Integer.toUnsignedLong(word);
    }

    /** Stores the first word of a buffer. */
    static void store(Buffer buffer, long bytes, long word) {
        if (bytes == Long.BYTES) {
            if (buffer instanceof ByteBuffer words) {
                LONGS.set(words, 0, word);
            } else if (buffer instanceof LongBuffer longs) {
                longs.put(0, word);
            } else {
                ((DoubleBuffer) buffer).put(0, Double.longBitsToDouble(word));
            }
        } else if (buffer instanceof ByteBuffer words) {
            INTS.set(words, 0, (int) word);
        } else if (buffer instanceof IntBuffer ints) {
            ints.put(0, (int) word);
        } else {
            ((FloatBuffer) buffer).put(0, Float.intBitsToFloat((int) word));
        }
    }

    /**
     * Stores a word of mapped memory, which is aligned. Not a plain store, so that the compiler
     * does not move it behind a flush.
     */
    static void put(ByteBuffer memory, int at, long bytes, long word) {
        if (bytes == Long.BYTES) {
            LONGS.setOpaque(memory, at, word);
        } else {
            INTS.setOpaque(memory, at, (int) word);
        }
    }

    /** Loads one; not plain, so that the compiler does not move it out of a loop. */
    static long get(ByteBuffer memory, int at, long bytes) {
        return bytes == Long.BYTES ? (long) LONGS.getOpaque(memory, at)
                : Integer.toUnsignedLong((int) INTS.getOpaque(memory, at));
    }
}
