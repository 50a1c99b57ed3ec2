// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.util.Locale;

/**
 * What a run prints. Times are seconds, the largest of all ranks; shares of communication are
 * fractions of the solution time.
 */
record Report(String problem, int rows, long nonzeros, int ranks, int halo, boolean persistent,
        String sums, double tolerance, CgResult result, SolutionCheck check, double setUpSeconds,
        double seconds, double communicationMax, double communicationMean) {
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
                sums           %s
                outcome        %s
                iterations     %d
                residual       %.3e (|b - A x| / |b|, wanted %.1e)
                error          %.3e (against the known solution, %.1e allowed)
                condition      %.2e (of the preconditioned matrix, estimated)
                time           %.3f s (and %.3f s to read and distribute)
                communication  %.1f %% of the time at most, %.1f %% on average""",
                problem, rows, nonzeros, ranks, halo, sums, verdict(), result.iterations(),
                check.residual(), tolerance, check.error(), check.limit(), result.condition(),
                seconds, setUpSeconds, 100 * communicationMax, 100 * communicationMean);
    }

    String json() {
        return "{\"matrix\":" + Json.quoted(problem)
                + ",\"rows\":" + rows + ",\"nonzeros\":" + nonzeros
                + ",\"ranks\":" + ranks + ",\"halo\":" + halo
                + ",\"persistent\":" + persistent + ",\"sums\":" + Json.quoted(sums)
                + ",\"good\":" + isGood() + ",\"outcome\":" + Json.quoted(verdict())
                + ",\"iterations\":" + result.iterations()
                + ",\"tolerance\":" + Json.number(tolerance)
                + ",\"residual\":" + Json.number(check.residual())
                + ",\"error\":" + Json.number(check.error())
                + ",\"error_limit\":" + Json.number(check.limit())
                + ",\"condition\":" + Json.number(result.condition())
                + ",\"solution_norm\":" + Json.number(check.norm())
                + ",\"solution_sum\":" + Json.number(check.sum())
                + ",\"solution_wave\":" + Json.number(check.wave())
                + ",\"set_up_s\":" + Json.number(setUpSeconds)
                + ",\"time_s\":" + Json.number(seconds)
                + ",\"communication_max\":" + Json.number(communicationMax)
                + ",\"communication_mean\":" + Json.number(communicationMean) + "}";
    }
}
