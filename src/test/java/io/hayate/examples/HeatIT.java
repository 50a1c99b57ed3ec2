// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As users start it, on several processes; see {@link ConjugateGradientIT}. */
@Tag("example")
class HeatIT {
    @BeforeAll
    static void needsTheLauncher() {
        Launch.assumeBuilt();
    }

    @Test
    void should_print_one_line_on_several_processes() throws Exception {
        Outcome outcome = Launch.of(Heat.class, "--points", "50", "--steps", "40").ranks(4)
                .unchecked().run().good();
        assertEquals(1, outcome.out().stream()
                .filter(line -> line.startsWith("2 x 2 ranks, 40 steps, largest error ")).count(),
                outcome.describe());
    }

    @Test
    void should_explain_itself_once_when_used_wrongly() throws Exception {
        Outcome outcome = Launch.of(Heat.class, "--points", "1").ranks(2).unchecked().run();
        assertEquals(2, outcome.exit(), outcome.describe());
        assertEquals(List.of(), outcome.faults());
        assertEquals(1, outcome.err().stream()
                .filter(line -> line.contains("expected at least 2, one for each rank")).count());
        assertTrue(outcome.describe().contains("Usage: Heat"), outcome.describe());
    }
}
