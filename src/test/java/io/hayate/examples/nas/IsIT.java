// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.TaskProbe;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Integer sort as users start it. */
class IsIT {
    @BeforeAll
    static void needsTheLauncher() {
        NasRuns.needTheLauncher();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void should_rank_the_test_keys_as_is_official(int ranks) throws Exception {
        JsonObject run = NasRuns.verified(Is.class, ranks, "--class S");
        assertEquals("50 of 50 test keys have their ranks, 0 keys are out of order",
                run.get("detail").getAsString());
    }

    @ParameterizedTest
    @CsvSource({"2,--persistent --memory heap", "4,--persistent --memory array",
        "4,--memory array", "2,--memory direct", "4,--persistent --memory direct",
        "1,--persistent", "2,--persistent --collective transfer=get"})
    void should_do_so_whatever_the_memory_and_the_collectives(int ranks, String options)
            throws Exception {
        NasRuns.verified(Is.class, ranks, options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "cma", "pipeline"})
    void should_do_so_whichever_way_long_messages_go(String rendezvous) throws Exception {
        NasRuns.verified(NasRuns.launch(Is.class, 4, "--json --memory direct")
                .environment("HAYATE_RENDEZVOUS", rendezvous), 4);
    }

    @ParameterizedTest
    @CsvSource({"2,--memory direct", "4,--memory heap --persistent"})
    void should_do_so_as_tasks_of_one_address_space(int ranks, String options) throws Exception {
        TaskProbe.need();
        NasRuns.verified(NasRuns.launch(Is.class, ranks, "--json " + options).options("--pvas")
                .environment("HAYATE_RENDEZVOUS", "direct"), ranks);
    }

    @Test
    void should_rank_a_larger_class_again_and_again() throws Exception {
        JsonObject run = NasRuns.verified(Is.class, 2, "--class W --repetitions 3");
        assertEquals(3, run.get("times").getAsJsonArray().size());
        assertEquals("1048576", run.get("size").getAsString());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void should_find_that_a_key_is_wrong(int ranks) throws Exception {
        JsonObject run = NasRuns.damaged(Is.class, ranks, "--class S");
        assertEquals("30 of 50 test keys have their ranks, 0 keys are out of order",
                run.get("detail").getAsString());
    }

    @Test
    void should_name_the_ranks_that_fit() throws Exception {
        Outcome outcome = NasRuns.launch(Is.class, 3, "").run();
        assertEquals(2, outcome.exit(), outcome.describe());
        assertEquals(1, NasRuns.said(outcome, "3 ranks: expected a power of two"));
    }
}
