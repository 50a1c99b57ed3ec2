// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.SetupDoor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Opens ranks that are threads: all at once, as a rank's opening waits for the others. */
final class Team {
    private Team() {
    }

    /** The jobs of all ranks, by number. */
    static List<Long> open(int ranks) {
        long team = Errors.check(SetupDoor.teamCreate(ranks));
        try {
            List<FutureTask<Long>> openings = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                openings.add(start(team, rank));
            }
            return collect(openings);
        } finally {
            SetupDoor.teamDrop(team);
        }
    }

    private static FutureTask<Long> start(long team, int rank) {
        FutureTask<Long> opening = new FutureTask<>(
                () -> Errors.check(SetupDoor.jobOpenIn(team, rank)));
        Thread thread = new Thread(null, opening, "hayate-rank-" + rank, 1 << 18);
        thread.setDaemon(true);
        thread.start();
        return opening;
    }

    /** If one fails the others fail, too, or are closed again. */
    private static List<Long> collect(List<FutureTask<Long>> openings) {
        List<Long> jobs = new ArrayList<>();
        RuntimeException failure = null;
        for (FutureTask<Long> opening : openings) {
            try {
                jobs.add(uninterrupted(opening));
            } catch (ExecutionException e) {
                failure = failure != null ? failure : unwrap(e.getCause());
            }
        }
        if (failure == null) {
            return jobs;
        }
        for (long job : jobs) {
            SetupDoor.jobClose(job);
            SetupDoor.jobFree(job);
        }
        throw failure;
    }

    private static RuntimeException unwrap(Throwable cause) {
        if (cause instanceof RuntimeException exception) {
            return exception;
        }
        throw (Error) cause;
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
