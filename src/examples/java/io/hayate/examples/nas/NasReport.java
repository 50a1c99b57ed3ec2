// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.examples.nas.Benchmark.Verification;
import io.hayate.examples.nas.Benchmark.Work;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a run prints, in the manner of NPB. Times are seconds, of the slowest rank, one for each
 * repetition; communication is the mean share of all ranks.
 */
record NasReport(String name, NasOptions options, int ranks, Work work, double[] times,
        double communication, Verification verification) {
    double seconds() {
        double[] sorted = sorted();
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    double mops() {
        return work.operations() * 1e-6 / seconds();
    }

    boolean isSuccessful() {
        return verification.successful();
    }

    String text() {
        String verdict = isSuccessful() ? "Successful" : "failed";
        return String.format(Locale.ROOT, """
                 %s

                 Verification %s

                 %s Benchmark Completed.
                """, verification.detail().indent(1).strip(), verdict, name)
                + row("Class", options.problem()) + row("Size", work.size())
                + row("Iterations", work.iterations()) + row("Time in seconds", decimal(seconds()))
                + (times.length == 1 ? "" : row("Least, most of " + times.length,
                        decimal(sorted()[0]) + ", " + decimal(sorted()[times.length - 1])))
                + row(options.threads() > 0 ? "Total threads" : "Total processes", ranks)
                + row("Mop/s total", decimal(mops()))
                + row(options.threads() > 0 ? "Mop/s/thread" : "Mop/s/process",
                        decimal(mops() / ranks))
                + row("Operation type", work.operationType())
                + row("Verification", isSuccessful() ? "SUCCESSFUL" : "UNSUCCESSFUL")
                + row("Memory", options.memory().name().toLowerCase(Locale.ROOT))
                + row("Collectives", options.persistent() ? "persistent" : "plain")
                + row("Communication", String.format(Locale.ROOT, "%.1f %%", 100 * communication));
    }

    String json() {
        return String.format(Locale.ROOT, "{\"benchmark\":\"%s\",\"class\":\"%s\",\"ranks\":%d,"
                + "\"size\":\"%s\",\"iterations\":%d,\"memory\":\"%s\",\"persistent\":%b,"
                + "\"seconds\":%s,\"times\":[%s],\"mops\":%s,\"communication\":%s,"
                + "\"verified\":%b,\"detail\":\"%s\"}",
                name, options.problem(), ranks, work.size(), work.iterations(),
                options.memory().name().toLowerCase(Locale.ROOT), options.persistent(), seconds(),
                Arrays.stream(times).mapToObj(Double::toString).collect(Collectors.joining(",")),
                mops(), communication, isSuccessful(), escaped(verification.detail()));
    }

    private double[] sorted() {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    private static String row(String label, Object value) {
        return String.format(Locale.ROOT, " %-16s = %24s%n", label, value);
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, value < 1 ? "%.5f" : "%.2f", value);
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
