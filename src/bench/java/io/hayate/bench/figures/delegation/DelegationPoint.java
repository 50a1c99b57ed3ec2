// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.delegation;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Half of a round trip between two nodes, or an alltoall of several, in microseconds, from several
 * rounds.
 *
 * @param mode "none" (no delegatee), "poll", "interrupt" or "adaptive"
 * @param waiting how the ranks wait: HAYATE_WAIT
 * @param bytes size of a message, or of a block
 * @param blocks how many of that size a rank sends within the time
 * @param min shortest batch of all rounds
 * @param median median of the medians of the rounds
 * @param p99 median of the 99th percentiles of the rounds
 * @param rounds number of rounds
 * @param ratio median divided by the median without a delegatee; 0: that was not measured
 */
record DelegationPoint(String mode, String waiting, int bytes, int blocks, double min,
        double median, double p99, int rounds, double ratio) {
    /**
     * One result of one round.
     *
     * @param min shortest batch
     * @param median median of batches
     * @param p99 99th percentile of batches
     */
    record Round(double min, double median, double p99) {
    }

    /**
     * Combines the rounds of a case.
     *
     * @param rounds at least one
     * @param undelegated the rounds of the same case without a delegatee, or an empty list
     * @return the point
     */
    static DelegationPoint of(String mode, String waiting, int bytes, int blocks,
            List<Round> rounds, List<Round> undelegated) {
        double median = median(rounds.stream().mapToDouble(Round::median).toArray());
        double base = undelegated.isEmpty() ? 0
                : median(undelegated.stream().mapToDouble(Round::median).toArray());
        return new DelegationPoint(mode, waiting, bytes, blocks,
                rounds.stream().mapToDouble(Round::min).min().orElse(0), median,
                median(rounds.stream().mapToDouble(Round::p99).toArray()), rounds.size(),
                base > 0 ? median / base : 0);
    }

    /**
     * Returns the median, which for an even number is the mean of the two in the middle.
     *
     * @param values at least one
     * @return their median
     */
    static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /**
     * Returns the bandwidth in megabytes (10^6 bytes) per second.
     *
     * @return all bytes that a rank sends, divided by the median
     */
    double megabytesPerSecond() {
        return median > 0 ? (double) bytes * blocks / median : 0;
    }

    /**
     * Returns the name of its curve.
     *
     * @return the mode, and how the ranks wait
     */
    String curve() {
        return curve(mode, waiting);
    }

    /** Returns the name of the curve of a mode, and of how the ranks wait. */
    static String curve(String mode, String waiting) {
        return (mode.equals("none") ? "no delegatee" : mode) + ", ranks " + waiting;
    }

    /**
     * Returns the values for a JSON object.
     *
     * @return names and values in their order
     */
    Map<String, Object> json() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("impl", "hayate-java");
        line.put("bench", "delegation");
        line.put("delegatee", mode);
        line.put("wait", waiting);
        line.put("bytes", bytes);
        line.put("blocks", blocks);
        line.put("min_us", min);
        line.put("median_us", median);
        line.put("p99_us", p99);
        line.put("mb_per_s", megabytesPerSecond());
        line.put("ratio", ratio > 0 ? ratio : null);
        line.put("rounds", rounds);
        return line;
    }
}
