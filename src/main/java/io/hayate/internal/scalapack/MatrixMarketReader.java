// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.scalapack;

import io.hayate.HayateException;
import io.hayate.internal.errors.Errors;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.StringTokenizer;

/** Reads a Matrix Market file, entry by entry. Errors name the line. */
public final class MatrixMarketReader implements AutoCloseable {
    private static final String BANNER = "%%MatrixMarket matrix coordinate|array"
            + " real|integer|complex|pattern general|symmetric|skew-symmetric|hermitian";
    /** A longer line is no matrix. Also bounds the memory that a hostile file can take. */
    private static final int LONGEST_LINE = 1024;

    /** Takes an entry; indices from 0. */
    public interface Consumer {
        void accept(int row, int column, double real, double imaginary);
    }

    private final Path file;
    private final BufferedReader in;
    private int line;
    private boolean array;
    private String field;
    private String symmetry;
    private int rows;
    private int columns;
    private long entries;

    private MatrixMarketReader(Path file, BufferedReader in) {
        this.file = file;
        this.in = in;
    }

    /** Opens a file and reads its banner and size. */
    public static MatrixMarketReader open(Path file) {
        try {
            // Every byte is a character of this charset, so that a binary file fails by its words.
            MatrixMarketReader reader = new MatrixMarketReader(file,
                    Files.newBufferedReader(file, StandardCharsets.ISO_8859_1));
            try {
                reader.readHead();
                return reader;
            } catch (HayateException e) {
                reader.close();
                throw e;
            }
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static HayateException unreadable(Path file, IOException e) {
        return Errors.system("cannot read " + file + ": " + e, e);
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    public int rows() {
        return rows;
    }

    public int columns() {
        return columns;
    }

    public boolean isComplex() {
        return field.equals("complex");
    }

    private HayateException wrong(String reason) {
        return Errors.argument(file + ":" + line + ": " + reason);
    }

    /** Returns the next line, or null at the end. */
    private String next() {
        StringBuilder text = new StringBuilder();
        line++;
        try {
            int c = in.read();
            if (c < 0) {
                return null;
            }
            for (; c >= 0 && c != '\n'; c = in.read()) {
                if (text.length() == LONGEST_LINE) {
                    throw wrong("the line is longer than " + LONGEST_LINE + " characters");
                }
                text.append((char) c);
            }
            return text.toString();
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** Returns the words of the next line that is not blank; null at the end. */
    private StringTokenizer nextWords() {
        String text = next();
        while (text != null && text.isBlank()) {
            text = next();
        }
        return text == null ? null : new StringTokenizer(text);
    }

    private void readHead() {
        String first = next();
        StringTokenizer words = new StringTokenizer(first == null ? "" : first);
        word(words, List.of("%%matrixmarket"));
        word(words, List.of("matrix"));
        array = word(words, List.of("coordinate", "array")).equals("array");
        field = word(words, List.of("real", "double", "integer", "complex", "pattern"));
        symmetry = word(words, List.of("general", "symmetric", "skew-symmetric", "hermitian"));
        if (array && field.equals("pattern") || symmetry.equals("hermitian") && !isComplex()) {
            throw wrong("bad banner: these words exclude each other, expected " + BANNER);
        }
        readSize();
    }

    private String word(StringTokenizer words, List<String> known) {
        String word = words.hasMoreTokens() ? words.nextToken().toLowerCase(Locale.ROOT) : "";
        if (!known.contains(word)) {
            throw wrong("bad banner: found '" + printable(word) + "', expected " + BANNER);
        }
        return word;
    }

    /** A damaged file must not write control characters to a terminal. */
    private static String printable(String word) {
        String brief = word.substring(0, Math.min(word.length(), 40));
        return brief.replaceAll("[^ -~]", "?");
    }

    private void readSize() {
        String text = next();
        while (text != null && (text.isBlank() || text.startsWith("%"))) {
            text = next();
        }
        if (text == null) {
            throw wrong("the file ends before its size");
        }
        StringTokenizer words = new StringTokenizer(text);
        rows = integer(words, Integer.MAX_VALUE, "rows");
        columns = integer(words, Integer.MAX_VALUE, "columns");
        if (!symmetry.equals("general") && rows != columns) {
            throw wrong("a " + symmetry + " matrix of " + rows + " x " + columns
                    + " is not square");
        }
        entries = array ? entriesOfArray() : number(words, 0, Long.MAX_VALUE, "entries");
        end(words);
    }

    private long entriesOfArray() {
        long n = rows;
        return switch (symmetry) {
            case "general" -> n * columns;
            case "skew-symmetric" -> n * (n - 1) / 2;
            default -> n * (n + 1) / 2;
        };
    }

    private int integer(StringTokenizer words, int most, String what) {
        return (int) number(words, 1, most, what);
    }

    private long number(StringTokenizer words, long least, long most, String what) {
        String word = words.hasMoreTokens() ? words.nextToken() : "";
        try {
            long value = Long.parseLong(word);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // the same answer as out of range
        }
        throw wrong(what + " '" + printable(word) + "': expected an integer from " + least + " to "
                + most);
    }

    private double real(StringTokenizer words) {
        String word = words.hasMoreTokens() ? words.nextToken() : "";
        try {
            return Double.parseDouble(word);
        } catch (NumberFormatException e) {
            throw wrong("value '" + printable(word) + "': expected a number");
        }
    }

    private void end(StringTokenizer words) {
        if (words.hasMoreTokens()) {
            throw wrong("unexpected '" + printable(words.nextToken()) + "' at the end of the line");
        }
    }

    /** Calls the consumer for all entries, with those that the symmetry implies. */
    public void forEach(Consumer consumer) {
        int row = 0;
        int column = 0;
        for (long i = 0; i < entries; i++) {
            StringTokenizer words = nextWords();
            if (words == null) {
                throw wrong("the file ends after " + i + " entries, expected " + entries);
            }
            if (!array) {
                row = integer(words, rows, "row") - 1;
                column = integer(words, columns, "column") - 1;
            } else if (i == 0 || ++row == rows) {
                column = i == 0 ? 0 : column + 1;
                row = firstRow(column);
            }
            double real = field.equals("pattern") ? 1 : real(words);
            double imaginary = isComplex() ? real(words) : 0;
            end(words);
            give(consumer, row, column, real, imaginary);
        }
        if (nextWords() != null) {
            throw wrong("expected the end of the file after " + entries + " entries");
        }
    }

    /** Returns the first row of a column that an array stores. */
    private int firstRow(int column) {
        return switch (symmetry) {
            case "general" -> 0;
            case "skew-symmetric" -> column + 1;
            default -> column;
        };
    }

    private void give(Consumer consumer, int row, int column, double real, double imaginary) {
        consumer.accept(row, column, real, imaginary);
        if (row == column || symmetry.equals("general")) {
            return;
        }
        switch (symmetry) {
            case "skew-symmetric" -> consumer.accept(column, row, -real, -imaginary);
            case "hermitian" -> consumer.accept(column, row, real, -imaginary);
            default -> consumer.accept(column, row, real, imaginary);
        }
    }
}
