/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;

/**
 * The rounds of one case and series in one: the median of their medians, how far these lie apart,
 * the least time seen at all, and the median of the 99th percentiles.
 */
record Figure(
        Measurement.Case what,
        String series,
        List<Double> medians,
        double medianUs,
        double minUs,
        double p99Us,
        Double cpuPercent) {

    static Figure of(List<Measurement> rounds) {
        Measurement first = rounds.get(0);
        List<Double> medians = rounds.stream().map(Measurement::medianUs).sorted().toList();
        return new Figure(
                first.what(),
                first.series(),
                medians,
                middle(medians.stream().mapToDouble(Double::doubleValue).toArray()),
                rounds.stream().mapToDouble(Measurement::minUs).min().orElseThrow(),
                middle(rounds.stream().mapToDouble(Measurement::p99Us).toArray()),
                first.cpuPercent());
    }

    double gigabytesPerSecond() {
        return medianUs > 0 ? what.bytes() / medianUs / 1000 : 0;
    }

    double lowestMedianUs() {
        return medians.get(0);
    }

    double highestMedianUs() {
        return medians.get(medians.size() - 1);
    }

    /** Compares two figures; empty if one is missing. */
    static Optional<Double> compare(
            Optional<Figure> one, Optional<Figure> other, DoubleBinaryOperator how) {
        return one.flatMap(ours -> other.map(
                others -> how.applyAsDouble(ours.medianUs(), others.medianUs())));
    }

    static double middle(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
