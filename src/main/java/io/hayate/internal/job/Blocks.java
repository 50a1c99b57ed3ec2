// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

/**
 * Blocks of memory at a constant distance, the same part of each row of a two-dimensional array, or
 * several memories one behind the other, as native code reads them. Immutable.
 */
public final class Blocks {
    /** The {@code start} of a {@link Memory} whose {@code array} are blocks. */
    public static final long START = Long.MIN_VALUE;

    /** The {@code stride} of joined memories. */
    static final long JOINED = -1;

    /**
     * A primitive array, an array of such arrays (rows), null: native memory, or an array of
     * {@link Memory} that are joined.
     */
    final Object array;
    /**
     * The address, or the offset in bytes from the first element of the array or of each row, with
     * the type of the elements as {@link Memory#at} returns it.
     */
    final long start;
    final long block;
    /** Bytes from one block to the next; 0 for rows; {@link #JOINED}. */
    final long stride;
    final int count;

    Blocks(Object array, long start, long block, long stride, int count) {
        this.array = array;
        this.start = start;
        this.block = block;
        this.stride = stride;
        this.count = count;
    }
}
