// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import io.hayate.PeerFailedException;
import io.hayate.StateException;
import io.hayate.SystemFailureException;
import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.lifetime.JobAnchor;
import io.hayate.internal.lifetime.Reclaim;

/**
 * Opens the ranks of a job of threads, all at once, because the opening of a rank waits for the
 * others. If a rank cannot be opened, the job is abandoned, so that no rank waits for it. No helper
 * thread uses the job any more when it is freed, even if there is no memory to report the reason.
 */
public final class Team {
    /** Creates the thread in which a rank opens, without starting it. */
    interface ThreadMaker {
        Thread make(Runnable opening, int rank);
    }

    private final long team;
    private final JobAnchor[] jobs;
    private final Thread[] threads;
    private int started;
    /** Why no further thread was started, or null. */
    private Throwable refused;
    /** The result of each rank, written by its thread. */
    private final Throwable[] failures;

    private Team(long team, int ranks) {
        this.team = team;
        jobs = new JobAnchor[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            jobs[rank] = new JobAnchor();
        }
        threads = new Thread[ranks];
        failures = new Throwable[ranks];
    }

    /** Returns the jobs of all ranks, by number. */
    public static JobAnchor[] open(int ranks) {
        return open(ranks, Team::thread);
    }

    static JobAnchor[] open(int ranks, ThreadMaker threads) {
        long team = Reclaim.open(() -> Errors.check(SetupBinding.teamCreate(ranks)));
        try {
            return new Team(team, ranks).openAll(threads);
        } finally {
            SetupBinding.teamDrop(team);
        }
    }

    private static Thread thread(Runnable opening, int rank) {
        Thread thread = new Thread(null, opening, "hayate-rank-" + rank, 1 << 18);
        thread.setDaemon(true);
        return thread;
    }

    private JobAnchor[] openAll(ThreadMaker maker) {
        startAll(maker);
        awaitAll();
        Throwable failure = failure();
        if (failure == null) {
            return jobs;
        }
        for (JobAnchor job : jobs) {
            job.drop();
        }
        if (failure == refused) {
            throw notStarted();
        }
        throw failure instanceof RuntimeException exception ? exception
                : Errors.system("a rank could not be opened: " + failure, failure);
    }

    private void startAll(ThreadMaker maker) {
        try {
            for (; started < threads.length; started++) {
                int rank = started;
                threads[rank] = maker.make(() -> openOne(rank), rank);
                threads[rank].start();
            }
        } catch (RuntimeException | Error e) {
            SetupBinding.teamGiveUp(team);
            refused = e;
        }
    }

    private SystemFailureException notStarted() {
        return Errors.system("the thread of rank " + started + " of " + threads.length
                + " could not be started (" + refused.getMessage() + "): use fewer ranks, or raise"
                + " the limit of threads (ulimit -u, pids.max of the container)", refused);
    }

    private void openOne(int rank) {
        try {
            jobs[rank].take(Errors.check(SetupBinding.jobOpenIn(team, rank)));
        } catch (RuntimeException | Error e) {
            SetupBinding.teamGiveUp(team);
            failures[rank] = e;
        }
    }

    private void awaitAll() {
        boolean interrupted = false;
        for (int rank = 0; rank < started; rank++) {
            while (threads[rank].isAlive()) {
                try {
                    threads[rank].join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns the failure that caused all others, which only report that the job was abandoned;
     * null: there is none.
     */
    private Throwable failure() {
        Throwable first = null;
        for (Throwable each : failures) {
            if (each != null && (first == null || isConsequence(first))) {
                first = each;
            }
        }
        return refused != null ? refused : first;
    }

    /** The failure of a rank, or of the abandonment. */
    private static boolean isConsequence(Throwable failure) {
        return failure instanceof PeerFailedException || failure instanceof StateException;
    }
}
