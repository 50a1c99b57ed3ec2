// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.ArgumentException;
import io.hayate.ClosedException;
import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.MismatchException;
import io.hayate.Ompl;
import io.hayate.Reduction;
import io.hayate.SystemFailureException;
import io.hayate.internal.natives.NativeLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the opening of threads as ranks. An error makes it hang, so the time-out is part of every
 * assertion.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TeamTest {
    private static final int RANKS = 8;
    /** More than a process can address: its thread does not start. */
    private static final long IMPOSSIBLE_STACK = 1L << 47;

    @BeforeAll
    static void load() {
        NativeLoader.load();
    }

    private static long segments() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("memfd:hayate")).count();
        }
    }

    private static void close(List<Hayate> jobs) {
        jobs.forEach(Hayate::close);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, RANKS / 2, RANKS - 1})
    void should_say_which_thread_the_system_refused(int refused) throws IOException {
        long before = segments();
        List<Thread> started = new ArrayList<>();
        SystemFailureException e = assertThrows(SystemFailureException.class,
                () -> Team.open(RANKS, (opening, rank) -> {
                    Thread thread = new Thread(null, opening, "rank",
                            rank == refused ? IMPOSSIBLE_STACK : 0);
                    started.add(thread);
                    return thread;
                }));
        assertInstanceOf(OutOfMemoryError.class, e.getCause());
        assertTrue(e.reason().contains("rank " + refused + " of " + RANKS), e.reason());
        assertEquals(refused + 1, started.size());
        assertTrue(segments() <= before, "a segment is left"); // those of others may go meanwhile
        close(Hayate.initThreads(RANKS));
    }

    @Test
    void should_pass_on_what_a_thread_s_making_threw() {
        IllegalStateException thrown = new IllegalStateException("no threads today");
        SystemFailureException e = assertThrows(SystemFailureException.class,
                () -> Team.open(2, (opening, rank) -> {
                    if (rank == 1) {
                        throw thrown;
                    }
                    return new Thread(opening);
                }));
        assertSame(thrown, e.getCause());
        assertTrue(e.reason().contains("no threads today"), e.reason());
    }

    private static <T> List<T> onAll(List<Hayate> jobs, Function<Hayate, T> call) throws Exception {
        List<FutureTask<T>> calls = new ArrayList<>();
        for (Hayate job : jobs) {
            calls.add(begin(() -> call.apply(job)));
        }
        List<T> results = new ArrayList<>();
        for (FutureTask<T> one : calls) {
            results.add(one.get());
        }
        return results;
    }

    private static <T> FutureTask<T> begin(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    /** Rank 0 waits for rank 1, until its Fmpl is closed; then both begin anew. */
    @Test
    void should_close_anything_while_another_thread_of_the_rank_creates() throws Exception {
        List<Hayate> jobs = Hayate.initThreads(2);
        for (int round = 0; round < 20; round++) {
            List<Fmpl> fmpls = onAll(jobs, Fmpl::init);
            Fmpl mine = fmpls.get(0);
            List<Communicator> made = onAll(jobs, job -> fmpls.get(job.rank()).create(true));
            Reduction reduction = Reduction.of(mine, 8, (inout, in, n) -> { });
            List<FutureTask<Communicator>> creators =
                    List.of(begin(() -> mine.create(true)), begin(() -> mine.create(false)));
            for (int i = 0; i < 20_000 * (round % 4); i++) {
                Thread.onSpinWait(); // the second creator gets further
            }
            made.get(0).close();
            reduction.close();
            Reduction.of(mine, 8, (inout, in, n) -> { }).close();
            mine.trim();
            mine.close();
            for (FutureTask<Communicator> creator : creators) {
                Throwable end = assertThrows(ExecutionException.class, creator::get).getCause();
                assertInstanceOf(ClosedException.class, end);
            }
            fmpls.get(1).close();
        }
        close(jobs);
    }

    @Test
    void should_refuse_ranks_that_make_different_things_at_once() throws Exception {
        List<Hayate> jobs = Hayate.initThreads(2);
        List<MismatchException> refused = onAll(jobs, job -> assertThrows(MismatchException.class,
                () -> {
                    if (job.rank() == 0) {
                        Fmpl.init(job);
                    } else {
                        Ompl.open(job, 4096);
                    }
                }));
        assertEquals(1, refused.get(0).peer());
        assertEquals("rank 0 creates an FMPL, this rank a global space: all ranks must create them"
                + " in the same order", refused.get(1).reason());
        onAll(jobs, Fmpl::init).forEach(Fmpl::close);
        close(jobs);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 4097, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void should_refuse_numbers_of_ranks_that_cannot_be(int ranks) {
        ArgumentException e = assertThrows(ArgumentException.class,
                () -> Hayate.initThreads(ranks));
        assertTrue(e.reason().contains(ranks + " ranks: expected 1 to 4096"), e.reason());
    }
}
