// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import io.hayate.PeerFailedException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What a rank of a job has thrown.
 *
 * @param time of {@link System#nanoTime}, which all processes of a machine share
 */
public record RankFailure(int rank, long time, Throwable thrown) {
    /**
     * Returns the failures in the order in which they explain each other: the first one, then
     * others that are not only a consequence of it, then those that are.
     */
    public static List<RankFailure> explained(List<RankFailure> failures) {
        List<RankFailure> byTime = new ArrayList<>(failures);
        byTime.sort(Comparator.comparingLong(RankFailure::time));
        List<RankFailure> explained = new ArrayList<>();
        if (!byTime.isEmpty()) {
            explained.add(byTime.remove(0));
            byTime.stream().filter(one -> !one.isConsequence()).forEach(explained::add);
            byTime.stream().filter(RankFailure::isConsequence).forEach(explained::add);
        }
        return explained;
    }

    /** Returns whether the rank failed because another one had. */
    private boolean isConsequence() {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof PeerFailedException) {
                return true;
            }
        }
        return false;
    }

    /** Describes the failure with the size of the job. */
    public String describe(int size) {
        boolean clear = thrown instanceof HangException
                || thrown instanceof AssertionError && thrown.getMessage() != null;
        return "rank " + rank + " of " + size
                + (thrown instanceof HangException ? " hangs: " : " failed: ")
                + (clear ? thrown.getMessage() : thrown);
    }
}
