// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.examples.Stopwatch;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Products of the matrix with vectors of which each rank has the part of its columns, and gets that
 * of the product. The ranks of a row add up their products in messages between two of them; where
 * a block of rows is two of columns, the first halves it. A mirror has what a rank needs then.
 */
final class CgProduct {
    private static final int SUMS = 0; // tags
    private static final int MIRROR = 1;

    /** Two ranks add to their own `count` elements from `at` on what the other has of them. */
    private record Step(Transfer send, Transfer receive, DoubleBuffer incoming, int at,
            int count) { }

    private final CgMatrix matrix;
    private final Stopwatch communication;
    private final Doubles rowSums;
    private final Doubles result;
    private final Step[] steps;
    private final int summed; // where in rowSums the part stands that this rank adds up
    private final boolean isOwnMirror;
    private final Transfer toMirror;
    private final Transfer fromMirror;

    CgProduct(NasJob job, CgGrid grid, CgMatrix matrix, int size) {
        this.matrix = matrix;
        communication = job.communication();
        rowSums = job.doubles(matrix.rows());
        result = job.doubles(matrix.columns());
        steps = steps(job.library(), grid, size);
        isOwnMirror = grid.mirror() == job.rank();
        summed = offset(grid, size, grid.summedColumn());
        Part given = rowSums.part(summed, count(grid, size, grid.summedColumn()));
        toMirror = job.library().send(given, grid.mirror(), MIRROR);
        fromMirror = job.library().receive(result.all(), grid.mirror(), MIRROR);
    }

    /** Receives are posted before there is anything to send. Allocates nothing. Collective. */
    void multiply(double[] vector, double[] product) {
        communication.start();
        for (int i = 0; i < steps.length; i++) {
            steps[i].receive.start();
        }
        if (!isOwnMirror) {
            fromMirror.start();
        }
        communication.stop();
        matrix.multiply(vector, rowSums);
        communication.start();
        for (int i = 0; i < steps.length; i++) {
            steps[i].send.run();
            steps[i].receive.await();
            add(steps[i]);
        }
        mirror(product);
        communication.stop();
    }

    /** The additions belong to the sum over the row, and count as communication. */
    private void add(Step step) {
        DoubleBuffer own = rowSums.values();
        DoubleBuffer other = step.incoming;
        for (int i = 0; i < step.count; i++) {
            own.put(step.at + i, own.get(step.at + i) + other.get(i));
        }
    }

    private void mirror(double[] product) {
        if (isOwnMirror) {
            rowSums.values().get(summed, product);
            return;
        }
        toMirror.run();
        fromMirror.await();
        result.values().get(0, product);
    }

    /** Partners are 1, 2, 4, ... columns apart. */
    private Step[] steps(NasLibrary library, CgGrid grid, int size) {
        List<Step> steps = new ArrayList<>();
        for (int distance = 1; distance < grid.columns(); distance *= 2) {
            int partner = grid.column() ^ distance;
            int kept = grid.summedColumn();
            int given = distance == 1 ? grid.row() * grid.width() + partner % grid.width() : kept;
            int count = count(grid, size, kept);
            int rank = grid.rank(grid.row(), partner);
            Doubles incoming = library.doubles(count);
            steps.add(new Step(library.send(rowSums.part(offset(grid, size, given),
                    count(grid, size, given)), rank, SUMS),
                    library.receive(incoming.all(), rank, SUMS), incoming.values(),
                    offset(grid, size, kept), count));
        }
        return steps.toArray(new Step[0]);
    }

    /** Of a block of columns in this rank's block of rows. */
    private static int offset(CgGrid grid, int size, int column) {
        return grid.firstColumn(size, column) - grid.firstRow(size, grid.row());
    }

    private static int count(CgGrid grid, int size, int column) {
        return grid.firstColumn(size, column + 1) - grid.firstColumn(size, column);
    }
}
