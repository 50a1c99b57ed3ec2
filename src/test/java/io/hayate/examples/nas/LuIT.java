// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The wavefront. Class W has uneven parts. */
class LuIT extends NasSuite {
    /** On 16 each has three points along x and y. */
    LuIT() {
        super(Lu.class, Ranks.POWER_OF_TWO, new Official(
                "norm of the density's residual is 1\\.619634321.*", 1, 2, 4, 8, 16),
                new Larger(2, 2, "33 x 33 x 33"), "2 --persistent --memory heap",
                "4 --persistent --memory array", "8 --memory array");
    }

    @Tag("long")
    @Test
    void should_name_the_ranks_that_have_points() throws Exception {
        refused(32, "", "32 ranks: class S has points for at most 16");
    }
}
