// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.Arrays;

/** The ten largest of the values offered, and where they are. */
final class MgExtremes {
    static final int COUNT = 10;

    private final double[] values = new double[COUNT]; // ascending
    private final double[] places = new double[COUNT]; // whole numbers

    MgExtremes() {
        Arrays.fill(values, Double.NEGATIVE_INFINITY);
    }

    void offer(double value, double place) {
        if (value <= values[0]) {
            return;
        }
        int at = 0;
        while (at + 1 < COUNT && values[at + 1] < value) {
            values[at] = values[at + 1];
            places[at] = places[at + 1];
            at++;
        }
        values[at] = value;
        places[at] = place;
    }

    double value(int i) {
        return values[i];
    }

    double place(int i) {
        return places[i];
    }
}
