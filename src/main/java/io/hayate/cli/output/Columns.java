// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.output;

import java.util.ArrayList;
import java.util.List;

/** A table of text: numbers are aligned to the right, words to the left. */
public final class Columns {
    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();

    public Columns add(Object... cells) {
        String[] row = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            row[i] = String.valueOf(cells[i]);
        }
        rows.add(row);
        return this;
    }

    /** Returns the length of the longest possible line. */
    public int width() {
        int width = -GAP.length();
        for (int i = 0; i < rows.get(0).length; i++) {
            width += GAP.length() + width(i);
        }
        return width;
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(i == 0 ? "" : GAP).append(padded(row[i], i));
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }

    private String padded(String cell, int column) {
        String blanks = " ".repeat(width(column) - cell.length());
        return isNumeric(column) ? blanks + cell : cell + blanks;
    }

    private int width(int column) {
        int width = 0;
        for (String[] row : rows) {
            width = column < row.length ? Math.max(width, row[column].length()) : width;
        }
        return width;
    }

    /** The first row is the heading. */
    private boolean isNumeric(int column) {
        for (String[] row : rows.subList(Math.min(1, rows.size()), rows.size())) {
            if (column < row.length && !row[column].matches("-|[-+]?[0-9][0-9.,]*[kKMGTPE%]?")) {
                return false;
            }
        }
        return true;
    }
}
