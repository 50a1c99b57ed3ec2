// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Lines of numbers from a stream, one line at a time in one buffer: no object for each line. */
final class LineScanner {
    /** Longest line of the Matrix Market format. */
    static final int LONGEST_LINE = 1024;

    private final InputStream in;
    private final String file;
    private final byte[] block = new byte[1 << 16];
    private int blockLength;
    private int blockPosition;
    private final byte[] text = new byte[LONGEST_LINE];
    private int length;
    private int position;
    private int line;

    LineScanner(InputStream in, String file) {
        this.in = in;
        this.file = file;
    }

    /** Number of the line that was read last, from 1; 0 before the first. */
    int line() {
        return line;
    }

    /** Goes to the next line; false at the end of the file. */
    boolean nextLine() throws IOException, MatrixMarketException {
        int c = nextByte();
        if (c < 0) {
            return false;
        }
        line++;
        length = 0;
        position = 0;
        for (; c >= 0 && c != '\n'; c = nextByte()) {
            if (length == LONGEST_LINE) {
                throw error("the line is longer than " + LONGEST_LINE + " characters");
            }
            text[length++] = (byte) c;
        }
        return true;
    }

    /** As {@link #nextLine()}, without lines that have only blanks. */
    boolean nextFilledLine() throws IOException, MatrixMarketException {
        while (nextLine()) {
            if (!atEnd()) {
                return true;
            }
        }
        return false;
    }

    boolean startsWith(char c) {
        return length > 0 && text[0] == c;
    }

    /** True when only blanks are left of the line. */
    boolean atEnd() {
        while (position < length && isBlank(text[position])) {
            position++;
        }
        return position == length;
    }

    /** The rest of the line, without the blanks around it. */
    String rest() {
        return new String(text, position, length - position, StandardCharsets.ISO_8859_1).strip();
    }

    /** The next word, empty at the end of the line. */
    String word() {
        atEnd();
        int start = position;
        while (position < length && !isBlank(text[position])) {
            position++;
        }
        return new String(text, start, position - start, StandardCharsets.ISO_8859_1);
    }

    /** The next word as an integer from least to most; `what` names it in the error. */
    int integer(String what, int least, int most) throws MatrixMarketException {
        atEnd();
        int start = position;
        long value = 0;
        while (position < length && text[position] >= '0' && text[position] <= '9') {
            value = Math.min(value * 10 + text[position++] - '0', Integer.MAX_VALUE + 1L);
        }
        if (position == start || position < length && !isBlank(text[position])) {
            position = start;
            String word = word();
            throw error("expected the " + what + ", an integer from " + least + " to " + most
                    + ", found " + (word.isEmpty() ? "the end of the line" : quote(word)));
        }
        if (value < least || value > most) {
            throw error("the " + what + " is out of range: " + (value > Integer.MAX_VALUE
                    ? "over " + Integer.MAX_VALUE : Long.toString(value))
                    + ", expected " + least + " to " + most);
        }
        return (int) value;
    }

    /** The next word as a finite decimal number. */
    double real() throws MatrixMarketException {
        String word = word();
        if (word.isEmpty()) {
            throw error("expected a value, found the end of the line");
        }
        double value = parse(word);
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw error("the value " + quote(word) + " is not finite, expected a finite number");
        }
        return value;
    }

    void expectEnd(String after) throws MatrixMarketException {
        if (!atEnd()) {
            throw error("expected the end of the line after " + after + ", found " + quote(rest()));
        }
    }

    MatrixMarketException error(String reason) {
        return new MatrixMarketException(file, Math.max(line, 1), reason);
    }

    /** What a damaged file holds, fit for a message. */
    static String quote(String word) {
        String clean = word.replaceAll("[^\\x20-\\x7e]", "?");
        return "'" + (clean.length() > 40 ? clean.substring(0, 40) + "..." : clean) + "'";
    }

    /** Double.parseDouble takes hexadecimal and suffixes too, which the format does not have. */
    private double parse(String word) throws MatrixMarketException {
        if (word.matches("(?i)[+-]?(nan|inf|infinity)")) {
            return Double.NaN;
        }
        for (int i = 0; i < word.length(); i++) {
            if ("0123456789+-.eE".indexOf(word.charAt(i)) < 0) {
                throw notReal(word);
            }
        }
        try {
            return Double.parseDouble(word);
        } catch (NumberFormatException e) {
            throw notReal(word);
        }
    }

    private MatrixMarketException notReal(String word) {
        return error("expected a value such as -1.5e3, found " + quote(word));
    }

    private int nextByte() throws IOException {
        if (blockPosition == blockLength) {
            blockPosition = 0;
            blockLength = in.read(block, 0, block.length);
            if (blockLength <= 0) {
                blockLength = 0;
                return -1;
            }
        }
        return block[blockPosition++] & 0xff;
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\t' || c == '\r';
    }
}
