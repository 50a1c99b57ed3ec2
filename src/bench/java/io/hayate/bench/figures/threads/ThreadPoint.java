// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.threads;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One case of {@link ThreadScaling}: a number of threads on each of two ranks, all at once.
 *
 * @param endpoints number of endpoints of each rank; 0: one per thread
 * @param threads number of threads of each rank
 * @param bytes size of a put
 * @param min half a round trip of put and flag in microseconds: shortest batch
 * @param median median of batches
 * @param p99 99th percentile of batches
 * @param perSecond puts of all threads in one direction, in windows, median
 * @param samples number of batches of the round trips
 */
record ThreadPoint(int endpoints, int threads, int bytes, double min, double median,
        double p99, double perSecond, int samples) {
    /**
     * Returns "thread", or the number of endpoints in the list.
     *
     * @return the word in the syntax of the option
     */
    String endpointsText() {
        return endpoints == 0 ? "thread" : String.valueOf(endpoints);
    }

    /**
     * Returns the values for a JSON object.
     *
     * @return names and values in their order
     */
    Map<String, Object> json() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("impl", "hayate-java");
        line.put("bench", "threads");
        line.put("endpoints", endpointsText());
        line.put("threads", threads);
        line.put("bytes", bytes);
        line.put("min_us", min);
        line.put("median_us", median);
        line.put("p99_us", p99);
        line.put("messages_per_s", perSecond);
        line.put("samples", samples);
        return line;
    }
}
