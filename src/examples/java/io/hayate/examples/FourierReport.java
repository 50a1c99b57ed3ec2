// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.util.Locale;

/**
 * What a run prints. Times are seconds, the largest of all ranks; shares of communication are
 * fractions of the time of the steps. Communication is what a rank does in calls of the
 * transpositions: what happens while it computes is hidden.
 */
record FourierReport(Slabs slabs, double side, int steps, double step, String transposition,
        PacketCheck check, double seconds, double stepSeconds, double communicationMax,
        double communicationMean) {
    /** Bytes from rank to rank in a step, both ways. */
    long movedBytes() {
        return 2 * slabs.bytes() * (slabs.ranks() - 1);
    }

    /** Bytes per second, as far as it is not hidden. */
    double bandwidth() {
        return movedBytes() * (double) steps / (communicationMean * seconds);
    }

    String verdict() {
        return check.isRight() ? "right" : "wrong: " + (check.error() > check.errorLimit()
                ? "another field than the analytic one" : "the norm is not kept");
    }

    String text() {
        double[] is = check.centre();
        double[] expected = check.expected();
        return String.format(Locale.ROOT, """
                grid           %d^3 points of a box of side %.2f
                ranks          %d, each %d planes
                transposition  alltoalls of %s between two ranks, %d under way at once
                by             %s
                steps          %d of %.3g
                outcome        %s
                error          %.3e (against the analytic solution, %.1e allowed)
                Parseval       %.1e (norms of field and coefficients, %.1e allowed)
                norm           %.1e (off that at the beginning, %.1e allowed)
                centre         %.4f %.4f %.4f (expected %.4f %.4f %.4f)
                time           %.3f s, %.3f ms for a step (median)
                communication  %.1f %% of the time at most, %.1f %% on average
                bandwidth      %s""",
                slabs.points(), side, slabs.ranks(), slabs.thickness(),
                amount(slabs.batchBytes() / slabs.ranks()), slabs.batches(), transposition, steps,
                step, verdict(), check.error(), check.errorLimit(), check.parseval(),
                check.driftLimit(), check.drift(), check.driftLimit(), is[0], is[1], is[2],
                expected[0], expected[1], expected[2], seconds, 1e3 * stepSeconds,
                100 * communicationMax, 100 * communicationMean, bandwidthText());
    }

    String json() {
        double[] centre = check.centre();
        return "{\"grid\":" + slabs.points() + ",\"ranks\":" + slabs.ranks()
                + ",\"batches\":" + slabs.batches()
                + ",\"block\":" + slabs.batchBytes() / slabs.ranks()
                + ",\"transposition\":" + Json.quoted(transposition)
                + ",\"steps\":" + steps + ",\"step\":" + Json.number(step)
                + ",\"good\":" + check.isRight() + ",\"outcome\":" + Json.quoted(verdict())
                + ",\"error\":" + Json.number(check.error())
                + ",\"error_limit\":" + Json.number(check.errorLimit())
                + ",\"parseval\":" + Json.number(check.parseval())
                + ",\"norm_drift\":" + Json.number(check.drift())
                + ",\"centre\":[" + Json.number(centre[0]) + "," + Json.number(centre[1]) + ","
                + Json.number(centre[2]) + "]"
                + ",\"time_s\":" + Json.number(seconds)
                + ",\"step_s\":" + Json.number(stepSeconds)
                + ",\"communication_max\":" + Json.number(communicationMax)
                + ",\"communication_mean\":" + Json.number(communicationMean)
                + ",\"moved_bytes\":" + movedBytes()
                + ",\"bandwidth\":" + Json.number(bandwidth()) + "}";
    }

    private String bandwidthText() {
        return slabs.ranks() == 1 ? "none: nothing moves between ranks"
                : String.format(Locale.ROOT, "%.2f GB/s on all ranks, %s in a step",
                        bandwidth() * 1e-9, amount(movedBytes()));
    }

    private static String amount(long bytes) {
        return bytes >= 1 << 20 ? String.format(Locale.ROOT, "%.1f MiB", bytes / 1048576.0)
                : bytes >= 1 << 10 ? String.format(Locale.ROOT, "%.1f KiB", bytes / 1024.0)
                : bytes + " B";
    }
}
