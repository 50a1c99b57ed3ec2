// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.grid;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Memory;
import java.util.Arrays;

/**
 * Where the faces of a block are: the block has a halo of constant width around it, and is stored
 * row by row, so that the last dimension is contiguous. A face is a layer as wide as the halo.
 * Across the other dimensions it includes their halo where blocks at a constant stride cannot leave
 * it out.
 */
public final class HaloLayout {
    private final Memory block;
    private final int elementBytes;
    private final int[] extents;
    private final int width;
    private final boolean corners;
    /** Elements with halo, of each dimension. */
    private final long[] padded;
    /** Bytes from one element to the next, along each dimension. */
    private final long[] strides;

    /** Describes a block; it has to fill its memory. */
    public HaloLayout(Memory block, int elementBytes, int[] extents, int width, boolean corners) {
        this.block = block;
        this.elementBytes = elementBytes;
        this.extents = extents.clone();
        this.width = width;
        this.corners = corners;
        int n = extents.length;
        padded = new long[n];
        strides = new long[n];
        requirePositive(elementBytes, "elementBytes");
        requirePositive(width, "width");
        long bytes = elementBytes;
        for (int d = n - 1; d >= 0; d--) {
            if (extents[d] < width) {
                throw Errors.argument("a block of " + Arrays.toString(extents) + " with a halo of "
                        + width + ": expected at least " + width + " elements in each dimension");
            }
            padded[d] = extents[d] + 2L * width;
            strides[d] = bytes;
            bytes = times(bytes, padded[d]);
        }
        if (block.bytes != bytes) {
            throw Errors.argument("memory of " + block.bytes + " bytes for a block of "
                    + Arrays.toString(extents) + ": with a halo of " + width + " around it, it has "
                    + Arrays.toString(padded) + " elements of " + elementBytes + " bytes, "
                    + bytes + " bytes");
        }
    }

    private static void requirePositive(int value, String name) {
        if (value < 1) {
            throw Errors.argument(name + " " + value + ": expected 1 or more");
        }
    }

    private static long times(long bytes, long count) {
        return bytes > Long.MAX_VALUE / count ? Long.MAX_VALUE : bytes * count;
    }

    int dimensions() {
        return extents.length;
    }

    /** Returns the elements at a side of a dimension that the neighbour there needs. */
    Memory edge(int dimension, boolean high) {
        return layer(dimension, high ? extents[dimension] : width);
    }

    /** Returns the halo at a side of a dimension, which the neighbour there fills. */
    Memory halo(int dimension, boolean high) {
        return layer(dimension, high ? extents[dimension] + (long) width : 0);
    }

    /** Returns the layer that begins with an index of a dimension. */
    private Memory layer(int d, long index) {
        long offset = index * strides[d];
        if (d > 0) {
            boolean inner = !corners;
            long count = inner ? extents[0] : padded[0];
            for (int i = 1; i < d; i++) {
                count *= padded[i];
            }
            long start = offset + (inner ? width * strides[0] : 0);
            return block.strided(start, width * strides[d], strides[d - 1], count);
        }
        if (extents.length == 1 || corners) {
            return block.slice(offset, width * strides[0]);
        }
        return block.strided(
                offset + width * strides[1], extents[1] * strides[1], strides[0], width);
    }

    /** Returns what two neighbours along a dimension have to agree on. */
    long[] agreement(int dimension) {
        long[] words = new long[3 + extents.length];
        words[0] = elementBytes;
        words[1] = width;
        words[2] = corners ? 1 : 0;
        for (int d = 0; d < extents.length; d++) {
            words[3 + d] = d == dimension ? 0 : extents[d];
        }
        return words;
    }

    Memory block() {
        return block;
    }

    /** Tells how the neighbours exchange: dimension by dimension, or all at once. */
    boolean corners() {
        return corners;
    }

    @Override
    public String toString() {
        return Arrays.toString(extents) + " elements of " + elementBytes + " bytes, halo of "
                + width + (corners ? " with corners" : "");
    }
}
