// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.hayate.conformance.Outcome;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The eigenvalue by conjugate gradients as users start it. */
class CgIT extends NasSuite {
    CgIT() {
        super(Cg.class, Ranks.POWER_OF_TWO);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void should_find_the_official_eigenvalue(int ranks) throws Exception {
        JsonObject run = verified(ranks, "--class S");
        assertTrue(run.get("detail").getAsString().startsWith("zeta is 8.5971775078"),
                run.toString());
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"2,--persistent --memory heap", "4,--persistent --memory array",
        "8,--persistent --memory direct", "4,--persistent --collective algorithm=ring"})
    void should_do_so_whatever_the_memory_and_the_collectives(int ranks, String options)
            throws Exception {
        verified(ranks, options);
    }

    @Tag("long")
    @Test
    void should_find_that_of_a_larger_class_again_and_again() throws Exception {
        JsonObject run = verified(2, "--class W --repetitions 2");
        assertEquals(2, run.get("times").getAsJsonArray().size());
        assertEquals("7000", run.get("size").getAsString());
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void should_find_that_an_element_is_wrong(int ranks) throws Exception {
        damaged(ranks, "--class S");
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
        for (String label : List.of(" Time in seconds  =", " Mop/s total      =",
                " Mop/s/process    =", " Least, most of 2 =")) {
            assertEquals(1, outcome.out().stream().filter(line -> line.startsWith(label)).count(),
                    label + " in\n" + outcome.describe());
        }
    }

    @ParameterizedTest
    @CsvSource({"3,--class S,3 ranks: expected a power of two",
        "2,--class Q,'expected one of [s, w, a, b]'", "2,--persistent --collective algorithm=none,"
        + "no algorithm", "1,--memory tape,'expected one of [heap, direct, array]'",
        "1,--repetitions 0,expected an integer from 1", "1,--class,wants a value",
        "1,--size 3,unknown option --size"})
    void should_explain_itself_once_when_used_wrongly(int ranks, String options, String words)
            throws Exception {
        Outcome outcome = refused(ranks, options, words);
        assertEquals(List.of(), outcome.faults());
        assertEquals(1, said(outcome, "Options of the NAS"), outcome.describe());
    }
}
