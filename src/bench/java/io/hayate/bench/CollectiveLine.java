/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import com.google.gson.annotations.SerializedName;

/**
 * One JSON line of the referee: a series in a case, in one repetition. Times are microseconds of
 * one call, of the slowest rank. {@code turns} has the median of each turn (lines of overlap: the
 * share hidden); those of other series with the same index were measured within milliseconds;
 * negative when there is none.
 */
record CollectiveLine(
        int repetition,
        String bench,
        long bytes,
        int ranks,
        String series,
        String choice,
        @SerializedName("line_us") double lineUs,
        @SerializedName("min_us") double minUs,
        @SerializedName("median_us") double medianUs,
        @SerializedName("p99_us") double p99Us,
        double[] turns,
        @SerializedName("pure_us") double pureUs,
        @SerializedName("cpu_us") double cpuUs,
        @SerializedName("both_us") double bothUs,
        @SerializedName("overlap_percent") double overlapPercent) {

    Cell cell() {
        return new Cell(bench, bytes, ranks);
    }

    boolean isOverlap() {
        return bench.startsWith("overlap");
    }

    /** What was measured, whoever did it. */
    record Cell(String bench, long bytes, int ranks) {}
}
