// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

/** Users and control groups of containers. */
@InContainers
class LimitsIT {
    private static final long ONE_CPU = 1_000_000_000;
    private static final long MEMORY = 512L << 20;
    private static final long MOST_SECONDS = 60;

    @Test
    void should_work_for_a_user_without_a_name_or_a_home() throws Exception {
        try (Sandbox sandbox = Sandbox.start(limits -> { }, "1000")) {
            assertEquals("1000\n", sandbox.shell("id -u").out());
            sandbox.exchange(4).exchanged(4);
        }
    }

    @Test
    void should_not_waste_the_time_of_a_single_cpu() throws Exception {
        try (Sandbox sandbox = Sandbox.start(limits -> limits.withNanoCPUs(ONE_CPU))) {
            long begun = System.nanoTime();
            sandbox.exchange(2).exchanged(2);
            long seconds = (System.nanoTime() - begun) / 1_000_000_000;
            assertTrue(seconds < MOST_SECONDS, "took " + seconds + " s");
            String info = sandbox.hayate("info", "--json").good().out();
            assertEquals(1, JsonParser.parseString(info).getAsJsonObject().getAsJsonObject("cpus")
                    .get("quota").getAsDouble());
        }
    }

    @Test
    void should_fit_into_a_memory_limit_far_below_the_size_of_the_heap() throws Exception {
        try (Sandbox sandbox = Sandbox.start(limits -> limits.withMemory(MEMORY))) {
            sandbox.exchange(2, "--heap", "4G").exchanged(2);
        }
    }
}
