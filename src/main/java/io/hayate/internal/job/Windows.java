// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import io.hayate.internal.errors.Errors;
import java.nio.ByteBuffer;

/**
 * Buffers over memory that may be longer than a single buffer can be. A buffer begins every 2^30
 * bytes and is 8 bytes longer than that, so that no element crosses an edge.
 */
public final class Windows {
    private static final int SHIFT = 30;
    private static final long BYTES = (1L << SHIFT) + Long.BYTES;
    private static final long MASK = (1L << SHIFT) - 1;

    /** Creates a buffer over a part of the memory. */
    public interface Viewer {
        ByteBuffer view(long offset, long length);
    }

    private Windows() {
    }

    public static ByteBuffer[] over(long bytes, Viewer viewer) {
        ByteBuffer[] all = new ByteBuffer[Math.toIntExact((bytes - 1 >> SHIFT) + 1)];
        for (int i = 0; i < all.length; i++) {
            long from = (long) i << SHIFT;
            all[i] = viewer.view(from, Math.min(bytes - from, BYTES));
        }
        return all;
    }

    /** Returns the window of an element, which is at {@link #index} in it. */
    public static ByteBuffer of(ByteBuffer[] all, long offset) {
        return all[(int) (offset >> SHIFT)];
    }

    public static int index(long offset) {
        return (int) (offset & MASK);
    }

    /**
     * Creates the windows, in the byte order of new buffers; {@code null}: no window can cover the
     * memory.
     */
    public static ByteBuffer slice(ByteBuffer[] all, long offset, int bytes) {
        int number = (int) (offset >> SHIFT);
        int from = index(offset);
        return number < all.length && bytes <= all[number].capacity() - from
                ? all[number].slice(from, bytes) : null;
    }

    /** Returns the length of one buffer over the whole memory. */
    public static int whole(long bytes) {
        if (bytes > Integer.MAX_VALUE) {
            throw Errors.argument(bytes + " bytes: a buffer has at most " + Integer.MAX_VALUE + ";"
                    + " use buffer(offset, bytes) for a part");
        }
        return (int) bytes;
    }

    /** Checks a range against the length of the memory. */
    public static void requireWithin(long offset, long length, long bytes, String memory) {
        if ((offset | length) < 0 || offset > bytes - length) {
            throw Errors.argument(length + " bytes from " + offset + ": the " + memory + " has "
                    + bytes + " bytes, and offsets are in bytes");
        }
    }
}
