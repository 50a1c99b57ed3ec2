// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.hayate.conformance.Outcome;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FourierTransformIT extends ExampleSuite {
    /** Each line is transformed alike wherever it is; only sums are added in another order. */
    @Test
    void should_follow_the_packet_alike_on_any_number_of_ranks() throws Exception {
        JsonObject alone = solved(solve(1, "--grid", "32", "--steps", "20"));
        for (int ranks : new int[] {2, 4, 8}) {
            JsonObject run = solved(solve(ranks, "--grid", "32", "--steps", "20"));
            assertEquals(ranks, run.get("ranks").getAsInt());
            assertEquals(number(alone, "error"), number(run, "error"), 1e-15);
            for (int axis = 0; axis < 3; axis++) {
                assertEquals(alone.getAsJsonArray("centre").get(axis).getAsDouble(),
                        run.getAsJsonArray("centre").get(axis).getAsDouble(), 1e-13);
            }
            assertEquals(2L * 16 * 32 * 32 * 32 * (ranks - 1) / ranks,
                    run.get("moved_bytes").getAsLong());
        }
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"1,", "4,", "2,algorithm=pairwise transfer=get", "2,progress=thread",
        "4,algorithm=bruck", "2,buffers=prepared", "2,sync=barrier"})
    void should_do_the_same_whatever_the_transposition(String batches, String how)
            throws Exception {
        JsonObject run = solved(solve(4, "--grid", "16", "--steps", "10", "--batches", batches,
                "--collective", how == null ? "" : how));
        assertEquals(9.0e-5, number(run, "error"), 8.99e-5);
        assertEquals(Integer.parseInt(batches), run.get("batches").getAsInt());
        if (how != null && how.startsWith("algorithm=")) {
            String algorithm = how.split("[= ]")[1];
            assertTrue(run.get("transposition").getAsString().contains(algorithm), how);
        }
    }

    @Test
    void should_work_with_one_plane_for_each_rank() throws Exception {
        JsonObject run = solved(solve(16, "--grid", "16", "--steps", "2"));
        assertEquals(1, run.get("batches").getAsInt());
    }

    @Test
    void should_print_text() throws Exception {
        Outcome outcome =
                launch(FourierTransform.class, 2, "--grid", "16", "--steps", "3").run().good();
        assertPrinted(outcome, "grid ", "ranks ", "transposition ", "by ", "error ",
                "Parseval ", "norm ", "centre ", "time ", "communication ", "bandwidth ");
    }

    @ParameterizedTest
    @CsvSource({"3,--grid 16,expected a number of ranks that divides the grid",
        "2,--grid 48,expected a power of two", "4,--grid 16 --batches 8,expected a divisor",
        "2,--steps none,expected an integer", "2,--collective transfer=up,expected one of auto",
        "2,--collective algorithm=none_such,no algorithm"})
    void should_explain_itself_once_when_used_wrongly(int ranks, String line, String words)
            throws Exception {
        Outcome outcome = solve(ranks, line.split(" "));
        assertSaid(outcome, 2, words);
        assertSaid(outcome, 2, "Usage: FourierTransform");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void should_allocate_nothing_in_its_steps(int ranks) throws Exception {
        assertAllocatesNothing(FourierAllocationProbe.class, ranks);
    }

    private static Outcome solve(int ranks, String... options) throws Exception {
        return launch(FourierTransform.class, ranks, options).arguments("--json").run();
    }

    private static JsonObject solved(Outcome outcome) {
        JsonObject json = good(outcome);
        assertTrue(number(json, "error") <= number(json, "error_limit"), json.toString());
        assertTrue(number(json, "parseval") < 1e-13, json.toString());
        assertTrue(number(json, "communication_mean") <= number(json, "communication_max"));
        assertTrue(number(json, "communication_max") <= 1, json.toString());
        return json;
    }
}
