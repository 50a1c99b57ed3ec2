// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Commands whose locale cannot encode the name of a file: an umlaut where LC_ALL=C. */
class EncodingTest {
    private static final String NAME = "/tmp/j\u00fcrgen";

    @BeforeAll
    static void needsToPassTheName() {
        String encoding = System.getProperty("sun.jnu.encoding", "UTF-8");
        assumeTrue(Charset.forName(encoding).newEncoder().canEncode(NAME), encoding);
    }

    private static Command run(String option, String variable, String... arguments) {
        return Command.run(List.of(option), Map.of("LC_ALL", "C", variable, NAME), arguments);
    }

    private static void assertNames(Command command) {
        assertNotEquals(0, command.code());
        assertTrue(command.err().contains("/tmp/j") && command.err().contains("set LC_ALL=C.UTF-8"),
                command.err());
    }

    /** The JDK creates no temporary file then, in whatever directory. */
    @Test
    void should_need_no_temporary_directory() {
        Command command = run("-Djava.io.tmpdir=" + NAME, "TMPDIR", "tune", "--check", "--ranks",
                "2", "--collectives", "barrier", "--bytes", "4", "--seconds-per", "0.05", "--json",
                "--quiet");
        assertEquals(0, command.code(), command.err());
        assertEquals(2, command.out().lines().count(), command.out());
    }

    @Test
    void should_say_what_to_do_about_a_file_that_is_named() {
        assertNames(run("-ea", "HAYATE_TUNING", "tune", "--seconds", "5"));
        assertNames(run("-ea", "X", "tune", "--seconds", "5", "--out", NAME));
        assertNames(run("-ea", "X", "perf", "barrier", "--plot", NAME));
        assertNames(run("-ea", "X", "flight", NAME));
    }

    @Test
    void should_look_for_flight_recorders_elsewhere() {
        String missing = run("-ea", "TMPDIR", "flight", "1").err();
        assertTrue(missing.contains("no file of it in [/tmp]"), missing);
    }
}
