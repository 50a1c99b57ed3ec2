// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import java.nio.ByteBuffer;

/** Native memory. Nothing is checked here. */
public final class MemoryBinding {
    private MemoryBinding() {
    }

    /** A direct buffer over memory that the caller keeps mapped; big endian, as all new buffers. */
    public static native ByteBuffer buffer(long address, long bytes);

    /** Where a direct buffer begins (index 0). */
    public static native long address(ByteBuffer buffer);

    public static native void copy(long to, long from, long bytes);

    /** An address inside the library, to be compared with {@link SetupBinding#identity()}. */
    public static native long identity();
}
