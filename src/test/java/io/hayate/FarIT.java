// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.BreakMain;
import io.hayate.conformance.FaultNetwork;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.RankMain;
import io.hayate.conformance.Suite;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the suite with peers that are not mapped, over a network that delivers late, out of order,
 * and breaks.
 */
@Tag("once")
class FarIT {
    @BeforeAll
    static void link() throws Exception {
        FaultNetwork.link();
    }

    private static Suite suite(int ranks, String plan, String rendezvous, String wait) {
        return new Suite(ranks + " ranks, " + plan + ", " + rendezvous, ranks,
                scenarios -> FaultNetwork.on(Launch.of(RankMain.class, scenarios), plan)
                        .options("--heap", "4G", "--grace", "1")
                        .environment("HAYATE_RENDEZVOUS", rendezvous)
                        .environment("HAYATE_WAIT", wait).limit(Duration.ofSeconds(480)));
    }

    /** All ranks far from each other; and of two nodes, some near and some far. */
    @TestFactory
    Stream<DynamicTest> farPeers() {
        return Suite.tests(Suite.sharing(suite(2, "seed=1,delay=40", "auto", "adaptive"),
                suite(3, "seed=2,delay=60", "pipeline", "block"),
                suite(4, "seed=3,delay=40,nodes=2", "auto", "adaptive")));
    }

    @ParameterizedTest(name = "should_tell_both_sides_when_operation {0} breaks the connection")
    @ValueSource(ints = {3, 40, 41, 42, 43, 44, 45, 500, 2000})
    void should_tell_both_sides_of_a_break(int operation) throws Exception {
        Outcome outcome = FaultNetwork.on(Launch.of(BreakMain.class).ranks(2),
                "delay=30,seed=" + operation + ",rank=" + operation % 2 + ",fail=" + operation)
                .run();
        List<String> told = outcome.out().stream().filter(line -> line.startsWith("FAILED "))
                .sorted().toList();
        assertEquals(0, outcome.exit(), outcome::describe);
        assertEquals(2, told.size(), outcome::describe);
        assertTrue(told.get(0).startsWith("FAILED 0 1 "), outcome::describe);
        assertTrue(told.get(1).startsWith("FAILED 1 0 "), outcome::describe);
        assertTrue(told.stream().anyMatch(line -> line.contains("connection")), outcome::describe);
    }
}
