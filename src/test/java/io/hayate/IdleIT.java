// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.ProbeMain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting costs next to nothing. */
@Tag("alone")
class IdleIT {
    @ParameterizedTest(name = "should_not_use_a_core_while_blocked, {0}")
    @ValueSource(strings = {"adaptive", "block"})
    void should_not_use_a_core_while_blocked(String wait) throws Exception {
        Outcome outcome = Launch.of(ProbeMain.class, "idle").ranks(2).unchecked()
                .environment("HAYATE_WAIT", wait).jvm("-XX:+UseSerialGC").run().good();
        double[] percent = outcome.out().stream().filter(line -> line.startsWith("PERCENT "))
                .mapToDouble(line -> Double.parseDouble(line.substring(8))).toArray();
        assertEquals(1, percent.length, outcome::describe);
        System.out.printf("blocked, %s: %.2f %% of a core, with the JVM's own threads%n", wait,
                percent[0]);
        assertTrue(percent[0] < 2, percent[0] + " % of a core");
    }

    @Test
    void should_allocate_nothing_in_the_first_long_wait() throws Exception {
        Outcome outcome = Launch.of(ProbeMain.class, "allocate").ranks(2).unchecked().run().good();
        assertTrue(outcome.out().contains("ALLOCATED 0"), outcome::describe);
    }
}
