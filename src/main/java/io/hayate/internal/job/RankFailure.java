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
            RankFailure first = first(byTime);
            byTime.remove(first);
            explained.add(first);
            byTime.stream().filter(one -> one.peer() < 0).forEach(explained::add);
            byTime.stream().filter(one -> one.peer() >= 0).forEach(explained::add);
        }
        return explained;
    }

    /**
     * Follows the peers that the failures name, from the earliest one on. Time alone does not tell:
     * a rank that fails may close a communicator, of which others learn before its own failure is
     * recorded. Two that name each other leave only the time.
     */
    private static RankFailure first(List<RankFailure> byTime) {
        RankFailure first = byTime.get(0);
        for (int steps = 0; steps < byTime.size(); steps++) {
            RankFailure cause = ofRank(byTime, first.peer());
            if (cause == null) {
                return first;
            }
            first = cause;
        }
        return byTime.get(0);
    }

    private static RankFailure ofRank(List<RankFailure> failures, int rank) {
        return failures.stream().filter(one -> one.rank == rank).findFirst().orElse(null);
    }

    /** Returns the rank whose failure made this one fail; negative: none. */
    private int peer() {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof PeerFailedException failed) {
                return failed.peer();
            }
        }
        return -1;
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
