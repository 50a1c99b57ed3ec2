// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.ProbeMain;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests invalid environments: each leads to its exception, with a helpful reason. */
class BadInputIT {
    private static List<String> lines(Outcome outcome, String start) {
        return outcome.out().stream().filter(line -> line.startsWith(start)).sorted().toList();
    }

    private static void assertRefused(Outcome outcome, String exception, int code, String reason) {
        List<String> refused = lines(outcome, "REFUSED ");
        assertEquals(1, refused.size(), outcome::describe);
        assertTrue(refused.get(0).startsWith("REFUSED " + exception + " " + code + " "),
                outcome::describe);
        assertTrue(refused.get(0).contains(reason), outcome::describe);
    }

    private static Outcome alone(Map<String, String> environment) throws Exception {
        return Launch.of(ProbeMain.class, "join").ranks(0).environment(environment).run().good();
    }

    @Test
    void should_refuse_a_boot_descriptor_that_is_not_open() throws Exception {
        assertRefused(alone(Map.of("HAYATE_BOOT_FD", "999", "HAYATE_RANK", "0", "HAYATE_SIZE", "1",
                "HAYATE_LOCAL_RANK", "0")), "LaunchException", -8, "=999 is not open");
    }

    @Test
    void should_refuse_a_boot_descriptor_that_is_something_else() throws Exception {
        assertRefused(alone(Map.of("HAYATE_BOOT_FD", "1", "HAYATE_RANK", "0", "HAYATE_SIZE", "1",
                "HAYATE_LOCAL_RANK", "0")), "LaunchException", -8, "not the launcher's socket");
    }

    @Test
    void should_refuse_a_rank_without_launcher() throws Exception {
        assertRefused(alone(Map.of("HAYATE_RANK", "1")), "LaunchException", -8, "HAYATE_RANK");
        assertRefused(alone(Map.of("HAYATE_SIZE", "2")), "LaunchException", -8, "HAYATE_SIZE");
    }

    @ParameterizedTest
    @CsvSource({"HAYATE_RANK, ''", "HAYATE_RANK, -1", "HAYATE_RANK, 2", "HAYATE_RANK, 0x1",
        "HAYATE_SIZE, 0", "HAYATE_SIZE, 99999999999999999999", "HAYATE_BOOT_FD, one"})
    void should_refuse_numbers_that_are_none(String name, String value) throws Exception {
        Map<String, String> environment = new java.util.HashMap<>(Map.of("HAYATE_BOOT_FD", "999",
                "HAYATE_RANK", "0", "HAYATE_SIZE", "2", "HAYATE_LOCAL_RANK", "0"));
        environment.put(name, value);
        assertRefused(alone(environment), "LaunchException", -8, name);
    }

    @ParameterizedTest
    @CsvSource({"HAYATE_HEAP, lots", "HAYATE_HEAP, 1", "HAYATE_HEAP, -5G", "HAYATE_WAIT, never",
        "HAYATE_RENDEZVOUS, fast", "HAYATE_EAGER_LIMIT, 10Q"})
    void should_refuse_settings_that_it_does_not_understand(String name, String value)
            throws Exception {
        assertRefused(alone(Map.of(name, value)), "ArgumentException", -1, name);
    }

    @Test
    void should_let_only_one_process_take_a_rank() throws Exception {
        Outcome outcome = Launch.of(ProbeMain.class, "join").ranks(1)
                .program("sh", "-c", "\"$@\" & \"$@\" & wait", "sh").run();
        assertEquals(List.of("JOINED 0 of 1"), lines(outcome, "JOINED "), outcome::describe);
        assertRefused(outcome, "LaunchException", -8, "rank");
    }

    /** Where root is not refused anything, a directory that does not exist stands for it. */
    @Test
    void should_do_without_a_temporary_directory() throws Exception {
        Outcome outcome = Launch.of(ProbeMain.class, "join").ranks(2)
                .jvm("-Djava.io.tmpdir=/proc/nowhere").environment("TMPDIR", "/proc/nowhere")
                .run().good();
        assertEquals(2, lines(outcome, "JOINED ").size(), outcome::describe);
    }

    @Test
    void should_say_that_the_heap_is_exhausted() throws Exception {
        Outcome outcome = Launch.of(ProbeMain.class, "heap").ranks(1).options("--heap", "1M")
                .run().good();
        assertEquals(List.of("SIZE 1048576"), lines(outcome, "SIZE "), outcome::describe);
        assertRefused(outcome, "MemoryExhaustedException", -6, "--heap");
    }
}
