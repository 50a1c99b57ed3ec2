// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.Outcome;
import org.junit.jupiter.api.Test;

class HeatIT extends ExampleSuite {
    @Test
    void should_print_one_line_on_several_processes() throws Exception {
        assertPrinted(launch(Heat.class, 4, "--points", "50", "--steps", "40").run().good(),
                "2 x 2 ranks, 40 steps, largest error ");
    }

    @Test
    void should_explain_itself_once_when_used_wrongly() throws Exception {
        Outcome outcome = launch(Heat.class, 2, "--points", "1").run();
        assertSaid(outcome, 2, "expected at least 2, one for each rank");
        assertTrue(outcome.describe().contains("Usage: Heat"), outcome.describe());
    }
}
