// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.bindings.PvasBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.lifetime.PvasReach;
import io.hayate.internal.pvas.PvasImports;
import io.hayate.internal.pvas.PvasStreams;
import io.hayate.internal.pvas.PvasTaskState;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A program that runs, or has run, as a task of a {@link Pvas}. It has a separate process id, file
 * descriptors, signal handlers and global variables; if it crashes, no other task ends.
 *
 * <p>After its end the memory of a task is still accessible. It is freed after {@link #close()}, or
 * when this object is no longer reachable, as soon as no {@link PvasMemory} of it and no buffer
 * derived from one is reachable.
 *
 * <p>Any thread may use it. An interrupt does not end a wait; a waiting virtual thread releases its
 * carrier.
 */
public final class PvasTask implements AutoCloseable {
    private final PvasTaskState state;
    private final OutputStream stdin;
    private final InputStream stdout;
    private final InputStream stderr;

    PvasTask(PvasTaskState state) {
        this.state = state;
        PvasStreams pipes = state.streams;
        stdin = pipes.in == null ? null : new Output(this, pipes.in);
        stdout = pipes.out == null ? null : new Input(this, pipes.out);
        stderr = pipes.err == null ? null : new Input(this, pipes.err);
        PvasReach.onUnreachable(this, () -> abandon(state));
    }

    /**
     * Neither the task nor its streams are reachable: it may continue to run, but the program no
     * longer uses it.
     */
    private static void abandon(PvasTaskState state) {
        state.end().whenComplete((status, failure) -> state.streams.close());
        state.release();
    }

    /** A stream that keeps the task reachable, and so its pipes open. */
    private static final class Input extends BufferedInputStream {
        @SuppressWarnings("unused")
        private final PvasTask task;

        Input(PvasTask task, InputStream pipe) {
            super(pipe);
            this.task = task;
        }
    }

    /** The same for output. */
    private static final class Output extends BufferedOutputStream {
        @SuppressWarnings("unused")
        private final PvasTask task;

        Output(PvasTask task, OutputStream pipe) {
            super(pipe);
            this.task = task;
        }
    }

    /**
     * Returns the number of the task in its space, by which other tasks refer to it.
     *
     * @return 0 or more; valid also after close
     */
    public int number() {
        return state.number;
    }

    /**
     * Returns the process id of the task.
     *
     * @return the id; valid also after its end, when the system may have given it to another
     *     process
     */
    public long pid() {
        return state.pid;
    }

    /**
     * Returns whether the task runs.
     *
     * @return false if this process knows that all its threads have ended; valid also after close
     */
    public boolean isAlive() {
        return state.isAlive();
    }

    /**
     * Returns a future of the task's end. One thread waits for all tasks, in the kernel; actions on
     * the future run in other threads.
     *
     * @return a new future, which completes when the task has ended; to cancel it does not affect
     *     the task. Valid also after close
     */
    public CompletableFuture<PvasStatus> ended() {
        return state.future();
    }

    /**
     * Returns how the task ended.
     *
     * @return empty while it runs; valid also after close
     * @throws SystemFailureException for the reasons of {@link #await}
     */
    public Optional<PvasStatus> status() {
        return isAlive() ? Optional.empty() : Optional.of(state.await());
    }

    /**
     * Waits for the end of the task.
     *
     * @return how it ended; valid also after close
     * @throws SystemFailureException if the task has ended, but other code in this process has
     *     reaped its process, so that its status is unknown
     */
    public PvasStatus await() {
        return state.await();
    }

    /**
     * Kills the task with SIGKILL. Does not wait for its end. If the task has ended, nothing
     * happens.
     *
     * @throws ClosedException after close
     */
    public void kill() {
        kill(PvasBinding.KILL);
    }

    /**
     * Sends a signal to the task. If the task has ended, nothing happens.
     *
     * @param signal the number of the signal, such as 15 for SIGTERM
     * @throws ClosedException after close
     * @throws HayateException if the signal does not exist
     */
    public void kill(int signal) {
        state.requireOpen();
        state.kill(signal);
    }

    /**
     * Returns the other end of the task's standard input.
     *
     * @return a buffered stream; after it is closed, the task reads the end of the file
     * @throws StateException if the standard input is not a pipe
     */
    public OutputStream stdin() {
        return pipe(stdin, "input");
    }

    /**
     * Returns the other end of the task's standard output.
     *
     * @return a buffered stream, which ends when the task and all processes that it started have
     *     closed it
     * @throws StateException if the standard output is not a pipe
     */
    public InputStream stdout() {
        return pipe(stdout, "output");
    }

    /**
     * Returns the other end of the task's standard error.
     *
     * @return a buffered stream, which ends when the task and all processes that it started have
     *     closed it
     * @throws StateException if the standard error is not a pipe
     */
    public InputStream stderr() {
        return pipe(stderr, "error");
    }

    private static <T> T pipe(T stream, String which) {
        if (stream == null) {
            throw Errors.exception(Errors.STATE, "the standard " + which
                    + " of the task is not a pipe: see PvasProgram", -1);
        }
        return stream;
    }

    /**
     * Imports memory that the task exports, without a copy. Waits for the export.
     *
     * @param name the name of the export
     * @return the memory; the caller closes it
     * @throws PeerFailedException if the task has ended without the export
     * @throws ArgumentException if the name is null, empty, or longer than 63 bytes
     * @throws ClosedException after close, also if another thread closes the task during the call
     * @throws CorruptionException if the export is not valid memory
     */
    public PvasMemory memory(String name) {
        return state.memory(name, Long.MAX_VALUE, access -> new PvasMemory(access, name));
    }

    /**
     * Imports memory that the task exports, without a copy, and waits for the export for a limited
     * time.
     *
     * @param name the name of the export
     * @param most the longest time to wait; zero does not wait
     * @return the memory, which the caller closes, or empty if the time is up
     * @throws PeerFailedException if the task has ended without the export
     * @throws ArgumentException if the name is null, empty, or longer than 63 bytes, or the
     *     duration is null or negative
     * @throws ClosedException after close, also if another thread closes the task during the call
     * @throws CorruptionException if the export is not valid memory
     */
    public Optional<PvasMemory> memory(String name, Duration most) {
        return Optional.ofNullable(state.memory(name, PvasImports.nanos(most),
                access -> new PvasMemory(access, name)));
    }

    /**
     * Closes the task; idempotent. It kills the task if it runs, waits for its end, and closes all
     * its {@link PvasMemory} objects and its pipes. The memory of the task is freed as soon as no
     * buffer of it is reachable.
     *
     * @throws BusyException if a call of another thread uses a memory segment of it at this moment:
     *     close again after that call
     */
    @Override
    public void close() {
        state.close();
    }

    /**
     * Returns a human-readable description.
     *
     * @return the number, the process id and how the task ended
     */
    @Override
    public String toString() {
        return "task " + number() + " (pid " + pid() + "), " + (isAlive() ? "running" : end());
    }

    private String end() {
        try {
            return state.await().toString();
        } catch (HayateException unknown) {
            return unknown.reason();
        }
    }
}
