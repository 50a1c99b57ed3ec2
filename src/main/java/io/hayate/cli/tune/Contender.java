// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import java.util.ArrayList;
import java.util.List;

/** A candidate in a contest. Times are nanoseconds per run; NaN if there was none. */
final class Contender {
    final int index;
    final String options;
    final double predicted;
    /** Times by repetition of the first part, while it took part. */
    final List<Double> times = new ArrayList<>();
    /** Times by round of the final. */
    final List<Double> finals = new ArrayList<>();
    boolean out;

    Contender(int index, String options, double predicted) {
        this.index = index;
        this.options = options;
        this.predicted = predicted;
    }

    boolean moves(String transfer) {
        return (options + " ").contains("transfer=" + transfer + " ");
    }

    double median() {
        return Statistics.median(times);
    }

    double finalMedian() {
        return Statistics.median(finals);
    }

    /** Returns the loss against another candidate, compared round by round. */
    double finalRatio(Contender other) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(finals.size(), other.finals.size()); i++) {
            ratios.add(finals.get(i) / other.finals.get(i));
        }
        return Statistics.median(ratios);
    }
}
