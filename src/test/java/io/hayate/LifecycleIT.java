// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.conformance.ChaosMain;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Level;
import io.hayate.conformance.Outcome;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that no order of calls crashes the JVM, or leaves a thread waiting after close. */
class LifecycleIT {
    private static LongStream seeds() {
        return Level.seeds(3, 8);
    }

    @ParameterizedTest(name = "should_survive_any_order_of_calls, seed {0}")
    @MethodSource("seeds")
    void should_survive_any_order_of_calls(long seed) throws Exception {
        String[] ways = {"auto", "cma", "pipeline", "heap"};
        Outcome outcome = Launch.of(ChaosMain.class, Long.toString(seed)).ranks(2)
                .options("--heap", "64M").jvm("-Xmx64m", "-XX:+UseSerialGC")
                .environment("HAYATE_RENDEZVOUS", ways[(int) (seed - 1) % ways.length]).run();
        assertEquals(0, outcome.exit(), outcome::describe);
        List<String> survived = outcome.out().stream()
                .filter(line -> line.startsWith("SURVIVED ")).sorted().toList();
        assertEquals(2, survived.size(), outcome::describe);
        System.out.println("seed " + seed + ": " + survived);
        assertEquals(List.of(), outcome.faults(), outcome::describe);
    }
}
