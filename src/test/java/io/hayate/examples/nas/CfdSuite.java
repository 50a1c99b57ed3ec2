// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** SP or BT as users start it. */
abstract class CfdSuite extends NasSuite {
    /** The beginning of the density's residual of class S, and the size of class W. */
    CfdSuite(Class<? extends Benchmark> benchmark, String residual, String size) {
        super(benchmark, Ranks.SQUARE,
                new Official("norms of the density: residual " + Pattern.quote(residual) + ".*",
                        1, 4), new Larger(4, 1, size), "4 --persistent --memory array",
                "9 --memory direct");
    }

    @Test
    void should_do_so_again_and_again() throws Exception {
        JsonObject run = verified(4, "--repetitions 3");
        assertEquals(3, run.get("times").getAsJsonArray().size());
    }

    @Test
    void should_explain_itself_once_when_used_wrongly() throws Exception {
        refused(4, "--persistent --collective algorithm=none", "no algorithm");
    }
}
