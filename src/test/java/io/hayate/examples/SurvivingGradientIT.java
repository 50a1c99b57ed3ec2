// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class SurvivingGradientIT extends ExampleSuite {
    private static Launch solve(int ranks, String options) {
        return launch(SurvivingGradient.class, ranks, words("--side 60 --every 20 " + options))
                .options("--survive");
    }

    @ParameterizedTest(name = "should_converge_without_the_ranks_that_die {1}")
    @CsvSource({"3, '', 3", "4, '--lose 1 --at 30', 3", "4, '--lose 4 --at 1', 3",
        "4, '--lose 2 --at 20', 3", "5, '--lose 3 --at 30 --then 1', 3",
        "5, '--lose 3 --at 30 --then 4', 3", "2, '--lose 2 --at 59', 1"})
    void should_converge_without_the_ranks_that_die(int ranks, String options, int left)
            throws Exception {
        Outcome outcome = solve(ranks, options).run().good();
        assertPrinted(outcome, ranks + " ranks, " + left + " at the end, ");
    }

    @Test
    void should_say_how_to_start_it_if_a_death_ends_the_job() throws Exception {
        Outcome outcome = launch(SurvivingGradient.class, 2, "--lose", "2").run();
        assertEquals(9, outcome.exit(), outcome.describe());
        assertEquals(1, outcome.err().stream()
                .filter(line -> line.contains("hayate run --survive")).count(), outcome.describe());
    }
}
