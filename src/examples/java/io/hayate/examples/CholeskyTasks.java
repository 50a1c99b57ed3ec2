// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.HeapSpan;
import io.hayate.tasks.TaskGraph;
import java.util.stream.IntStream;

/**
 * The tasks of one rank, right-looking: step k factors diagonal tile k, solves the tiles below it,
 * and updates what is right of them. A tile's version counts the steps that it has seen; the last
 * one, k + 1 of column k, goes to all ranks that update with it.
 */
final class CholeskyTasks {
    private final CholeskyTiles tiles;
    private final HeapSpan part;
    private final int rank;
    private final TaskGraph graph;
    private int received;

    CholeskyTasks(CholeskyTiles tiles, HeapSpan part, int rank, TaskGraph graph) {
        this.tiles = tiles;
        this.part = part;
        this.rank = rank;
        this.graph = graph;
    }

    /** Fills this rank's tiles. */
    void fill(SpdMatrix matrix) {
        for (int row = 0; row < tiles.count; row++) {
            for (int column = 0; column <= row; column++) {
                if (isMine(row, column)) {
                    tiles.write(part, row, column, tiles.entries(matrix, row, column));
                }
            }
        }
    }

    boolean isMine(int row, int column) {
        return tiles.owner(row, column) == rank;
    }

    /** Adds the tasks of this rank's tiles to the graph. */
    void describe() {
        for (int k = 0; k < tiles.count; k++) {
            for (int i = k; i < tiles.count; i++) {
                finish(i, k);
                for (int j = k + 1; j <= i; j++) {
                    update(i, j, k);
                }
            }
        }
    }

    /** The last step of a tile: factored on the diagonal, solved below. */
    private void finish(int i, int k) {
        if (!isMine(i, k)) {
            received += IntStream.of(readers(i, k)).anyMatch(who -> who == rank) ? 1 : 0;
            return;
        }
        if (i == k) {
            graph.task("factor " + k, () -> {
                double[] a = tiles.read(part, k, k);
                TileKernels.factor(a, tiles.tile);
                tiles.write(part, k, k, a);
            }).needs(tiles.region(k, k), k).makes(tiles.region(k, k), k + 1L, readers(k, k));
            return;
        }
        graph.task("solve " + i + "," + k, () -> {
            double[] a = tiles.read(part, i, k);
            TileKernels.solve(tiles.read(part, k, k), a, tiles.tile);
            tiles.write(part, i, k, a);
        }).needs(tiles.region(i, k), k).needs(tiles.region(k, k), k + 1L)
                .makes(tiles.region(i, k), k + 1L, readers(i, k));
    }

    /** Of a diagonal tile: the owners of the tiles below. */
    private int[] readers(int i, int k) {
        return i > k ? tiles.readers(i, k) : IntStream.range(k, tiles.count)
                .map(row -> tiles.owner(row, k)).distinct().toArray();
    }

    private void update(int i, int j, int k) {
        if (!isMine(i, j)) {
            return;
        }
        graph.task("update " + i + "," + j + "," + k, () -> {
            double[] c = tiles.read(part, i, j);
            TileKernels.update(tiles.read(part, i, k), tiles.read(part, j, k), c, tiles.tile);
            tiles.write(part, i, j, c);
        }).needs(tiles.region(i, j), k).needs(tiles.region(i, k), k + 1L)
                .needs(tiles.region(j, k), k + 1L).makes(tiles.region(i, j), k + 1L);
    }

    /** Tiles that other ranks send here. */
    int received() {
        return received;
    }
}
