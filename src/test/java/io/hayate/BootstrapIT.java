// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.Guests;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.RankMain;
import io.hayate.conformance.Suite;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests jobs whose ranks an exchange brings together: processes with several ranks each. */
class BootstrapIT {
    /** As long as ranks of a machine wait for each other there, if none of them is seen to die. */
    private static final int MEET_SECONDS = 60;

    private static Suite suite(String name, int ranks, String... processes) {
        return new Suite(name, ranks, scenarios -> Launch.of(RankMain.class, scenarios)
                .by(Guests.launcher(processes)).environment("HAYATE_HEAP", "4G")
                .limit(Duration.ofSeconds(600)));
    }

    @TestFactory
    Stream<DynamicTest> scenarios() {
        return Suite.tests(List.of(
                suite("2 + 1 ranks of two processes", 3, "a:2", "a:1").part(0),
                suite("processes of one rank", 2, "a:1", "a:1").part(1),
                suite("2 + 1 + 1 ranks on two nodes", 4, "a:2", "b:1", "b:1").part(2)
                        .betweenNodes()));
    }

    /** The first rank of the machine waits for it there, and the exchange is told by its engine. */
    @Test
    void should_not_wait_for_a_rank_that_dies_before_it_has_met_the_others() throws Exception {
        Outcome outcome = Launch.of(RankMain.class, "MessageScenarios").ranks(3)
                .by(Guests.launcher("a:1", "a:1", "a:1")).environment(Guests.DIES, "2-0")
                .limit(Duration.ofSeconds(120)).run();
        assertTrue(outcome.elapsed().toSeconds() < MEET_SECONDS, outcome::describe);
        assertTrue(outcome.describe().contains("ended before all ranks had joined"),
                outcome::describe);
    }
}
