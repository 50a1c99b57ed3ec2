// SPDX-License-Identifier: Apache-2.0
package io.hayate.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.PeerFailedException;
import io.hayate.Reduction;
import io.hayate.Span;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.opentest4j.AssertionFailedError;

@Timeout(300)
class RanksTest {
    private static double sum(Fmpl fmpl, double value) {
        double[] sum = {value};
        fmpl.allreduce(Span.of(sum), Reduction.DOUBLE_SUM);
        return sum[0];
    }

    // ---- as users write it

    private int begun;
    private final Set<Integer> called = ConcurrentHashMap.newKeySet();

    @BeforeEach
    void begin() {
        begun++;
    }

    @AfterEach
    void end(TestInfo info) {
        if (info.getTestMethod().orElseThrow().isAnnotationPresent(Ranks.class)) {
            assertEquals(Set.of(0, 1, 2, 3), called);
        }
    }

    @Ranks(4)
    void should_call_the_method_on_each_rank_with_its_own_arguments(
            Hayate job, Fmpl fmpl, int rank, TestInfo info) {
        assertEquals(4, job.size());
        assertEquals(job.rank(), rank);
        assertEquals(6, sum(fmpl, rank));
        assertEquals("rank-" + rank, Thread.currentThread().getName());
        assertEquals(1, begun);
        assertTrue(info.getDisplayName().startsWith("should_call"), info.getDisplayName());
        called.add(rank);
    }

    @Ranks(4)
    void should_open_no_fmpl_unless_it_is_a_parameter(Hayate job) {
        try (Fmpl fmpl = Fmpl.init(job, 2)) {
            fmpl.barrier();
        }
        called.add(job.rank());
    }

    // ---- what fails

    /** Run by the tests below. */
    static class Samples {
        private static final CountDownLatch NEVER = new CountDownLatch(1);

        @Ranks(4)
        void compares(Fmpl fmpl, int rank) {
            assertEquals(2, rank == 2 ? 3 : 2, "the answer");
            fmpl.barrier();
        }

        @Ranks(3)
        void throwsOnOne(Fmpl fmpl, int rank) {
            if (rank == 1) {
                throw new IllegalStateException("no matrix");
            }
            fmpl.recv(Span.of(new byte[8]), 1, 0);
        }

        @Ranks(3)
        void waitsForAMessage(Fmpl fmpl, int rank) {
            if (rank == 0) {
                fmpl.recv(Span.of(new byte[8]), 1, 0);
            }
        }

        @Ranks(value = 2, seconds = 3)
        void waitsForItsOwn(int rank) throws InterruptedException {
            if (rank == 1) {
                NEVER.await();
            }
        }

        @Ranks(value = 2, seconds = 2)
        void waitForEachOther(Fmpl fmpl, int rank) {
            fmpl.recv(Span.of(new byte[8]), 1 - rank, 0);
        }

        @Ranks(2)
        void assumes(Fmpl fmpl, int rank) {
            assumeTrue(rank == 0, "only rank 0 can");
            fmpl.barrier();
        }

        @Ranks(0)
        void hasNoRanks() {
        }

        @Ranks(value = 2, seconds = 0)
        void hasNoTime() {
        }

        @Ranks(2)
        @RepeatedTest(2)
        void isTwoTests() {
        }

        @Ranks(3)
        void prints(Fmpl fmpl, int rank) throws InterruptedException {
            System.out.print("hello");
            fmpl.barrier();
            System.out.println(", I am " + rank);
            Thread child = new Thread(() -> System.out.print("not ended by a line"));
            child.start();
            child.join();
        }
    }

    private static Throwable thrown(String sample) {
        return JUnitRun.of(Samples.class, sample).thrown();
    }

    private static List<String> messages(Throwable... thrown) {
        return Arrays.stream(thrown).map(Throwable::getMessage).toList();
    }

    @Test
    void should_name_the_rank_whose_comparison_failed_and_keep_its_values() {
        AssertionFailedError error =
                assertInstanceOf(AssertionFailedError.class, thrown("compares"));
        assertEquals("rank 2 of 4 failed: the answer ==> expected: <2> but was: <3>",
                error.getMessage());
        assertEquals(2, error.getExpected().getValue());
        assertEquals(3, error.getActual().getValue());
        assertInstanceOf(AssertionFailedError.class, error.getCause());
    }

    @Test
    void should_name_the_rank_that_the_others_waited_for() {
        Throwable error = thrown("throwsOnOne");
        assertEquals("rank 1 of 3 failed: java.lang.IllegalStateException: no matrix",
                error.getMessage());
        assertEquals(2, error.getSuppressed().length);
        for (Throwable other : error.getSuppressed()) {
            assertTrue(other.getMessage().matches("rank [02] of 3 failed: .*"), other::toString);
            assertInstanceOf(PeerFailedException.class, other.getCause());
        }
    }

    /** Nothing else has failed: rank 1 has ended without a word. */
    @Test
    void should_name_the_rank_that_waited_for_one_that_had_ended() {
        Throwable error = thrown("waitsForAMessage");
        assertTrue(error.getMessage().startsWith("rank 0 of 3 failed: "
                + "io.hayate.PeerFailedException: "), error.getMessage());
        assertEquals(List.of(), messages(error.getSuppressed()));
    }

    @Test
    void should_name_the_rank_that_hangs_with_the_place_and_its_stack() {
        Throwable error = thrown("waitsForItsOwn");
        assertTrue(error.getMessage().matches("rank 1 of 2 hangs: it has not ended after 3 s \\("
                + "io\\.hayate\\.junit\\.RanksTest\\$Samples\\.waitsForItsOwn\\("
                + "RanksTest\\.java:\\d+\\)\\)"), error.getMessage());
        assertTrue(Stream.of(error.getCause().getStackTrace()).anyMatch(
                frame -> frame.getMethodName().equals("await")), error::toString);
    }

    @Test
    void should_tell_which_ranks_wait_for_each_other() {
        String text = thrown("waitForEachOther").getMessage();
        List<String> lines = text.lines().toList();
        assertEquals(5, lines.size(), text);
        for (int rank = 0; rank < 2; rank++) {
            assertTrue(lines.get(rank).startsWith("rank " + rank + " of 2 hangs: "), text);
            String wait = lines.get(2 + rank);
            assertTrue(wait.startsWith("rank " + rank + ", thread rank-" + rank + " ("), text);
            assertTrue(wait.contains("): waits for rank " + (1 - rank) + ", receive with mai 0"),
                    text);
        }
        assertEquals("deadlock: rank 0 -> rank 1 -> rank 0", lines.get(4));
    }

    @Test
    void should_abort_when_an_assumption_does_not_hold_on_a_rank() {
        JUnitRun run = JUnitRun.of(Samples.class, "assumes");
        assertEquals(List.of(Status.ABORTED), run.statuses());
        assertEquals("Assumption failed: only rank 0 can", run.thrown().getMessage());
    }

    @Test
    void should_say_what_is_wrong_with_the_annotation() {
        assertEquals(List.of("@Ranks(0): expected 1 to 4096 ranks",
                "@Ranks(seconds = 0): expected at least 1"),
                messages(thrown("hasNoRanks"), thrown("hasNoTime")));
        JUnitRun twice = JUnitRun.of(Samples.class, "isTwoTests");
        assertTrue(twice.statuses().contains(Status.FAILED), twice.statuses().toString());
    }

    @Test
    void should_run_tests_of_nested_classes_on_the_ranks_of_the_class_around_them() {
        assertEquals(List.of(Status.SUCCESSFUL),
                JUnitRun.of(RanksOnClassTest.Outer.Inner.class, "sums").statuses());
    }

    @Test
    void should_put_the_rank_before_each_line_that_it_prints() {
        PrintStream before = System.out;
        JUnitRun run = JUnitRun.of(Samples.class, "prints");
        assertEquals(List.of("[0] hello, I am 0", "[0] not ended by a line",
                "[1] hello, I am 1", "[1] not ended by a line",
                "[2] hello, I am 2", "[2] not ended by a line"),
                run.lines().stream().sorted().toList());
        assertEquals(List.of(Status.SUCCESSFUL), run.statuses());
        assertSame(before, System.out);
    }
}
