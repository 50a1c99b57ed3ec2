// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/** Access to native memory, without any checks. */
public final class MemoryBinding {
    /** The types of arrays, as native code expects them in a start, above the offset. */
    public static final int BYTES = 1;
    public static final int INTS = 2;
    public static final int LONGS = 3;
    public static final int FLOATS = 4;
    public static final int DOUBLES = 5;
    public static final int SHORTS = 6;
    public static final int CHARS = 7;
    public static final int BOOLEANS = 8;
    public static final int ELEMENTS_SHIFT = 56;

    private MemoryBinding() {
    }

    /**
     * Creates a direct buffer over memory that the caller keeps mapped; big endian, like all new
     * buffers.
     */
    public static native ByteBuffer buffer(long address, long bytes);

    /** Returns the address of a direct buffer (of index 0). */
    public static native long address(Buffer buffer);

    public static native void copy(long to, long from, long bytes);

    /**
     * Returns an address inside the library, for comparison with {@link SetupBinding#identity()}.
     */
    public static native long identity();
}
