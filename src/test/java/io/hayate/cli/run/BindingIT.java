// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.cli.ProcessorsMain;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a JVM learns of the CPUs that hayate run gives to its rank. */
class BindingIT {
    private static final int ALL = Runtime.getRuntime().availableProcessors();

    private static void assertProcessors(int each, int ranks, String... options) throws Exception {
        Outcome outcome = Launch.of(ProcessorsMain.class).ranks(ranks).options(options)
                .jvm("-XX:+UseParallelGC").unchecked().run().good();
        int threads = each <= 8 ? each : 8 + (each - 8) * 5 / 8;
        assertEquals(Collections.nCopies(ranks,
                "processors " + each + ", collector threads " + threads), lines(outcome),
                outcome::describe);
    }

    private static List<String> lines(Outcome outcome) {
        return outcome.out().stream().filter(line -> line.startsWith("processors ")).toList();
    }

    @Test
    void should_give_the_share_of_a_rank_to_its_jvm_and_collector() throws Exception {
        assertProcessors(ALL, 1);
        assertProcessors(1, ALL);
        assertProcessors(1, 1, "--cpus-per-rank", "1");
    }

    @Test
    void should_let_each_of_too_many_ranks_use_all_processors() throws Exception {
        assertProcessors(ALL, ALL + 1);
    }
}
