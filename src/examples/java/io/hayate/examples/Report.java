// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.util.Locale;

/**
 * What a run prints. Times are seconds, the largest of all ranks; shares of communication are
 * fractions of the solution time.
 */
record Report(String problem, int rows, long nonzeros, int ranks, int halo, double tolerance,
        CgResult result, SolutionCheck check, double setUpSeconds, double seconds,
        double communicationMax, double communicationMean) {
    boolean isGood() {
        return result.converged() && check.isRight();
    }

    String verdict() {
        return result.converged() && !check.isRight()
                ? "wrong: converged to something else than the known solution"
                : result.outcome().toString();
    }

    String text() {
        return String.format(Locale.ROOT, """
                matrix         %s, %d rows, %d nonzeros
                ranks          %d, each needs at most %d entries of others
                outcome        %s
                iterations     %d
                residual       %.3e (|b - A x| / |b|, wanted %.1e)
                error          %.3e (against the known solution, %.1e allowed)
                condition      %.2e (of the preconditioned matrix, estimated)
                time           %.3f s (and %.3f s to read and distribute)
                communication  %.1f %% of the time at most, %.1f %% on average""",
                problem, rows, nonzeros, ranks, halo, verdict(), result.iterations(),
                check.residual(), tolerance, check.error(), check.limit(), result.condition(),
                seconds, setUpSeconds, 100 * communicationMax, 100 * communicationMean);
    }

    String json() {
        return "{\"matrix\":" + quoted(problem)
                + ",\"rows\":" + rows + ",\"nonzeros\":" + nonzeros
                + ",\"ranks\":" + ranks + ",\"halo\":" + halo
                + ",\"good\":" + isGood() + ",\"outcome\":" + quoted(verdict())
                + ",\"iterations\":" + result.iterations()
                + ",\"tolerance\":" + number(tolerance)
                + ",\"residual\":" + number(check.residual())
                + ",\"error\":" + number(check.error())
                + ",\"error_limit\":" + number(check.limit())
                + ",\"condition\":" + number(result.condition())
                + ",\"solution_norm\":" + number(check.norm())
                + ",\"solution_sum\":" + number(check.sum())
                + ",\"solution_wave\":" + number(check.wave())
                + ",\"set_up_s\":" + number(setUpSeconds)
                + ",\"time_s\":" + number(seconds)
                + ",\"communication_max\":" + number(communicationMax)
                + ",\"communication_mean\":" + number(communicationMean) + "}";
    }

    /** JSON has no infinities. */
    private static String number(double value) {
        return Double.isFinite(value) ? Double.toString(value) : "null";
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
