// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Multigrid as users start it. */
class MgIT extends NasSuite {
    MgIT() {
        super(Mg.class, Ranks.POWER_OF_TWO);
    }

    /** On 16 some ranks have no point of the coarsest grid. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16})
    void should_come_to_the_official_norm(int ranks) throws Exception {
        JsonObject run = verified(ranks, "--class S");
        assertTrue(run.get("detail").getAsString().startsWith(
                "norm of the residual is 5.3077070057"), run.toString());
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"2,--persistent --memory heap", "4,--persistent --memory array",
        "8,--memory array"})
    void should_do_so_whatever_the_memory_and_the_collectives(int ranks, String options)
            throws Exception {
        verified(ranks, options);
    }

    @Tag("long")
    @Test
    void should_do_so_for_a_larger_class_again_and_again() throws Exception {
        JsonObject run = verified(2, "--class W --repetitions 2");
        assertEquals(2, run.get("times").getAsJsonArray().size());
        assertEquals("128 x 128 x 128", run.get("size").getAsString());
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void should_find_that_a_charge_is_wrong(int ranks) throws Exception {
        damaged(ranks, "--class S");
    }
}
