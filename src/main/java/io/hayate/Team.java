// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.SetupDoor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Opens ranks that are threads: all at once, as a rank's opening waits for the others. When one
 * cannot be opened the team is given up, so that nobody waits for it; nobody that was started still
 * uses the team when it goes.
 */
final class Team {
    /** Makes the thread, not started, in which a rank opens. */
    interface ThreadMaker {
        Thread make(Runnable opening, int rank);
    }

    private final long team;
    private final int ranks;
    private final List<FutureTask<Long>> openings;
    private final List<Long> jobs;
    /** The cause of all others, which only tell that the team was given up. */
    private RuntimeException failure;

    private Team(long team, int ranks) {
        this.team = team;
        this.ranks = ranks;
        this.openings = new ArrayList<>(ranks);
        this.jobs = new ArrayList<>(ranks);
    }

    /** The jobs of all ranks, by number. */
    static List<Long> open(int ranks) {
        return open(ranks, Team::thread);
    }

    static List<Long> open(int ranks, ThreadMaker threads) {
        long team = Errors.check(SetupDoor.teamCreate(ranks));
        try {
            return new Team(team, ranks).openAll(threads);
        } finally {
            SetupDoor.teamDrop(team);
        }
    }

    private static Thread thread(Runnable opening, int rank) {
        Thread thread = new Thread(null, opening, "hayate-rank-" + rank, 1 << 18);
        thread.setDaemon(true);
        return thread;
    }

    private List<Long> openAll(ThreadMaker threads) {
        startAll(threads);
        openings.forEach(this::collect);
        if (failure == null) {
            return jobs;
        }
        for (long job : jobs) {
            SetupDoor.jobClose(job);
            SetupDoor.jobFree(job);
        }
        throw failure;
    }

    /** What is on the list was started. */
    private void startAll(ThreadMaker threads) {
        try {
            while (openings.size() < ranks) {
                int rank = openings.size();
                FutureTask<Long> opening = new FutureTask<>(() -> openOne(rank));
                threads.make(opening, rank).start();
                openings.add(opening);
            }
        } catch (RuntimeException | Error e) {
            SetupDoor.teamGiveUp(team);
            failure = notStarted(e);
        }
    }

    private SystemFailureException notStarted(Throwable cause) {
        return new SystemFailureException("the thread of rank " + openings.size() + " of " + ranks
                + " could not be started (" + cause.getMessage() + "): make fewer ranks, or raise"
                + " the limit of threads (ulimit -u, pids.max of the container)", cause);
    }

    private long openOne(int rank) {
        try {
            return Errors.check(SetupDoor.jobOpenIn(team, rank));
        } catch (RuntimeException | Error e) {
            SetupDoor.teamGiveUp(team);
            throw e;
        }
    }

    private void collect(FutureTask<Long> opening) {
        try {
            jobs.add(uninterrupted(opening));
        } catch (ExecutionException e) {
            if (failure == null || isConsequence(failure)) {
                failure = failed(e.getCause());
            }
        }
    }

    /** Of a rank that has failed, or of the giving up. */
    private static boolean isConsequence(RuntimeException failure) {
        return failure instanceof PeerFailedException || failure instanceof StateException;
    }

    private static RuntimeException failed(Throwable cause) {
        return cause instanceof RuntimeException exception ? exception
                : new SystemFailureException("a rank could not be opened: " + cause, cause);
    }

    private static Long uninterrupted(FutureTask<Long> opening) throws ExecutionException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return opening.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
