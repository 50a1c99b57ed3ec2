// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.grid;

import io.hayate.internal.errors.Errors;
import java.util.Arrays;

/** The extents of a grid, and the arithmetic of ranks and coordinates. Immutable. */
public final class GridShape {
    /** Stands for the rank beyond an edge: the number with which messages are none. */
    public static final int NONE = -2;

    private final int[] extents;
    private final boolean[] periodic;
    private final int size;

    /** Describes a grid of {@code size} ranks. No flags: no dimension is periodic. */
    public GridShape(int size, int[] extents, boolean[] periodic) {
        this.size = size;
        if (extents.length == 0) {
            throw Errors.argument("a grid without dimensions: expected 1 or more");
        }
        if (periodic.length != 0 && periodic.length != extents.length) {
            throw Errors.argument("periodic has " + periodic.length
                    + " flags: expected one for each of the " + extents.length + " dimensions");
        }
        this.extents = GridDims.complete(size, extents);
        this.periodic = Arrays.copyOf(periodic, extents.length);
    }

    private GridShape(GridShape whole, int[] kept) {
        extents = Arrays.stream(kept).map(d -> whole.extents[d]).toArray();
        size = Arrays.stream(extents).reduce(1, (a, b) -> a * b);
        periodic = new boolean[kept.length];
        for (int i = 0; i < kept.length; i++) {
            periodic[i] = whole.periodic[kept[i]];
        }
    }

    /** Returns the shape of a part that has some of the dimensions, in ascending order. */
    public GridShape along(int... kept) {
        int before = -1;
        if (Errors.required(kept, "dimensions").length == 0) {
            throw Errors.argument("no dimensions: expected 1 or more");
        }
        for (int dimension : kept) {
            if (requireDimension(dimension) <= before) {
                throw Errors.argument("dimensions " + Arrays.toString(kept)
                        + ": expected each of them once, in ascending order");
            }
            before = dimension;
        }
        return new GridShape(this, kept);
    }

    public int dimensions() {
        return extents.length;
    }

    public int[] extents() {
        return extents.clone();
    }

    public int extent(int dimension) {
        return extents[requireDimension(dimension)];
    }

    public boolean isPeriodic(int dimension) {
        return periodic[requireDimension(dimension)];
    }

    private int requireDimension(int dimension) {
        if (dimension < 0 || dimension >= extents.length) {
            throw Errors.argument(
                    "dimension " + dimension + ": expected 0 to " + (extents.length - 1));
        }
        return dimension;
    }

    /** Returns where a rank is; the last coordinate varies fastest. */
    public int[] coordinates(int rank) {
        if (rank < 0 || rank >= size) {
            throw Errors.argument("rank " + rank + ": expected 0 to " + (size - 1));
        }
        int[] all = new int[extents.length];
        int rest = rank;
        for (int d = extents.length - 1; d >= 0; d--) {
            all[d] = rest % extents[d];
            rest /= extents[d];
        }
        return all;
    }

    /** Returns the rank at coordinates, or NONE beyond an edge. */
    public int rankAt(int... coordinates) {
        if (Errors.required(coordinates, "coordinates").length != extents.length) {
            throw Errors.argument(coordinates.length + " coordinates: expected "
                    + extents.length + ", one for each dimension");
        }
        int rank = 0;
        for (int d = 0; d < extents.length; d++) {
            int at = periodic[d] ? Math.floorMod(coordinates[d], extents[d]) : coordinates[d];
            if (at < 0 || at >= extents[d]) {
                return NONE;
            }
            rank = rank * extents[d] + at;
        }
        return rank;
    }

    /** Returns the rank at a distance, or NONE. */
    public int neighbor(int rank, int dimension, int distance) {
        int[] at = coordinates(rank);
        long there = (long) at[requireDimension(dimension)] + distance;
        if (periodic[dimension]) {
            there = Math.floorMod(there, (long) extents[dimension]);
        } else if (there < 0 || there >= extents[dimension]) {
            return NONE;
        }
        at[dimension] = (int) there;
        return rankAt(at);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int d = 0; d < extents.length; d++) {
            text.append(d == 0 ? "" : " x ").append(extents[d]).append(periodic[d] ? "p" : "");
        }
        return text.toString();
    }
}
