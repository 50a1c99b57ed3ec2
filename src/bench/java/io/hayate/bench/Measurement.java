/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import com.google.gson.annotations.SerializedName;

/** One JSON line of an adapter. Times are microseconds, point-to-point ones half round trips. */
record Measurement(
        int round,
        String impl,
        String bench,
        long bytes,
        int ranks,
        String path,
        String buffers,
        @SerializedName("min_us") double minUs,
        @SerializedName("median_us") double medianUs,
        @SerializedName("p99_us") double p99Us,
        @SerializedName("cpu_percent") Double cpuPercent,
        @SerializedName("line_us") double lineUs,
        @SerializedName("line_after_us") double lineAfterUs) {
    /** Distances of virtual CPUs differ by a factor of four and more. */
    private static final double ALIKE = 2;

    /**
     * Tells whether the CPUs were about as far from each other as {@code usualUs}, the time of a
     * cache line, tells; before and after, as far as that was measured.
     */
    boolean isUsual(double usualUs) {
        return isAbout(lineUs, usualUs) && isAbout(lineAfterUs, usualUs);
    }

    private static boolean isAbout(double us, double usualUs) {
        return us <= 0 || (us < usualUs * ALIKE && us > usualUs / ALIKE);
    }

    /** What the line is called in tables and pictures: who, and what tells its lines apart. */
    String series() {
        return switch (impl) {
            case "hayate-java", "hayate-c", "openmpi-java" -> impl + " " + buffers;
            case "ucx", "raw" -> impl + " " + path;
            default -> impl;
        };
    }

    Case what() {
        return new Case(bench, bytes, ranks);
    }

    /** What was measured, whoever did it. */
    record Case(String bench, long bytes, int ranks) {}
}
