// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Multigrid as users start it. */
class MgIT {
    @BeforeAll
    static void needsTheLauncher() {
        NasRuns.needTheLauncher();
    }

    /** On 16 some ranks have no point of the coarsest grid. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16})
    void should_come_to_the_official_norm(int ranks) throws Exception {
        JsonObject run = NasRuns.verified(Mg.class, ranks, "--class S");
        assertTrue(run.get("detail").getAsString().startsWith(
                "norm of the residual is 5.3077070057"), run.toString());
    }

    @ParameterizedTest
    @CsvSource({"2,--persistent --memory heap", "4,--persistent --memory array",
        "8,--memory array", "4,--memory direct", "1,--persistent"})
    void should_do_so_whatever_the_memory_and_the_collectives(int ranks, String options)
            throws Exception {
        NasRuns.verified(Mg.class, ranks, options);
    }

    /** The faces of the finest grid are long, those of coarse ones are not. */
    @ParameterizedTest
    @ValueSource(strings = {"heap", "cma", "pipeline"})
    void should_do_so_whichever_way_long_messages_go(String rendezvous) throws Exception {
        NasRuns.verified(NasRuns.launch(Mg.class, 4, "--json --memory direct")
                .environment("HAYATE_RENDEZVOUS", rendezvous)
                .environment("HAYATE_EAGER_LIMIT", "56"), 4);
    }

    @Test
    void should_do_so_for_a_larger_class_again_and_again() throws Exception {
        JsonObject run = NasRuns.verified(Mg.class, 2, "--class W --repetitions 2");
        assertEquals(2, run.get("times").getAsJsonArray().size());
        assertEquals("128 x 128 x 128", run.get("size").getAsString());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void should_find_that_a_charge_is_wrong(int ranks) throws Exception {
        NasRuns.damaged(Mg.class, ranks, "--class S");
    }

    @Test
    void should_name_the_ranks_that_fit() throws Exception {
        Outcome outcome = NasRuns.launch(Mg.class, 3, "").run();
        assertEquals(2, outcome.exit(), outcome.describe());
        assertEquals(1, NasRuns.said(outcome, "3 ranks: expected a power of two"));
    }

    @ParameterizedTest
    @CsvSource({"1,MG", "4,MG", "2,MG --persistent", "4,MG --memory array"})
    void should_allocate_nothing_in_what_is_timed(int ranks, String arguments) throws Exception {
        Outcome outcome = Launch.of(NasAllocationProbe.class, arguments.split(" ")).ranks(ranks)
                .unchecked().run().good();
        assertEquals(ranks, outcome.out().stream().filter("allocated 0"::equals).count(),
                outcome.describe());
    }
}
