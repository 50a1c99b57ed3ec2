// SPDX-License-Identifier: Apache-2.0
package io.hayate.testcontainers;

import com.github.dockerjava.api.exception.NotFoundException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;

/**
 * A job on a {@link HayateCluster}, started by {@link HayateCluster#run} or
 * {@link HayateCluster#launch}. Its output can be read while it runs, after it, and of a node that
 * is cut off or killed, until the cluster is stopped. Any thread may call any method.
 */
public final class ClusterJob {
    /** The exit code of a job that was ended after the limit of the cluster. */
    public static final int TIMED_OUT = 124; // of timeout(1)

    /** A script that keeps the output of a rank in files of its node; $1 is their directory. */
    static final String KEEP_OUTPUT = "d=$1; shift; mkdir -p $d;"
            + " exec \"$@\" >$d/out.$PMI_RANK 2>$d/err.$PMI_RANK";

    private final CompletableFuture<ExecResult> end = new CompletableFuture<>();
    private final List<GenericContainer<?>> places;
    private final String directory;

    /** {@code places}: the container of each rank. */
    ClusterJob(Supplier<ExecResult> launcher, List<GenericContainer<?>> places, String directory) {
        this.places = places;
        this.directory = directory;
        Thread thread = new Thread(() -> {
            try {
                end.complete(launcher.get());
            } catch (Throwable failed) {
                end.completeExceptionally(failed);
            }
        }, "hayate-cluster-job");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Waits for the end of the job.
     *
     * @return the exit code of {@code mpiexec}: 0 if all ranks have ended with 0;
     *     {@link #TIMED_OUT}
     * @throws IllegalStateException if the launcher could not be run, the first node has ended, or
     *     the calling thread is interrupted, whose interrupt is then still set
     */
    public int exit() {
        return ended().getExitCode();
    }

    private ExecResult ended() {
        try {
            return end.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the job runs", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the launcher could not be run, or its node has ended: "
                    + e.getCause().getMessage(), e.getCause());
        }
    }

    /**
     * Returns whether the job has ended.
     *
     * @return true: {@link #exit} does not wait
     */
    public boolean hasEnded() {
        return end.isDone();
    }

    /**
     * Returns what a rank has written to standard output so far.
     *
     * @param rank 0 to the number of ranks - 1
     * @return lines; the last one may not be whole while the job runs
     */
    public List<String> out(int rank) {
        return lines(rank, "out");
    }

    /**
     * Returns what a rank has written to standard error so far.
     *
     * @param rank 0 to the number of ranks - 1
     * @return lines; the last one may not be whole while the job runs
     */
    public List<String> err(int rank) {
        return lines(rank, "err");
    }

    private List<String> lines(int rank, String stream) {
        try {
            return places.get(rank).copyFileFromContainer(
                    directory + "/" + stream + "." + rank,
                    in -> new String(in.readAllBytes(), StandardCharsets.UTF_8)).lines().toList();
        } catch (NotFoundException notStarted) {
            return List.of();
        }
    }

    /**
     * Waits for the end of the job, and fails unless its exit code is 0.
     *
     * @return this
     * @throws AssertionError with the output of all ranks
     */
    public ClusterJob good() {
        if (exit() != 0) {
            throw new AssertionError(this);
        }
        return this;
    }

    /**
     * Returns the exit code, if there is one yet, and the output of each rank, for messages. Does
     * not throw: where a node has ended, it says why there is no output.
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(end.handle(ClusterJob::describe)
                .getNow("running"));
        for (int rank = 0; rank < places.size(); rank++) {
            describe(text, rank);
        }
        return text.toString();
    }

    private static String describe(ExecResult result, Throwable failed) {
        return failed != null ? "the launcher failed: " + failed
                : "exit code " + result.getExitCode() + '\n' + result.getStdout()
                + result.getStderr();
    }

    private void describe(StringBuilder text, int rank) {
        String before = "\n[" + rank + "] ";
        try {
            out(rank).forEach(line -> text.append(before).append(line));
            err(rank).forEach(line -> text.append(before).append("error: ").append(line));
        } catch (RuntimeException gone) {
            text.append(before).append("its output cannot be read: ").append(gone);
        }
    }
}
