// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Integer sort as users start it. */
class IsIT extends NasSuite {
    IsIT() {
        super(Is.class, Ranks.POWER_OF_TWO);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void should_rank_the_test_keys_as_is_official(int ranks) throws Exception {
        JsonObject run = verified(ranks, "--class S");
        assertEquals("50 of 50 test keys have their ranks, 0 keys are out of order",
                run.get("detail").getAsString());
    }

    @Test
    void should_refuse_threads_in_a_program_of_the_launcher() throws Exception {
        refused(2, "--threads 4", "--threads: this process is a rank of hayate run");
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"2,--persistent --memory heap", "4,--persistent --memory array",
        "4,--persistent --memory direct", "2,--persistent --collective transfer=get"})
    void should_do_so_whatever_the_memory_and_the_collectives(int ranks, String options)
            throws Exception {
        verified(ranks, options);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"Serial", "Parallel", "G1", "Shenandoah", "Z"})
    void should_do_so_as_tasks_whatever_their_collector(String collector) throws Exception {
        Assumptions.assumeTrue(!collector.equals("Z") || Runtime.version().feature() >= 24,
                "this ZGC wants its heap at fixed addresses");
        verified(tasks(2, "--json --class W").jvm("-XX:+Use" + collector + "GC"), 2);
    }

    @Tag("long")
    @Test
    void should_rank_a_larger_class_again_and_again() throws Exception {
        JsonObject run = verified(2, "--class W --repetitions 3");
        assertEquals(3, run.get("times").getAsJsonArray().size());
        assertEquals("1048576", run.get("size").getAsString());
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void should_find_that_a_key_is_wrong(int ranks) throws Exception {
        JsonObject run = damaged(ranks, "--class S");
        assertEquals("30 of 50 test keys have their ranks, 0 keys are out of order",
                run.get("detail").getAsString());
    }
}
