// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import io.hayate.internal.Errors;
import java.nio.ByteBuffer;

/**
 * Buffers over memory that may be longer than a buffer can be. They begin each 2^30 bytes and are a
 * long longer, so that no element is on an edge.
 */
public final class Windows {
    private static final int SHIFT = 30;
    private static final long BYTES = (1L << SHIFT) + Long.BYTES;
    private static final long MASK = (1L << SHIFT) - 1;

    /** Makes a buffer over a part of the memory. */
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

    /** That of an element, which is at {@link #index} there. */
    public static ByteBuffer of(ByteBuffer[] all, long offset) {
        return all[(int) (offset >> SHIFT)];
    }

    public static int index(long offset) {
        return (int) (offset & MASK);
    }

    /** In the order of new buffers; {@code null}: no window has all of it. */
    public static ByteBuffer slice(ByteBuffer[] all, long offset, int bytes) {
        int number = (int) (offset >> SHIFT);
        int from = index(offset);
        return number < all.length && bytes <= all[number].capacity() - from
                ? all[number].slice(from, bytes) : null;
    }

    /** Length of one buffer over all of the memory. */
    public static int whole(long bytes) {
        if (bytes > Integer.MAX_VALUE) {
            throw Errors.argument(bytes + " bytes: a buffer has at most " + Integer.MAX_VALUE
                    + "; ask for a part by buffer(offset, bytes)");
        }
        return (int) bytes;
    }

    /** Of a range of memory that has so many bytes. */
    public static void requireWithin(long offset, long length, long bytes, String memory) {
        if ((offset | length) < 0 || offset > bytes - length) {
            throw Errors.argument(length + " bytes from " + offset + ": the " + memory + " has "
                    + bytes);
        }
    }
}
