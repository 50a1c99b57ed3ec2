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

/** The wavefront as users start it. */
class LuIT extends NasSuite {
    LuIT() {
        super(Lu.class, Ranks.POWER_OF_TWO);
    }

    /** On 16 each has three points along x and y. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16})
    void should_come_to_the_official_norms(int ranks) throws Exception {
        JsonObject run = verified(ranks, "--class S");
        assertTrue(run.get("detail").getAsString().startsWith(
                "norm of the density's residual is 1.619634321"), run.toString());
    }

    @Tag("long")
    @Test
    void should_name_the_ranks_that_have_points() throws Exception {
        refused(32, "", "32 ranks: class S has points for at most 16");
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
    void should_do_so_for_a_larger_class_of_uneven_parts_again_and_again() throws Exception {
        JsonObject run = verified(2, "--class W --repetitions 2");
        assertEquals(2, run.get("times").getAsJsonArray().size());
        assertEquals("33 x 33 x 33", run.get("size").getAsString());
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void should_find_that_the_forcing_is_wrong(int ranks) throws Exception {
        damaged(ranks, "--class S");
    }
}
