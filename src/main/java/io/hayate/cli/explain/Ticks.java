// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** Chooses round numbers for an axis from 0 on. */
record Ticks(double step, double end) {
    /**
     * Returns about the given number of ticks up to the end, at distances of 1, 2 or 5 times a
     * power of ten.
     */
    static Ticks of(double end, int about) {
        double rough = end / about;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double factor = rough / power;
        double step = power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
        return new Ticks(step, end);
    }

    List<Double> values() {
        List<Double> values = new ArrayList<>();
        for (int i = 0; i * step <= end * (1 + 1e-9); i++) {
            values.add(i * step);
        }
        return values;
    }

    String text(double value) {
        int decimals = Math.max(0, (int) -Math.floor(Math.log10(step) + 1e-9));
        return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP).toPlainString();
    }
}
