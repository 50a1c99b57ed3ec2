// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.job.RankFailure;
import java.util.List;

/**
 * The body of a rank threw an exception, which is the cause: {@link Hayate#runThreads}. If several
 * ranks failed, this is the first one of them: the earliest, or the one to which
 * {@link PeerFailedException#peer()} leads from there. The others are suppressed, each as an
 * exception of this class, and those that only tell that another rank has failed come last.
 */
public final class RankFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The number of the rank. */
    private final int rank;

    private RankFailedException(RankFailure failure, int size) {
        super(failure.describe(size), failure.thrown());
        rank = failure.rank();
    }

    static RankFailedException of(List<RankFailure> failures, int size) {
        List<RankFailedException> all = RankFailure.explained(failures).stream()
                .map(failure -> new RankFailedException(failure, size)).toList();
        all.subList(1, all.size()).forEach(all.get(0)::addSuppressed);
        return all.get(0);
    }

    /**
     * Returns the rank that failed.
     *
     * @return a rank of the job
     */
    public int rank() {
        return rank;
    }
}
