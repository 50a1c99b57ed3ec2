// SPDX-License-Identifier: Apache-2.0
package io.hayate.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.PeerFailedException;
import io.hayate.Reduction;
import io.hayate.Span;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.opentest4j.AssertionFailedError;

@Timeout(300)
class RankProcessesIT {
    /** Run by the tests below. */
    static class Samples {
        private static int calls;
        private String fixture;

        @BeforeEach
        void begin() {
            fixture = "begun";
        }

        @Ranks(value = 2, processes = true)
        void passes(Hayate job, Fmpl fmpl, int rank) {
            assertEquals(2, job.size());
            assertEquals(1, ++calls); // nobody else has this field
            assertEquals("begun", fixture);
            assertEquals("of the test's JVM", System.getProperty("hayate.sample"));
            long[] pids = {ProcessHandle.current().pid()};
            fmpl.bcast(Span.of(pids), 0);
            assertEquals(rank == 0, pids[0] == ProcessHandle.current().pid());
            System.out.println("rank " + rank + " says so");
        }

        /** The object of JUnit that it throws cannot be written. */
        @Ranks(value = 2, processes = true)
        void fails(Fmpl fmpl, int rank) {
            if (rank == 1) {
                class Unwritable extends RuntimeException {
                    private static final long serialVersionUID = 1L;
                    @SuppressWarnings({"unused", "serial"})
                    private final Object thread = Thread.currentThread();

                    Unwritable() {
                        super("no matrix");
                    }
                }
                throw new Unwritable();
            }
            fmpl.barrier();
        }

        @Ranks(value = 2, processes = true)
        void dies(Fmpl fmpl, int rank) {
            if (rank == 1) {
                Runtime.getRuntime().halt(7);
            }
            fmpl.barrier();
        }

        @Ranks(value = 2, processes = true, seconds = 5)
        void waitForEachOther(Fmpl fmpl, int rank) {
            fmpl.recv(Span.of(new byte[8]), 1 - rank, 0);
        }

        @Ranks(value = 2, processes = true)
        void leaves(Fmpl fmpl, int rank) {
            if (rank == 1) {
                System.exit(0);
            }
            fmpl.barrier();
        }

        @Ranks(value = 2, processes = true, seconds = 2)
        void hangs(int rank) throws InterruptedException {
            while (rank == 1) {
                Thread.sleep(1000);
            }
        }
    }

    @Ranks(value = 2, processes = true)
    static class OnAClass {
        @ParameterizedTest
        @ValueSource(ints = {5, 6})
        void compares(int value, Fmpl fmpl, Hayate job) {
            long[] sum = {value};
            fmpl.allreduce(Span.of(sum), Reduction.LONG_SUM);
            assertEquals(value == 5 ? 10 : 13, sum[0]);
        }
    }

    @Test
    void should_give_each_rank_a_jvm_with_fixtures_and_properties() {
        System.setProperty("hayate.sample", "of the test's JVM");
        JUnitRun run = JUnitRun.of(Samples.class, "passes");
        System.clearProperty("hayate.sample");
        assertEquals(List.of(Status.SUCCESSFUL), run.statuses(), () -> run.thrown().toString());
        assertEquals(List.of("[0] rank 0 says so", "[1] rank 1 says so"),
                run.lines().stream().filter(line -> line.contains("says")).sorted().toList());
    }

    @Test
    void should_name_the_rank_that_failed_first() {
        Throwable error = JUnitRun.of(Samples.class, "fails").thrown();
        assertTrue(error.getMessage().matches("rank 1 of 2 failed: java.lang.RuntimeException: .*"
                + "Unwritable: no matrix"), error.getMessage());
        assertEquals("fails", error.getCause().getStackTrace()[0].getMethodName());
        assertInstanceOf(PeerFailedException.class, error.getSuppressed()[0].getCause());
    }

    @Test
    void should_run_each_invocation_of_a_parameterized_test() {
        JUnitRun run = JUnitRun.of(OnAClass.class, "compares");
        assertEquals(List.of(Status.SUCCESSFUL, Status.FAILED), run.statuses());
    }

    @Test
    void should_tell_how_a_rank_died() {
        Throwable error = JUnitRun.of(Samples.class, "dies").thrown();
        assertTrue(error.getMessage().matches("rank 1 of 2 failed: .*its process ended before the"
                + " test did; hayate run: rank 1 \\(pid \\d+\\) exited with status 7"),
                error.getMessage());
    }

    @Test
    void should_name_the_rank_whose_process_has_ended_without_a_failure() {
        Throwable error = JUnitRun.of(Samples.class, "leaves").thrown();
        assertEquals("rank 1 of 2 failed: java.lang.IllegalStateException: its process exited with"
                + " status 0 before the test ended", error.getMessage());
    }

    @Test
    void should_tell_which_ranks_wait_for_each_other() {
        String text = JUnitRun.of(Samples.class, "waitForEachOther").thrown().getMessage();
        assertTrue(text.endsWith("\ndeadlock: rank 0 -> rank 1 -> rank 0"), text);
        assertTrue(text.contains("\nrank 0, thread rank-0 ("), text);
    }

    @Test
    void should_name_the_rank_that_hangs_and_end_it() {
        Throwable error = JUnitRun.of(Samples.class, "hangs").thrown();
        assertInstanceOf(AssertionFailedError.class, error);
        assertTrue(error.getMessage().matches("rank 1 of 2 hangs: it has not ended after 2 s \\("
                + ".*Samples\\.hangs\\(RankProcessesIT.java:\\d+\\)\\)"), error.getMessage());
        assertTrue(Stream.of(error.getCause().getStackTrace()).anyMatch(
                frame -> frame.getMethodName().equals("sleep")), error::toString);
    }
}
