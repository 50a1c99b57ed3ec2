// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.blacs;

import io.hayate.internal.bindings.BlacsBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Job;
import io.hayate.internal.job.Memory;

/** The state of a section of a matrix, separate from the {@code Section} of the program. */
public final class MatrixSection {
    private static final int UPLO_SHIFT = 8;
    private static final int TYPE = 0xff;

    public final int rows;
    public final int columns;
    final int leadingDimension;
    /** As {@link BlacsBinding} wants it. */
    final int shape;
    private final Memory memory;
    private final long offset;
    private final long extent;

    /** Describes a section; checks that it is inside the memory. */
    public MatrixSection(Memory memory, long offset, int type, int elementBytes, int rows,
            int columns, int leadingDimension) {
        this(memory, offset, extent(elementBytes, rows, columns, leadingDimension), type, rows,
                columns, leadingDimension);
        memory.at(offset, extent);
        memory.requireAligned(offset);
    }

    private MatrixSection(Memory memory, long offset, long extent, int shape, int rows,
            int columns, int leadingDimension) {
        this.memory = memory;
        this.offset = offset;
        this.extent = extent;
        this.shape = shape;
        this.rows = rows;
        this.columns = columns;
        this.leadingDimension = leadingDimension;
    }

    /** Returns the bytes from the first element to the end of the last one. */
    private static long extent(int elementBytes, int rows, int columns, int leadingDimension) {
        if ((rows | columns) < 0) {
            throw Errors.argument("a section of " + rows + " x " + columns + ": expected 0 or more"
                    + " rows and columns");
        }
        if (leadingDimension < Math.max(1, rows)) {
            throw Errors.argument("leading dimension " + leadingDimension + ": expected at least "
                    + Math.max(1, rows) + ", as the section has " + rows + " rows");
        }
        if (rows == 0 || columns == 0) {
            return 0;
        }
        long elements = (columns - 1L) * leadingDimension + rows;
        if (elements > Long.MAX_VALUE / elementBytes) {
            throw Errors.argument("a section of " + rows + " x " + columns
                    + " with leading dimension " + leadingDimension + " is longer than any memory");
        }
        return elements * elementBytes;
    }

    private MatrixSection with(int uplo, boolean diagonal) {
        return new MatrixSection(memory, offset, extent,
                shape & TYPE | uplo << UPLO_SHIFT | (diagonal ? 0 : BlacsBinding.UNIT), rows,
                columns, leadingDimension);
    }

    public MatrixSection upper(boolean diagonal) {
        return with(BlacsBinding.UPPER, diagonal);
    }

    public MatrixSection lower(boolean diagonal) {
        return with(BlacsBinding.LOWER, diagonal);
    }

    boolean isRectangle() {
        return shape <= TYPE;
    }

    Object array() {
        return memory.array;
    }

    /** Returns the start for an operation of this job that reads. */
    long readable(Job job) {
        return memory.readable(job, offset, extent);
    }

    /** Other processes may still access the memory of an operation that has failed. */
    void abandon(Job job) {
        job.abandon(memory);
    }

    /** Returns the start for an operation of this job that writes. */
    long writable(Job job) {
        return memory.writable(job, offset, extent);
    }
}
