// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The 3-D Fourier transform as users start it. */
class FtIT extends NasSuite {
    FtIT() {
        super(Ft.class, Ranks.POWER_OF_TWO);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void should_come_to_the_official_checksums(int ranks) throws Exception {
        JsonObject run = verified(ranks, "--class S");
        assertEquals(6, run.get("iterations").getAsInt());
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"2,--persistent --memory heap", "4,--persistent --memory array",
        "4,--persistent --memory direct", "2,--persistent --collective transfer=get"})
    void should_do_so_whatever_the_memory_and_the_collectives(int ranks, String options)
            throws Exception {
        verified(ranks, options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pairwise", "bruck"})
    void should_do_so_whatever_the_algorithm_of_its_transposition(String name) throws Exception {
        verified(launch(4, "--json --persistent")
                .jvm("-Dhayate.coll.alltoall=algorithm=" + name), 4);
    }

    /** With another number of points on each axis. */
    @Tag("long")
    @Test
    void should_do_so_for_a_larger_class_again_and_again() throws Exception {
        JsonObject run = verified(2, "--class W --repetitions 2");
        assertEquals(2, run.get("times").getAsJsonArray().size());
        assertEquals("128 x 128 x 32", run.get("size").getAsString());
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void should_find_that_a_number_is_wrong(int ranks) throws Exception {
        damaged(ranks, "--class S");
    }

    @Test
    void should_explain_itself_once_when_used_wrongly() throws Exception {
        refused(2, "--persistent --collective algorithm=none", "no algorithm");
    }
}
