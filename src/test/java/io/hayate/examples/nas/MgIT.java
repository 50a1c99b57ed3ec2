// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** Multigrid. */
class MgIT extends NasSuite {
    /** On 16 some ranks have no point of the coarsest grid. */
    MgIT() {
        super(Mg.class, Ranks.POWER_OF_TWO,
                new Official("norm of the residual is 5\\.3077070057.*", 1, 2, 4, 8, 16),
                new Larger(2, 2, "128 x 128 x 128"), "2 --persistent --memory heap",
                "4 --persistent --memory array", "8 --memory array");
    }
}
