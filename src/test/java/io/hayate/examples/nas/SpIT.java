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

/** The gas of scalar pentadiagonal systems as users start it. */
class SpIT extends NasSuite {
    SpIT() {
        super(Sp.class, Ranks.SQUARE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 9})
    void should_come_to_the_official_norms(int ranks) throws Exception {
        JsonObject run = verified(ranks, "--class S");
        assertTrue(run.get("detail").getAsString().startsWith(
                "norms of the density: residual 2.7470315451"), run.toString());
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"4,--persistent --memory array", "4,--memory array", "16,--memory direct"})
    void should_do_so_whatever_the_memory(int ranks, String options) throws Exception {
        verified(ranks, options);
    }

    @Tag("long")
    @Test
    void should_do_so_for_a_larger_class_again_and_again() throws Exception {
        JsonObject run = verified(4, "--class W --repetitions 2");
        assertEquals(2, run.get("times").getAsJsonArray().size());
        assertEquals("36 x 36 x 36", run.get("size").getAsString());
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void should_find_that_the_forcing_is_wrong(int ranks) throws Exception {
        damaged(ranks, "--class S");
    }

    @Test
    void should_explain_itself_once_when_used_wrongly() throws Exception {
        refused(4, "--persistent --collective algorithm=none", "no algorithm");
    }
}
