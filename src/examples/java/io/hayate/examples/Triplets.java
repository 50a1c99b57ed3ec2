// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.util.Arrays;

/**
 * Entries (row, column, value) in any order, each with the line of the file it came from. Grows
 * with what is added, not with what a file promises.
 */
final class Triplets {
    private int[] rows = new int[1 << 12];
    private int[] columns = new int[1 << 12];
    private int[] lines = new int[1 << 12];
    private double[] values = new double[1 << 12];
    private int count;

    /** A matrix, and for each of its entries the line of the file. */
    record Sorted(CsrMatrix matrix, int[] lines) {}

    void add(int row, int column, double value, int line) {
        if (count == rows.length) {
            grow();
        }
        rows[count] = row;
        columns[count] = column;
        values[count] = value;
        lines[count++] = line;
    }

    /** Two stable counting sorts, by column and then by row. */
    Sorted sort(int size) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        order = sortedBy(columns, order, starts(columns, size));
        int[] rowPointers = starts(rows, size);
        order = sortedBy(rows, order, rowPointers.clone());
        int[] sortedColumns = new int[count];
        int[] sortedLines = new int[count];
        double[] sortedValues = new double[count];
        for (int i = 0; i < count; i++) {
            sortedColumns[i] = columns[order[i]];
            sortedLines[i] = lines[order[i]];
            sortedValues[i] = values[order[i]];
        }
        return new Sorted(new CsrMatrix(rowPointers, sortedColumns, sortedValues), sortedLines);
    }

    private void grow() {
        int more = (int) Math.min(Integer.MAX_VALUE - 8, count * 2L);
        rows = Arrays.copyOf(rows, more);
        columns = Arrays.copyOf(columns, more);
        lines = Arrays.copyOf(lines, more);
        values = Arrays.copyOf(values, more);
    }

    private int[] starts(int[] keys, int size) {
        int[] starts = new int[size + 1];
        for (int i = 0; i < count; i++) {
            starts[keys[i] + 1]++;
        }
        for (int i = 0; i < size; i++) {
            starts[i + 1] += starts[i];
        }
        return starts;
    }

    private static int[] sortedBy(int[] keys, int[] order, int[] next) {
        int[] sorted = new int[order.length];
        for (int i : order) {
            sorted[next[keys[i]]++] = i;
        }
        return sorted;
    }
}
