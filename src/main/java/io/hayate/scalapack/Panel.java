// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.Element;
import io.hayate.Span;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.scalapack.LocalPart;
import java.nio.ByteBuffer;

/**
 * Some columns of a matrix in one block on process (0, 0). A matrix moves between an array and the
 * processes panel by panel, so that it needs little memory beside the array.
 */
final class Panel {
    private static final long BYTES = 1 << 22;

    private final DistributedMatrix matrix;
    private final int numbers;

    Panel(DistributedMatrix of) {
        BlockCyclic layout = Errors.required(of, "matrix").layout();
        Element element = of.element();
        long column = (long) layout.rows() * element.bytes();
        int width = (int) Math.max(1, Math.min(layout.columns(), BYTES / column));
        if (column > Integer.MAX_VALUE) {
            throw Errors.argument("a column of " + column + " bytes: expected at most "
                    + Integer.MAX_VALUE);
        }
        BlockCyclic whole = new BlockCyclic(layout.grid(), layout.rows(), width, layout.rows(),
                width, 0, 0);
        long bytes = Math.max(DistributedMatrix.bytes(whole, element), element.bytes());
        ByteBuffer memory = ByteBuffer.allocateDirect((int) bytes);
        matrix = DistributedMatrix.of(whole, element, Span.of(memory));
        numbers = element.isComplex() ? 2 : 1;
    }

    /** Returns its first columns as a matrix. */
    DistributedMatrix columns(int count) {
        return matrix.block(0, 0, matrix.rows(), count);
    }

    /** Returns the number of columns. */
    int width() {
        return matrix.columns();
    }

    /** Returns whether this process has the panel. */
    boolean isHere() {
        return matrix.layout().isLocal(0, 0);
    }

    /** Returns the numbers of an array for a whole matrix. */
    static long numbersOf(DistributedMatrix matrix) {
        return (long) matrix.rows() * matrix.columns() * (matrix.element().isComplex() ? 2 : 1);
    }

    /** Copies columns from the array of the whole matrix into the panel. */
    void put(double[] values, int firstColumn, int columns) {
        LocalPart part = matrix.part();
        int from = firstColumn * matrix.rows() * numbers;
        for (int i = 0; i < columns * matrix.rows(); i++) {
            part.set(i, values[from + i * numbers], values[from + i * numbers + numbers - 1]);
        }
    }

    /** Copies columns of the panel into the array of the whole matrix. */
    void take(double[] values, int firstColumn, int columns) {
        LocalPart part = matrix.part();
        int to = firstColumn * matrix.rows() * numbers;
        for (int i = 0; i < columns * matrix.rows(); i++) {
            values[to + i * numbers] = part.get(i, 0);
            if (numbers == 2) {
                values[to + 2 * i + 1] = part.get(i, 1);
            }
        }
    }
}
