// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.delegation;

import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Messages in bursts, with a pause between bursts. Times are halves of round trips, in
 * microseconds.
 *
 * @param pause time between two bursts, in microseconds
 * @param bytes size of a message
 * @param length round trips of a burst
 * @param bursts number of bursts that were measured
 * @param median median of all messages
 * @param p99 99th percentile of all messages
 * @param first median of the first message of each burst
 * @param cpu processor time of the delegatee of rank 0, in percent of the time that passed; -1: it
 *     has none
 */
record BurstPoint(int pause, int bytes, int length, int bursts, double median, double p99,
        double first, double cpu) {
    /** Reads what {@link #json} has become. */
    static BurstPoint of(JsonObject line) {
        return new BurstPoint(line.get("pause_us").getAsInt(), line.get("bytes").getAsInt(),
                line.get("length").getAsInt(), line.get("bursts").getAsInt(),
                line.get("median_us").getAsDouble(), line.get("p99_us").getAsDouble(),
                line.get("first_us").getAsDouble(), line.get("cpu_percent").getAsDouble());
    }

    /**
     * Combines several rounds of one case: the medians of all values.
     *
     * @param rounds at least one
     * @return their point
     */
    static BurstPoint of(List<BurstPoint> rounds) {
        BurstPoint any = rounds.get(0);
        return new BurstPoint(any.pause, any.bytes, any.length,
                rounds.stream().mapToInt(BurstPoint::bursts).sum(),
                median(rounds, BurstPoint::median), median(rounds, BurstPoint::p99),
                median(rounds, BurstPoint::first), median(rounds, BurstPoint::cpu));
    }

    private static double median(List<BurstPoint> rounds, ToDoubleFunction<BurstPoint> value) {
        return DelegationPoint.median(rounds.stream().mapToDouble(value).toArray());
    }

    /**
     * Returns the values for a JSON object.
     *
     * @return names and values in their order
     */
    Map<String, Object> json() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("impl", "hayate-java");
        line.put("bench", "bursts");
        line.put("pause_us", pause);
        line.put("bytes", bytes);
        line.put("length", length);
        line.put("bursts", bursts);
        line.put("median_us", median);
        line.put("p99_us", p99);
        line.put("first_us", first);
        line.put("cpu_percent", cpu);
        return line;
    }
}
