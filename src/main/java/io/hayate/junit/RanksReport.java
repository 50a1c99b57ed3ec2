// SPDX-License-Identifier: Apache-2.0
package io.hayate.junit;

import io.hayate.internal.job.HangException;
import io.hayate.internal.job.RankFailure;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** What JUnit is told of the failures of ranks. */
final class RanksReport {
    private RanksReport() {
    }

    /** Returns what the test is to throw. */
    static Throwable of(List<RankFailure> failures, int size) {
        List<RankFailure> explained = RankFailure.explained(failures);
        RankFailure first = explained.get(0);
        if (first.thrown() instanceof TestAbortedException) {
            return first.thrown();
        }
        Throwable report = error(message(explained, size), first.thrown());
        explained.subList(1, explained.size()).forEach(one ->
                report.addSuppressed(error(one.describe(size), one.thrown())));
        return report;
    }

    /**
     * Names one rank, or all of those that hang, because each may be the one that the others wait
     * for; then who waited for whom. Each process has looked on its own: the longest text is that
     * of a look that ended before any rank was told to end.
     */
    private static String message(List<RankFailure> explained, int size) {
        if (!(explained.get(0).thrown() instanceof HangException)) {
            return explained.get(0).describe(size);
        }
        List<RankFailure> hangs = explained.stream()
                .filter(one -> one.thrown() instanceof HangException).toList();
        String waits = hangs.stream().map(one -> ((HangException) one.thrown()).waits())
                .max(Comparator.comparingInt(String::length)).orElseThrow();
        return (hangs.stream().map(one -> one.describe(size)).collect(Collectors.joining("\n"))
                + "\n" + waits).strip();
    }

    /** Keeps the values of a comparison, which tools show side by side. */
    private static Throwable error(String message, Throwable cause) {
        return cause instanceof AssertionFailedError values && values.isExpectedDefined()
                ? new AssertionFailedError(message, values.getExpected(), values.getActual(), cause)
                : new AssertionFailedError(message, cause);
    }
}
