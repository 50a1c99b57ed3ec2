// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Integer sort as users start it. */
class IsIT extends NasSuite {
    IsIT() {
        super(Is.class, Ranks.POWER_OF_TWO, new Official(
                "50 of 50 test keys have their ranks, 0 keys are out of order", 1, 2, 4, 8),
                new Larger(2, 3, "1048576"), "2 --persistent --memory heap",
                "4 --persistent --memory array", "4 --persistent --memory direct",
                "2 --persistent --collective transfer=get");
    }

    @Override
    void assertDamaged(JsonObject run) {
        assertEquals("30 of 50 test keys have their ranks, 0 keys are out of order",
                run.get("detail").getAsString());
    }

    @Test
    void should_refuse_threads_in_a_program_of_the_launcher() throws Exception {
        refused(2, "--threads 4", "--threads: this process is a rank of hayate run");
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"Serial", "Parallel", "G1", "Shenandoah", "Z"})
    void should_do_so_as_tasks_whatever_their_collector(String collector) throws Exception {
        Assumptions.assumeTrue(!collector.equals("Z") || Runtime.version().feature() >= 24,
                "this ZGC wants its heap at fixed addresses");
        verified(tasks(2, "--json --class W").jvm("-XX:+Use" + collector + "GC"), 2);
    }
}
