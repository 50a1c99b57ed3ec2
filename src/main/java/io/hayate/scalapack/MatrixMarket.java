// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.ArgumentException;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.scalapack.MatrixMarketReader;
import java.nio.file.Path;

/**
 * A Matrix Market file, for {@link DistributedMatrix#read}: format coordinate or array; field real,
 * integer, complex or pattern (all entries are 1); general, symmetric, skew-symmetric or Hermitian.
 * Immutable; the file is not kept open.
 */
public final class MatrixMarket {
    private final Path file;
    private final int rows;
    private final int columns;
    private final boolean complex;

    private MatrixMarket(Path file, MatrixMarketReader reader) {
        this.file = file;
        rows = reader.rows();
        columns = reader.columns();
        complex = reader.isComplex();
    }

    /**
     * Reads the banner and the size of a file.
     *
     * @param file the file
     * @return its description
     * @throws ArgumentException if file is null, or it does not begin as a Matrix Market file; the
     *     text has the line
     * @throws io.hayate.SystemFailureException if it cannot be read
     */
    public static MatrixMarket of(Path file) {
        try (MatrixMarketReader reader = MatrixMarketReader.open(Errors.required(file, "file"))) {
            return new MatrixMarket(file, reader);
        }
    }

    /** Calls the consumer for all entries, with those that the symmetry implies. */
    void forEach(MatrixMarketReader.Consumer consumer) {
        try (MatrixMarketReader reader = MatrixMarketReader.open(file)) {
            if (reader.rows() != rows || reader.columns() != columns
                    || reader.isComplex() != complex) {
                throw Errors.argument(file + " has changed while it was read");
            }
            reader.forEach(consumer);
        }
    }

    /**
     * Returns the number of rows.
     *
     * @return at least 1
     */
    public int rows() {
        return rows;
    }

    /**
     * Returns the number of columns.
     *
     * @return at least 1
     */
    public int columns() {
        return columns;
    }

    /**
     * Returns whether the entries are complex.
     *
     * @return {@code true} if the field is complex
     */
    public boolean isComplex() {
        return complex;
    }

    /**
     * Returns the file and the size.
     *
     * @return such as "a.mtx (48 x 48)"
     */
    @Override
    public String toString() {
        return file + " (" + rows + " x " + columns + ")";
    }
}
