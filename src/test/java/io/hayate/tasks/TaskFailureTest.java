// SPDX-License-Identifier: Apache-2.0
package io.hayate.tasks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.Ompl;
import io.hayate.PeerFailedException;
import io.hayate.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests ranks whose tasks fail or leave in unusual ways: no other rank may wait forever. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TaskFailureTest {
    private static final Region REGION = new Region(8192, 8, 4096);

    private final List<Hayate> jobs = Hayate.initThreads(2);
    private final ExecutorService pool = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        jobs.forEach(Hayate::close);
        pool.shutdown();
    }

    private interface Body {
        void run(Hayate job) throws Exception;
    }

    /** Rank 0 does it, rank 1 waits for what comes of it; how both end. */
    private List<Throwable> run(Body body) throws Exception {
        List<Future<Throwable>> ends = new ArrayList<>();
        for (Hayate job : jobs) {
            ends.add(pool.submit(() -> run(job, body)));
        }
        List<Throwable> thrown = new ArrayList<>();
        for (Future<Throwable> end : ends) {
            thrown.add(end.get());
        }
        return thrown;
    }

    private Throwable run(Hayate job, Body body) {
        try {
            Ompl ompl = Ompl.open(job, 16384);
            TaskGraph graph = new TaskGraph(job, ompl, 0);
            if (job.rank() == 0) {
                graph.task("first", () -> body.run(job)).makes(REGION, 1, 1);
            } else {
                graph.task("second", () -> { }).needs(REGION, 1);
            }
            graph.run(pool);
            return null;
        } catch (RuntimeException | Error thrown) {
            return thrown;
        }
    }

    /** What a solver's own exceptions may do as well. */
    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient RuntimeException instead;

        Unspeakable(RuntimeException instead) {
            this.instead = instead;
        }

        @Override
        public String toString() {
            throw instead;
        }
    }

    /** Also if it asks the library, and gets one of its exceptions. */
    static Stream<RuntimeException> notEvenThis() {
        return Stream.of(new IllegalStateException(),
                assertThrows(HayateException.class, () -> Span.of((byte[]) null)));
    }

    @ParameterizedTest
    @MethodSource("notEvenThis")
    void should_tell_of_a_failure_that_cannot_say_what_it_is(RuntimeException instead)
            throws Exception {
        for (Throwable end : run(job -> {
            throw new Unspeakable(instead);
        })) {
            assertInstanceOf(TaskException.class, end);
            assertEquals(0, ((TaskException) end).rank());
            assertTrue(end.getMessage().contains(Control.WORDLESS), end.getMessage());
        }
    }

    @Test
    void should_not_wait_for_a_rank_that_leaves() throws Exception {
        Throwable end = run(Hayate::close).get(1);
        assertInstanceOf(PeerFailedException.class, end);
        assertEquals(0, ((PeerFailedException) end).peer());
    }
}
