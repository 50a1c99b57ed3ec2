// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.Cartesian;
import io.hayate.HaloExchange;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/**
 * A block of a global array of which every element is known from its global index: what an exchange
 * has to bring into the halo.
 */
public final class HaloModel implements AutoCloseable {
    private static final byte UNTOUCHED = 0x5a;

    final Cartesian grid;
    final int[] extents;
    final int width;
    final int elementBytes;
    final Span span;
    private final boolean corners;
    private final int[] first; // global index of the first own element
    private final int[] global; // extents of the global array
    private final ByteBuffer memory;
    private final Runnable release;

    /** All ranks draw the same numbers. */
    public HaloModel(Hayate job, Cartesian grid, Random random, boolean corners) {
        this.grid = grid;
        this.corners = corners;
        int n = grid.dimensions();
        width = 1 + random.nextInt(3);
        elementBytes = new int[] {1, 4, 8, 24}[random.nextInt(4)];
        extents = new int[n];
        first = new int[n];
        global = new int[n];
        int bytes = elementBytes;
        for (int d = 0; d < n; d++) {
            for (int c = 0; c < grid.extent(d); c++) {
                int part = width + random.nextInt(4);
                extents[d] = c == grid.coordinates()[d] ? part : extents[d];
                first[d] += c < grid.coordinates()[d] ? part : 0;
                global[d] += part;
            }
            bytes *= extents[d] + 2 * width;
        }
        switch (random.nextInt(3)) {
            case 0 -> {
                HeapSpan heap = job.allocate(bytes);
                memory = heap.buffer();
                span = heap;
                release = heap::close;
            }
            case 1 -> {
                memory = ByteBuffer.allocateDirect(bytes);
                span = Span.of(memory);
                release = () -> { };
            }
            default -> {
                byte[] array = new byte[bytes];
                memory = ByteBuffer.wrap(array);
                span = Span.of(array);
                release = () -> { };
            }
        }
    }

    public HaloExchange open(int mai) {
        return corners ? HaloExchange.withCorners(grid, span, elementBytes, extents, width, mai)
                : HaloExchange.ofFaces(grid, span, elementBytes, extents, width, mai);
    }

    private interface Visitor {
        /** With the local index of an element, from -width on, and its number in memory. */
        void visit(int[] index, int number);
    }

    private void each(Visitor visitor) {
        int[] index = new int[extents.length];
        Arrays.fill(index, -width);
        int count = memory.capacity() / elementBytes;
        for (int number = 0; number < count; number++) {
            visitor.visit(index, number);
            for (int d = extents.length - 1; d >= 0 && ++index[d] == extents[d] + width; d--) {
                index[d] = -width;
            }
        }
    }

    private int depth(int[] index) {
        int outside = 0;
        for (int d = 0; d < extents.length; d++) {
            outside += index[d] < 0 || index[d] >= extents[d] ? 1 : 0;
        }
        return outside;
    }

    private byte value(int[] index, int round, int part) {
        int hash = round;
        for (int d = 0; d < extents.length; d++) {
            int at = first[d] + index[d];
            if (grid.isPeriodic(d)) {
                at = Math.floorMod(at, global[d]);
            } else if (at < 0 || at >= global[d]) {
                return UNTOUCHED;
            }
            hash = hash * 31 + at;
        }
        return (byte) ((hash * 0x9E3779B9) >>> 24 + part % 8);
    }

    public void fill(int round) {
        each((index, number) -> {
            for (int part = 0; part < elementBytes; part++) {
                memory.put(number * elementBytes + part,
                        depth(index) > 0 ? UNTOUCHED : value(index, round, part));
            }
        });
    }

    public void check(int round) {
        each((index, number) -> {
            int depth = depth(index);
            boolean open = !corners && depth > 1;
            if (open && extents.length > 2) {
                return; // no particular value
            }
            for (int part = 0; part < elementBytes; part++) {
                byte expected = open ? UNTOUCHED : value(index, round, part);
                byte actual = memory.get(number * elementBytes + part);
                if (expected != actual) {
                    throw new AssertionError(this + ", element " + Arrays.toString(index)
                            + ", round " + round + ": " + actual + ", expected " + expected);
                }
            }
        });
    }

    @Override
    public String toString() {
        return grid + ", " + Arrays.toString(extents) + " of " + elementBytes + " bytes, width "
                + width + (corners ? ", corners, " : ", ") + span;
    }

    @Override
    public void close() {
        release.run();
    }
}
