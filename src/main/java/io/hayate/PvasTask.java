// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.PvasBinding;
import io.hayate.internal.PvasReach;
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
 * A program that runs, or has run, as a task of a {@link Pvas}. It has a process id, descriptors,
 * signal handlers and globals of its own; a crash of it ends it alone.
 *
 * <p>When it has ended its memory is still there to be looked at. It is given back to the system
 * after {@link #close()} or when nothing reaches this object any more, and then as soon as nobody
 * has a {@link PvasMemory} of it or a buffer made of one.
 *
 * <p>Any thread may use it. Waiting is never ended by an interrupt; virtual threads that wait let
 * go of their carriers.
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

    /** Nobody has it or its streams: it may run on, but nobody will ask for it. */
    private static void abandon(PvasTaskState state) {
        state.end().whenComplete((status, failure) -> state.streams.close());
        state.release();
    }

    /** Whoever has the stream keeps the task's pipes open. */
    private static final class Input extends BufferedInputStream {
        @SuppressWarnings("unused")
        private final PvasTask task;

        Input(PvasTask task, InputStream pipe) {
            super(pipe);
            this.task = task;
        }
    }

    /** As Input. */
    private static final class Output extends BufferedOutputStream {
        @SuppressWarnings("unused")
        private final PvasTask task;

        Output(PvasTask task, OutputStream pipe) {
            super(pipe);
            this.task = task;
        }
    }

    /**
     * Its number in its space, by which other tasks know it.
     *
     * @return 0 or more; also after close
     */
    public int number() {
        return state.number;
    }

    /**
     * Its process id.
     *
     * @return the id; also after its end, when the system may have given it to another process
     */
    public long pid() {
        return state.pid;
    }

    /**
     * Whether it runs.
     *
     * @return false when its end is known here, with all its threads; also after close
     */
    public boolean isAlive() {
        return state.isAlive();
    }

    /**
     * Its end, for programs that do something else meanwhile. One thread waits for all tasks, in
     * the kernel; what is done with the future is done elsewhere.
     *
     * @return a new future, which completes when the task has ended; cancelling it changes nothing
     *     for the task. Also after close
     */
    public CompletableFuture<PvasStatus> ended() {
        return state.future();
    }

    /**
     * How it ended, if it has.
     *
     * @return empty while it runs; also after close
     * @throws SystemFailureException as of {@link #await}
     */
    public Optional<PvasStatus> status() {
        return isAlive() ? Optional.empty() : Optional.of(state.await());
    }

    /**
     * Waits for its end.
     *
     * @return how it ended; also after close
     * @throws SystemFailureException if it has ended, but somebody else in this process has waited
     *     for its process, so that nobody knows how
     */
    public PvasStatus await() {
        return state.await();
    }

    /**
     * Kills it, by SIGKILL. Does not wait for its end. Of a task that has ended nothing happens.
     *
     * @throws ClosedException after close
     */
    public void kill() {
        kill(PvasBinding.KILL);
    }

    /**
     * Sends it a signal. Of a task that has ended nothing happens.
     *
     * @param signal the number of it, such as 15 for SIGTERM
     * @throws ClosedException after close
     * @throws HayateException if there is no such signal
     */
    public void kill(int signal) {
        state.requireOpen();
        state.kill(signal);
    }

    /**
     * The other end of its standard input.
     *
     * @return a buffered stream; close it to let the task see the end
     * @throws StateException if that is no pipe
     */
    public OutputStream stdin() {
        return pipe(stdin, "input");
    }

    /**
     * The other end of its standard output.
     *
     * @return a buffered stream, which ends when the task and all that it started have closed it
     * @throws StateException if that is no pipe
     */
    public InputStream stdout() {
        return pipe(stdout, "output");
    }

    /**
     * The other end of its standard error.
     *
     * @return a buffered stream, which ends when the task and all that it started have closed it
     * @throws StateException if that is no pipe
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
     * Looks at memory that the task exports, without a copy. Waits until it does.
     *
     * @param name as what it exports it
     * @return the memory, to be closed
     * @throws PeerFailedException if the task has ended without it
     * @throws ArgumentException if the name is null, empty, or longer than 63 bytes
     * @throws ClosedException after close, also by another thread meanwhile
     * @throws CorruptionException if what it exports is no memory
     */
    public PvasMemory memory(String name) {
        return state.memory(name, Long.MAX_VALUE, access -> new PvasMemory(access, name));
    }

    /**
     * Looks at memory that the task exports, without a copy, if it does within some time.
     *
     * @param name as what it exports it
     * @param most how long to wait for it; zero only looks
     * @return the memory, to be closed, or empty
     * @throws PeerFailedException if the task has ended without it
     * @throws ArgumentException if the name is null, empty, or longer than 63 bytes, or the
     *     duration is null or negative
     * @throws ClosedException after close, also by another thread meanwhile
     * @throws CorruptionException if what it exports is no memory
     */
    public Optional<PvasMemory> memory(String name, Duration most) {
        return Optional.ofNullable(state.memory(name, PvasImports.nanos(most),
                access -> new PvasMemory(access, name)));
    }

    /**
     * Kills it if it has not ended, waits for its end, closes all {@link PvasMemory} of it and its
     * pipes. Idempotent. Its memory is given back as soon as no buffer of it can be reached.
     *
     * @throws BusyException if a call of another thread uses a memory segment of it at this
     *     moment: close again when that is over
     */
    @Override
    public void close() {
        state.close();
    }

    /**
     * Human-readable description.
     *
     * @return its number, its process id and how it ended
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
