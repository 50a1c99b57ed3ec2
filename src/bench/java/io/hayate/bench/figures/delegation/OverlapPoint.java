// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.delegation;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much of a communication is hidden behind other work of the rank. Times are medians in
 * milliseconds.
 *
 * @param operation the communication
 * @param work what the rank does meanwhile
 * @param bytes size of one message or reduction
 * @param window how many of them are under way
 * @param pure time of the communication alone
 * @param busy time of the work alone
 * @param both time of both: start, work, await
 * @param samples number of samples of each
 */
record OverlapPoint(String operation, String work, int bytes, int window, double pure,
        double busy, double both, int samples) {
    /**
     * Returns the share of the shorter one that is hidden, by the definition of IMB-NBC of the
     * Intel MPI Benchmarks.
     *
     * @return (pure + busy - both) / min(pure, busy), limited to 0 to 1
     */
    double overlap() {
        double least = Math.min(pure, busy);
        return least > 0 ? Math.max(0, Math.min(1, (pure + busy - both) / least)) : 0;
    }

    /**
     * Returns the values for a JSON object.
     *
     * @return names and values in their order
     */
    Map<String, Object> json() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("impl", "hayate-java");
        line.put("bench", "overlap");
        line.put("operation", operation);
        line.put("work", work);
        line.put("bytes", bytes);
        line.put("window", window);
        line.put("pure_ms", pure);
        line.put("work_ms", busy);
        line.put("both_ms", both);
        line.put("overlap", overlap());
        line.put("samples", samples);
        return line;
    }
}
