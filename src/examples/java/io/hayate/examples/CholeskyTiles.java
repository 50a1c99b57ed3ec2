// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.HeapSpan;
import io.hayate.tasks.Region;
import io.hayate.tasks.TaskGraph;
import java.util.BitSet;

/**
 * The lower triangle of a matrix in square tiles, dealt out to ranks in both directions. Every part
 * of the global space has room for all tiles, at the same places: for a rank's own, and for those
 * that others send. A matrix that does not fill its tiles is continued by ones on the diagonal.
 */
final class CholeskyTiles {
    private static final int FLAG_BYTES = 32;
    private static final int LINE = 64;

    final int rows;
    final int tile;
    /** Tiles in a row. */
    final int count;
    private final int ranks;
    private final int across;

    CholeskyTiles(int rows, int tile, int ranks) {
        this.rows = rows;
        this.tile = tile;
        this.ranks = ranks;
        count = (rows + tile - 1) / tile;
        int divisor = (int) Math.sqrt(ranks);
        while (ranks % divisor != 0) {
            divisor--;
        }
        across = divisor;
    }

    int owner(int row, int column) {
        return column % across * (ranks / across) + row % (ranks / across);
    }

    private long number(int row, int column) {
        return row * (row + 1L) / 2 + column;
    }

    private long tiles() {
        return number(count, 0);
    }

    private long tileBytes() {
        return (long) tile * tile * Double.BYTES;
    }

    private long data() {
        long flags = TaskGraph.CONTROL_BYTES + tiles() * FLAG_BYTES;
        return (flags + LINE - 1) / LINE * LINE;
    }

    /** Of a part of the space. */
    long bytes() {
        return data() + tiles() * tileBytes();
    }

    Region region(int row, int column) {
        long number = number(row, column);
        return new Region(data() + number * tileBytes(), tileBytes(),
                TaskGraph.CONTROL_BYTES + number * FLAG_BYTES);
    }

    /** Who needs the final tile to update others: the owners of its row and of its column. */
    int[] readers(int row, int column) {
        BitSet who = new BitSet(ranks);
        for (int j = column + 1; j <= row; j++) {
            who.set(owner(row, j));
        }
        for (int i = row; i < count; i++) {
            who.set(owner(i, row));
        }
        return who.stream().toArray();
    }

    double[] read(HeapSpan part, int row, int column) {
        double[] values = new double[tile * tile];
        part.buffer(region(row, column).at(), (int) tileBytes()).asDoubleBuffer().get(values);
        return values;
    }

    void write(HeapSpan part, int row, int column, double[] values) {
        part.buffer(region(row, column).at(), (int) tileBytes()).asDoubleBuffer().put(values);
    }

    /** The matrix's own entries of a tile. */
    double[] entries(SpdMatrix matrix, int row, int column) {
        double[] values = new double[tile * tile];
        for (int i = 0; i < tile; i++) {
            for (int j = 0; j < tile; j++) {
                int x = row * tile + i;
                int y = column * tile + j;
                values[i * tile + j] = x < rows && y < rows ? matrix.at(x, y) : x == y ? 1 : 0;
            }
        }
        return values;
    }
}
