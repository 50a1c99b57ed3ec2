// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * Sparse random vectors x(0), x(1), ... with 0.5 at their own place: the matrix is the sum of
 * x(i) x(i)^T, with weights that fall from 1 to 0.1, plus a diagonal. All ranks draw all of them.
 */
final class CgVectors {
    private static final double OWN = 0.5;

    private final int rows;
    private final int nonzeros;
    private final int powerOfTwo; // not less than rows
    private final NpbRandom random = new NpbRandom(NpbRandom.SEED);
    private final int[] first;
    private final int[] index;
    private final double[] value;

    CgVectors(int rows, int nonzeros) {
        this.rows = rows;
        this.nonzeros = nonzeros;
        powerOfTwo = Integer.highestOneBit(rows - 1) << 1;
        first = new int[rows + 1];
        index = new int[rows * (nonzeros + 1)];
        value = new double[rows * (nonzeros + 1)];
        random.next(); // the benchmark's own main program draws one
        for (int i = 0; i < rows; i++) {
            first[i + 1] = setOwn(i, draw(first[i]));
        }
    }

    /** Where the elements of vector i begin; those of the last end at first(rows). */
    int first(int i) {
        return first[i];
    }

    int index(int element) {
        return index[element];
    }

    double value(int element) {
        return value[element];
    }

    /** Draws a vector; places that it has already or that do not exist are drawn again. */
    private int draw(int from) {
        int end = from;
        while (end < from + nonzeros) {
            double drawn = random.next();
            int place = (int) (powerOfTwo * random.next());
            if (place < rows && find(place, from, end) == end) {
                index[end] = place;
                value[end++] = drawn;
            }
        }
        return end;
    }

    private int setOwn(int i, int end) {
        int at = find(i, first[i], end);
        index[at] = i;
        value[at] = OWN;
        return Math.max(end, at + 1);
    }

    /** `end` when it is not there. */
    private int find(int place, int from, int end) {
        int at = from;
        while (at < end && index[at] != place) {
            at++;
        }
        return at;
    }
}
