// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Breakdown;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One measured case; times are in microseconds per message or call.
 *
 * @param plan the parameters
 * @param bytes size of a message; 0 for barriers
 * @param ranks number of ranks of the job
 * @param path the protocol that the messages actually used
 * @param min shortest batch
 * @param median median of batches
 * @param p99 99th percentile of batches
 * @param samples number of batches
 * @param batch number of turns in a batch
 * @param work the part of a message's time in which the data are written and read, measured without
 *        a message: how long a core takes for its own data; 0 if they are stale
 * @param breakdown parts of a message, or null
 */
public record Result(Plan plan, int bytes, int ranks, String path, double min, double median,
        double p99, int samples, int batch, double work,
        Breakdown breakdown) {
    private static final double MICROS = 1e6;

    /**
     * Returns the bandwidth in megabytes (10^6 bytes) per second.
     *
     * @return the sum of all threads
     */
    public double megabytesPerSecond() {
        return median > 0 ? bytes / median : 0;
    }

    /**
     * Returns the number of messages or calls per second.
     *
     * @return the sum of all threads
     */
    public double perSecond() {
        return median > 0 ? MICROS / median : 0;
    }

    /**
     * Returns the values for a JSON object.
     *
     * @return names and values in their order
     */
    public Map<String, Object> json() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("impl", "hayate-java");
        line.put("bench", plan.bench());
        line.put("bytes", bytes);
        line.put("ranks", ranks);
        line.put("path", path);
        line.put("buffers", plan.buffers());
        line.put("min_us", min);
        line.put("median_us", median);
        line.put("p99_us", p99);
        line.put("work_us", work);
        line.put("stale", plan.stale());
        line.put("mb_per_s", megabytesPerSecond());
        if (plan.bench() == Bench.RATE) {
            line.put("threads", plan.threads());
            line.put("messages_per_s", perSecond());
        }
        line.put("samples", samples);
        line.put("batch", batch);
        if (breakdown != null) {
            line.put("breakdown", breakdownJson());
        }
        return line;
    }

    private Map<String, Object> breakdownJson() {
        Map<String, Object> parts = new LinkedHashMap<>();
        parts.put("send_setup_ns", breakdown.sendSetup());
        parts.put("send_header_ns", breakdown.sendHeader());
        parts.put("send_data_ns", breakdown.sendData());
        parts.put("recv_setup_ns", breakdown.receiveSetup());
        parts.put("recv_header_ns", breakdown.receiveHeader());
        parts.put("recv_data_ns", breakdown.receiveData());
        parts.put("samples", breakdown.samples());
        return parts;
    }
}
