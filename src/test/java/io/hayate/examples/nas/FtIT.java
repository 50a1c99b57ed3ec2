// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The 3-D Fourier transform as users start it. */
class FtIT {
    @BeforeAll
    static void needsTheLauncher() {
        NasRuns.needTheLauncher();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void should_come_to_the_official_checksums(int ranks) throws Exception {
        JsonObject run = NasRuns.verified(Ft.class, ranks, "--class S");
        assertEquals(6, run.get("iterations").getAsInt());
    }

    @ParameterizedTest
    @CsvSource({"2,--persistent --memory heap", "4,--persistent --memory array",
        "4,--memory array", "2,--memory direct", "4,--persistent --memory direct",
        "1,--persistent", "2,--persistent --collective transfer=get"})
    void should_do_so_whatever_the_memory_and_the_collectives(int ranks, String options)
            throws Exception {
        NasRuns.verified(Ft.class, ranks, options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pairwise", "bruck"})
    void should_do_so_whatever_the_algorithm_of_its_transposition(String name) throws Exception {
        NasRuns.verified(NasRuns.launch(Ft.class, 4, "--json --persistent")
                .jvm("-Dhayate.coll.alltoall=algorithm=" + name), 4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "cma", "pipeline"})
    void should_do_so_whichever_way_long_messages_go(String rendezvous) throws Exception {
        NasRuns.verified(NasRuns.launch(Ft.class, 4, "--json --memory direct")
                .environment("HAYATE_RENDEZVOUS", rendezvous), 4);
    }

    /** With another number of points on each axis. */
    @Test
    void should_do_so_for_a_larger_class_again_and_again() throws Exception {
        JsonObject run = NasRuns.verified(Ft.class, 2, "--class W --repetitions 2");
        assertEquals(2, run.get("times").getAsJsonArray().size());
        assertEquals("128 x 128 x 32", run.get("size").getAsString());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void should_find_that_a_number_is_wrong(int ranks) throws Exception {
        NasRuns.damaged(Ft.class, ranks, "--class S");
    }

    @ParameterizedTest
    @CsvSource({"3,,3 ranks: expected a power of two", "2,--persistent --collective algorithm=none,"
        + "no algorithm"})
    void should_explain_itself_once_when_used_wrongly(int ranks, String options, String words)
            throws Exception {
        Outcome outcome = NasRuns.launch(Ft.class, ranks, options == null ? "" : options).run();
        assertEquals(2, outcome.exit(), outcome.describe());
        assertEquals(1, NasRuns.said(outcome, words), outcome.describe());
    }

    @ParameterizedTest
    @CsvSource({"1,FT", "4,FT", "2,FT --persistent", "4,FT --memory array"})
    void should_allocate_nothing_in_what_is_timed(int ranks, String arguments) throws Exception {
        Outcome outcome = Launch.of(NasAllocationProbe.class, arguments.split(" ")).ranks(ranks)
                .unchecked().run().good();
        assertEquals(ranks, outcome.out().stream().filter("allocated 0"::equals).count(),
                outcome.describe());
    }
}
