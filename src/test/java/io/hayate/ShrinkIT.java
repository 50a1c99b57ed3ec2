// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.ClusterLauncher;
import io.hayate.conformance.FaultNetwork;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.ShrinkMain;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of which some ranks end, and the others go on. */
class ShrinkIT {
    private static Launch launch(int ranks, String... arguments) {
        return Launch.of(ShrinkMain.class, arguments).ranks(ranks).jvm("-XX:+UseSerialGC")
                .options("--survive");
    }

    /** All but the victims went on, with all of these as members. */
    private static Outcome assertWent(Outcome outcome, int survivors) {
        List<String> went = told(outcome, "WENT ").toList();
        assertEquals(survivors, went.size(), outcome::describe);
        assertTrue(went.stream().allMatch(line -> line.endsWith(" " + survivors)),
                outcome::describe);
        assertEquals(List.of(), outcome.faults(), outcome::describe);
        return outcome;
    }

    private static Stream<String> told(Outcome outcome, String word) {
        return outcome.out().stream().filter(line -> line.startsWith(word));
    }

    private static LongStream numbers(Outcome outcome, String word, int place) {
        return told(outcome, word).mapToLong(line -> Long.parseLong(line.split(" ")[place]));
    }

    @ParameterizedTest
    @ValueSource(strings = {"kill", "exit", "throw", "leave"})
    void should_go_on_without_a_rank_that_ends(String how) throws Exception {
        Outcome outcome = assertWent(launch(4, how, "1").run(), 3);
        assertEquals(0, outcome.exit(), outcome::describe);
    }

    @Test
    void should_go_on_without_rank_0_and_then_without_others() throws Exception {
        Outcome outcome = assertWent(launch(5, "kill", "0", "3", "1").run(), 2);
        assertEquals(0, outcome.exit(), outcome::describe);
        assertEquals(4 + 3 + 2, told(outcome, "TOOK ").count(), outcome::describe);
    }

    @Tag("once")
    @Test
    void should_kill_a_rank_that_is_stopped_and_go_on() throws Exception {
        Outcome outcome = launch(3, "stop", "2").options("--stop-timeout", "1").run();
        assertEquals(0, assertWent(outcome, 2).exit(), outcome::describe);
    }

    @Test
    void should_end_the_job_when_a_rank_aborts_it() throws Exception {
        Outcome outcome = launch(3, "abort", "1").options("--grace", "0").run();
        assertEquals(7, outcome.exit(), outcome::describe);
    }

    /** The first one that fails names the job's status, if nobody ends well. */
    @Test
    void should_fail_if_no_rank_goes_on() throws Exception {
        Outcome outcome = launch(1, "exit", "0").run();
        assertEquals(5, outcome.exit(), outcome::describe);
    }

    @Test
    void should_say_what_to_do_in_a_job_that_does_not_survive() throws Exception {
        Outcome outcome = Launch.of(ShrinkMain.class, "kill", "0").ranks(2).run();
        assertEquals(137, outcome.exit(), outcome::describe);
        assertTrue(outcome.err().stream().anyMatch(line -> line.contains("hayate run --survive")),
                outcome::describe);
    }

    @Tag("once")
    @ParameterizedTest(name = "should_go_on_among_ranks_that_are_not_mapped {0}")
    @CsvSource({"'seed=1,delay=40', 3", "'seed=2,delay=40,nodes=2', 4"})
    void should_go_on_among_ranks_that_are_not_mapped(String plan, int ranks) throws Exception {
        FaultNetwork.link();
        assertWent(FaultNetwork.on(launch(ranks, "kill", "1"), plan).run(), ranks - 1);
    }

    /** By PMIx, Slurm ends the others a few seconds later, whatever it is told. */
    @Tag("once")
    @ParameterizedTest
    @CsvSource({"HYDRA, 0", "HYDRA, 3", "SLURM, 0", "SLURM, 3"})
    void should_go_on_without_a_rank_of_another_node(ClusterLauncher by, String victim)
            throws Exception {
        String[] pmi = by == ClusterLauncher.SLURM ? new String[] {"--mpi=pmi2"} : new String[0];
        Outcome outcome = Launch.of(ShrinkMain.class, "kill", victim).ranks(4).unchecked()
                .jvm("-Drounds=100").options(by.lenient()).options(pmi)
                .program("sh", "-c", "trap '' USR1; setsid \"$0\" \"$@\"; exit $?")
                .by(by.needed().nodes(2, 2)).environment("HAYATE_SURVIVE", "1")
                .environment("HAYATE_HEAP", "64M").environment("HAYATE_NET_SILENCE", "2").run();
        assertWent(outcome, 3);
    }

    /** Eight ranks need not have a processor each: what is printed is for a quiet machine. */
    @Tag("once")
    @Test
    void should_be_as_fast_as_before() throws Exception {
        Outcome outcome = assertWent(launch(8, "kill", "5").unchecked().run(), 7);
        long took = numbers(outcome, "TOOK ", 2).max().orElseThrow();
        long before = numbers(outcome, "PACE ", 2).min().orElseThrow();
        long after = numbers(outcome, "PACE ", 3).min().orElseThrow();
        System.out.println("shrink of 8 ranks: " + took + " us; allreduce " + before
                + " ns before, " + after + " ns after");
        assertTrue(took < 1_000_000, outcome::describe);
        assertTrue(after < 4 * before, outcome::describe);
    }
}
