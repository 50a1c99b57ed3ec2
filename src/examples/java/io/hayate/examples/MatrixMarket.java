// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Reads a symmetric matrix with a positive diagonal from a Matrix Market file: format coordinate,
 * field real, integer or pattern (all ones), symmetry symmetric or general. Whatever the file
 * holds, the outcome is a matrix or a {@link MatrixMarketException} with the line.
 */
final class MatrixMarket {
    private static final String BANNER =
            "%%MatrixMarket matrix coordinate real|integer|pattern symmetric|general";
    /** Entries of the matrix, both halves together: what Java's arrays can hold. */
    private static final int MOST_ENTRIES = Integer.MAX_VALUE - 8;

    private final LineScanner in;
    private final String file;
    private final Triplets triplets = new Triplets();
    private boolean pattern;
    private boolean integer;
    private boolean symmetric;
    private int rows;
    private int entries;

    private MatrixMarket(InputStream stream, String file) {
        this.in = new LineScanner(stream, file);
        this.file = file;
    }

    static CsrMatrix read(Path path) throws MatrixMarketException {
        try (InputStream stream = Files.newInputStream(path)) {
            return read(stream, path.toString());
        } catch (NoSuchFileException e) {
            throw new MatrixMarketException("cannot read " + path + ": there is no such file");
        } catch (IOException e) {
            throw new MatrixMarketException("cannot read " + path + ": " + e.getMessage());
        }
    }

    /** `file` is the name for messages. */
    static CsrMatrix read(InputStream stream, String file)
            throws IOException, MatrixMarketException {
        MatrixMarket reader = new MatrixMarket(stream, file);
        reader.readBanner();
        reader.readSize();
        reader.readEntries();
        return reader.finish();
    }

    private void readBanner() throws IOException, MatrixMarketException {
        if (!in.nextLine() || !in.word().equalsIgnoreCase("%%MatrixMarket")) {
            throw in.error("bad banner, expected " + BANNER);
        }
        expectWord("object", "matrix");
        if (!expectWord("format", "coordinate", "array").equals("coordinate")) {
            throw unsupported("format array (a dense matrix)", "coordinate");
        }
        String field = expectWord("field", "real", "integer", "pattern", "double", "complex");
        if (field.equals("complex")) {
            throw unsupported("field complex", "real, integer or pattern");
        }
        pattern = field.equals("pattern");
        integer = field.equals("integer");
        String symmetry =
                expectWord("symmetry", "symmetric", "general", "skew-symmetric", "hermitian");
        symmetric = symmetry.equals("symmetric");
        if (!symmetric && !symmetry.equals("general")) {
            throw unsupported("symmetry " + symmetry, "symmetric or general");
        }
        in.expectEnd("the banner");
    }

    private String expectWord(String what, String... known) throws MatrixMarketException {
        String word = in.word();
        for (String one : known) {
            if (word.toLowerCase(Locale.ROOT).equals(one)) {
                return one;
            }
        }
        throw in.error("bad banner: unknown " + what + " " + LineScanner.quote(word)
                + ", expected " + BANNER);
    }

    private MatrixMarketException unsupported(String what, String expected) {
        return in.error(what + " is not supported, expected " + expected);
    }

    private void readSize() throws IOException, MatrixMarketException {
        do {
            if (!in.nextFilledLine()) {
                throw in.error("the file ends before its size line,"
                        + " expected 'rows columns entries'");
            }
        } while (in.startsWith('%'));
        rows = in.integer("number of rows", 1, MOST_ENTRIES);
        int columns = in.integer("number of columns", 1, MOST_ENTRIES);
        entries = in.integer("number of entries", 0, symmetric ? MOST_ENTRIES / 2 : MOST_ENTRIES);
        in.expectEnd("the size line 'rows columns entries'");
        if (rows != columns) {
            throw in.error("the matrix is not square: " + rows + " rows and " + columns
                    + " columns");
        }
        if (entries < rows) {
            throw in.error(entries + " entries for " + rows
                    + " rows, expected at least one for each row's diagonal");
        }
    }

    private void readEntries() throws IOException, MatrixMarketException {
        for (int i = 0; i < entries; i++) {
            if (!in.nextFilledLine()) {
                throw in.error("the file ends after " + i + " entries, expected " + entries);
            }
            readEntry();
        }
        if (in.nextFilledLine()) {
            throw in.error("expected the end of the file after " + entries + " entries, found "
                    + LineScanner.quote(in.rest()));
        }
    }

    private void readEntry() throws MatrixMarketException {
        int row = in.integer("row", 1, rows) - 1;
        int column = in.integer("column", 1, rows) - 1;
        double value = pattern ? 1 : in.real();
        if (integer && value != Math.rint(value)) {
            throw in.error("the value " + value + " is not an integer, which the banner promises");
        }
        in.expectEnd(pattern ? "'row column'" : "'row column value'");
        if (row == column && !(value > 0)) {
            throw in.error("the diagonal of row " + (row + 1) + " is " + value
                    + ", expected a positive number");
        }
        triplets.add(row, column, value, in.line());
        if (symmetric && row != column) {
            triplets.add(column, row, value, in.line());
        }
    }

    private CsrMatrix finish() throws MatrixMarketException {
        Triplets.Sorted sorted = triplets.sort(rows);
        CsrMatrix matrix = sorted.matrix();
        for (int row = 0; row < rows; row++) {
            for (int k = matrix.rowPointers()[row]; k < matrix.rowPointers()[row + 1]; k++) {
                checkEntry(matrix, row, k, sorted.lines());
            }
            if (matrix.find(row, row) < 0) {
                throw in.error("the file ends and row " + (row + 1)
                        + " has no entry on the diagonal, expected a positive one");
            }
        }
        return matrix;
    }

    private void checkEntry(CsrMatrix matrix, int row, int k, int[] lines)
            throws MatrixMarketException {
        int column = matrix.columns()[k];
        if (k > matrix.rowPointers()[row] && column == matrix.columns()[k - 1]) {
            throw new MatrixMarketException(file, Math.max(lines[k], lines[k - 1]),
                    name(row, column) + " stands a second time, first on line "
                            + Math.min(lines[k], lines[k - 1]));
        }
        int mirror = symmetric ? k : matrix.find(column, row);
        if (mirror < 0 || !same(matrix.values()[k], matrix.values()[mirror])) {
            throw new MatrixMarketException(file, lines[k],
                    "the matrix is not symmetric: " + name(row, column)
                            + " differs from its mirror image");
        }
    }

    private static String name(int row, int column) {
        return "entry (" + (row + 1) + ", " + (column + 1) + ")";
    }

    private static boolean same(double a, double b) {
        return Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));
    }
}
