/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;

/**
 * All rounds of one case and series in one: the median of the rounds' medians, how far these lie
 * apart, the least time seen at all, and the median of the 99th percentiles.
 */
record Figure(
        Measurement.Case what,
        String series,
        Map<Integer, Double> medianOfRound,
        Map<Integer, Double> lineOfRound,
        double medianUs,
        double minUs,
        double p99Us,
        Double cpuPercent) {

    private static final long SHORT = 2048;

    static Figure of(List<Measurement> rounds) {
        Measurement first = rounds.get(0);
        Map<Integer, Double> medians = new TreeMap<>();
        Map<Integer, Double> lines = new TreeMap<>();
        for (Measurement one : rounds) {
            medians.put(one.round(), one.medianUs());
            lines.put(one.round(), one.lineUs());
        }
        return new Figure(
                first.what(),
                first.series(),
                medians,
                lines,
                middle(medians.values().stream().mapToDouble(d -> d).toArray()),
                rounds.stream().mapToDouble(Measurement::minUs).min().orElseThrow(),
                middle(rounds.stream().mapToDouble(Measurement::p99Us).toArray()),
                first.cpuPercent());
    }

    double gigabytesPerSecond() {
        return medianUs > 0 ? what.bytes() / medianUs / 1000 : 0;
    }

    double lowestMedianUs() {
        return medianOfRound.values().stream().mapToDouble(d -> d).min().orElseThrow();
    }

    double highestMedianUs() {
        return medianOfRound.values().stream().mapToDouble(d -> d).max().orElseThrow();
    }

    /** Whether a cache line took about the same just before both were measured in that round. */
    private static boolean alike(Figure one, Figure other, int round) {
        double here = one.lineOfRound.getOrDefault(round, 0.0);
        double there = other.lineOfRound.getOrDefault(round, 0.0);
        return Math.max(here, there) <= 1.3 * Math.min(here, there);
    }

    /**
     * Compares two figures round by round, so that what slows a whole round down falls out, and
     * takes the middle. Rounds between which the machine itself changed its speed are left out
     * unless all are such. Short messages, whose time is that of cache lines on their way, are
     * compared by the fastest round of each: virtual CPUs come closer and part within seconds,
     * while a round lasts. Empty when they have no round in common.
     */
    static Optional<Double> compare(
            Optional<Figure> one, Optional<Figure> other, DoubleBinaryOperator how) {
        if (one.isEmpty() || other.isEmpty()) {
            return Optional.empty();
        }
        if (one.get().what().bytes() <= SHORT) {
            return Optional.of(how.applyAsDouble(
                    one.get().lowestMedianUs(), other.get().lowestMedianUs()));
        }
        Map<Integer, Double> ours = one.get().medianOfRound();
        Map<Integer, Double> others = other.get().medianOfRound();
        List<Integer> common = ours.keySet().stream()
                .filter(r -> others.getOrDefault(r, 0.0) > 0)
                .toList();
        List<Integer> steady =
                common.stream().filter(r -> alike(one.get(), other.get(), r)).toList();
        double[] values = (steady.isEmpty() ? common : steady).stream()
                .mapToDouble(r -> how.applyAsDouble(ours.get(r), others.get(r)))
                .toArray();
        return values.length == 0 ? Optional.empty() : Optional.of(middle(values));
    }

    private static double middle(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
