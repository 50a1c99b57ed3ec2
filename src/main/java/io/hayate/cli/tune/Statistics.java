// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import java.util.List;
import java.util.stream.IntStream;

/** Statistics of small samples. */
final class Statistics {
    private Statistics() {
    }

    /** Returns the median; NaN without numbers. */
    static double median(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int half = sorted.length / 2;
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    /**
     * Returns Spearman's correlation: 1 for the same order, -1 for the opposite; NaN for fewer than
     * three pairs.
     */
    static double rankCorrelation(double[] one, double[] other) {
        int count = one.length;
        if (count < 3) {
            return Double.NaN;
        }
        double[] a = ranks(one);
        double[] b = ranks(other);
        double middle = (count - 1) / 2.0;
        double both = 0;
        double aa = 0;
        double bb = 0;
        for (int i = 0; i < count; i++) {
            both += (a[i] - middle) * (b[i] - middle);
            aa += (a[i] - middle) * (a[i] - middle);
            bb += (b[i] - middle) * (b[i] - middle);
        }
        return aa > 0 && bb > 0 ? both / Math.sqrt(aa * bb) : Double.NaN;
    }

    /** Returns ranks; equal numbers share the mean of their ranks. */
    private static double[] ranks(double[] values) {
        return IntStream.range(0, values.length).mapToDouble(i -> {
            double below = 0;
            for (double value : values) {
                below += value < values[i] ? 1 : value == values[i] ? 0.5 : 0;
            }
            return below - 0.5;
        }).toArray();
    }
}
