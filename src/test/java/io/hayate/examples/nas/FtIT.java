// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The 3-D Fourier transform as users start it. */
class FtIT extends NasSuite {
    FtIT() {
        super(Ft.class, Ranks.POWER_OF_TWO, new Official(".*", 1, 2, 4, 8),
                new Larger(2, 2, "128 x 128 x 32"), "2 --persistent --memory heap",
                "4 --persistent --memory array", "4 --persistent --memory direct",
                "2 --persistent --collective transfer=get");
    }

    @Override
    void assertOfficial(JsonObject run) {
        assertEquals(6, run.get("iterations").getAsInt());
    }

    @ParameterizedTest
    @ValueSource(strings = {"pairwise", "bruck"})
    void should_do_so_whatever_the_algorithm_of_its_transposition(String name) throws Exception {
        verified(launch(4, "--json --persistent")
                .jvm("-Dhayate.coll.alltoall=algorithm=" + name), 4);
    }

    @Test
    void should_explain_itself_once_when_used_wrongly() throws Exception {
        refused(2, "--persistent --collective algorithm=none", "no algorithm");
    }
}
