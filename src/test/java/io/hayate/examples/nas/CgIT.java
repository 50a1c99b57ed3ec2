// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.conformance.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The eigenvalue by conjugate gradients as users start it. */
class CgIT extends NasSuite {
    CgIT() {
        super(Cg.class, Ranks.POWER_OF_TWO,
                new Official("zeta is 8\\.5971775078.*", 1, 2, 4, 8), new Larger(2, 2, "7000"),
                "2 --persistent --memory heap", "4 --persistent --memory array",
                "8 --persistent --memory direct", "4 --persistent --collective algorithm=ring");
    }

    @Test
    void should_report_in_the_manner_of_npb() throws Exception {
        Outcome outcome = launch(2, "--class S --repetitions 2").run().good();
        for (String line : List.of(" Verification Successful", " CG Benchmark Completed.",
                " Class            =                        S",
                " Size             =                     1400",
                " Iterations       =                       15",
                " Total processes  =                        2",
                " Verification     =               SUCCESSFUL")) {
            assertEquals(1, outcome.out().stream().filter(line::equals).count(),
                    line + " in\n" + outcome.describe());
        }
        assertPrinted(outcome, " Time in seconds  =", " Mop/s total      =",
                " Mop/s/process    =", " Least, most of 2 =");
    }

    @ParameterizedTest
    @CsvSource({"3,--class S,3 ranks: expected a power of two",
        "2,--class Q,'expected one of [s, w, a, b]'", "2,--persistent --collective algorithm=none,"
        + "no algorithm", "1,--memory tape,'expected one of [heap, direct, array]'",
        "1,--repetitions 0,expected an integer from 1", "1,--class,wants a value",
        "1,--size 3,unknown option --size"})
    void should_explain_itself_once_when_used_wrongly(int ranks, String options, String words)
            throws Exception {
        assertSaid(refused(ranks, options, words), 2, "Options of the NAS");
    }
}
