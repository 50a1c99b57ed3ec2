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

/** SP or BT as users start it. */
abstract class CfdSuite extends NasSuite {
    private final String residual;
    private final String size;

    /** The beginning of the density's residual of class S, and the size of class W. */
    CfdSuite(Class<? extends Benchmark> benchmark, String residual, String size) {
        super(benchmark, Ranks.SQUARE);
        this.residual = residual;
        this.size = size;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void should_come_to_the_official_norms(int ranks) throws Exception {
        JsonObject run = verified(ranks, "--class S");
        assertTrue(run.get("detail").getAsString().startsWith(
                "norms of the density: residual " + residual), run.toString());
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"4,--persistent --memory array", "9,--memory direct"})
    void should_do_so_whatever_the_memory_and_the_collectives(int ranks, String options)
            throws Exception {
        verified(ranks, options);
    }

    @Test
    void should_do_so_again_and_again() throws Exception {
        JsonObject run = verified(4, "--repetitions 3");
        assertEquals(3, run.get("times").getAsJsonArray().size());
    }

    @Tag("long")
    @Test
    void should_do_so_for_a_larger_class() throws Exception {
        assertEquals(size, verified(4, "--class W").get("size").getAsString());
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
