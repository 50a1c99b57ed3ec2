// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import io.hayate.Element;
import io.hayate.internal.errors.Errors;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/** What the buffers of the JDK have in common, but not in their common class. */
final class Buffers {
    /** Whether memory that a program has freed can be behind a direct buffer. */
    static final boolean HAVE_ARENAS = Runtime.version().feature() >= 22;

    private Buffers() {
    }

    /** Returns the type of the elements; null: bytes of any meaning. */
    static Element element(Buffer buffer) {
        if (buffer instanceof ByteBuffer) {
            return null;
        }
        if (order(buffer) != ByteOrder.nativeOrder()) {
            throw Errors.argument("a buffer of " + order(buffer) + ": Hayate moves elements as"
                    + " they are in memory; expected order(ByteOrder.nativeOrder()) on the"
                    + " ByteBuffer behind it");
        }
        return buffer instanceof DoubleBuffer ? Element.DOUBLE
                : buffer instanceof IntBuffer ? Element.INT
                : buffer instanceof LongBuffer ? Element.LONG
                : buffer instanceof FloatBuffer ? Element.FLOAT
                : buffer instanceof ShortBuffer ? Element.SHORT : Element.CHAR;
    }

    private static ByteOrder order(Buffer buffer) {
        return buffer instanceof DoubleBuffer doubles ? doubles.order()
                : buffer instanceof IntBuffer ints ? ints.order()
                : buffer instanceof LongBuffer longs ? longs.order()
                : buffer instanceof FloatBuffer floats ? floats.order()
                : buffer instanceof ShortBuffer shorts ? shorts.order()
                : ((CharBuffer) buffer).order();
    }

    /** Returns the array of a buffer that is not direct. */
    static Object array(Buffer buffer) {
        if (!buffer.hasArray()) {
            throw Errors.argument("a buffer that is not direct, and read-only or a view of another"
                    + " one: expected a direct buffer, or one with an accessible array");
        }
        return buffer.array();
    }

    /**
     * Returns whether the memory of a direct buffer exists, and this thread may access it. A buffer
     * over a memory segment ends with its arena, which a read detects.
     */
    static boolean isAlive(Buffer buffer) {
        if (!HAVE_ARENAS || buffer.capacity() == 0) {
            return true;
        }
        try {
            read(buffer.limit() > 0 ? buffer : buffer.duplicate().clear());
            return true;
        } catch (RuntimeException closed) {
            return false;
        }
    }

    private static void read(Buffer buffer) {
        if (buffer instanceof ByteBuffer bytes) {
            bytes.get(0);
        } else if (buffer instanceof DoubleBuffer doubles) {
            doubles.get(0);
        } else if (buffer instanceof IntBuffer ints) {
            ints.get(0);
        } else if (buffer instanceof LongBuffer longs) {
            longs.get(0);
        } else if (buffer instanceof FloatBuffer floats) {
            floats.get(0);
        } else if (buffer instanceof ShortBuffer shorts) {
            shorts.get(0);
        } else if (buffer instanceof CharBuffer chars) {
            chars.get(0);
        }
    }
}
