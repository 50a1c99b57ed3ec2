// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.ProcessBuilder.Redirect;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class PvasProgramTest {
    private static final PvasProgram PROGRAM = PvasProgram.of("/bin/true", "a", "b c");

    private static void refused(Executable call, String reason) {
        ArgumentException e = assertThrows(ArgumentException.class, call);
        assertTrue(e.reason().contains(reason), e.reason());
    }

    @Test
    void should_refuse_what_is_null() {
        refused(() -> PvasProgram.of(null), "path");
        refused(() -> PvasProgram.of("/bin/true", (String[]) null), "arguments");
        refused(() -> PvasProgram.of("/bin/true", (List<String>) null), "arguments");
        refused(() -> PvasProgram.of("/bin/true", "a", null), "argument");
        refused(() -> PvasProgram.of("/bin/true", Arrays.asList("a", null)), "argument");
        refused(() -> PROGRAM.environment(null, "x"), "name");
        refused(() -> PROGRAM.stdin(null), "source");
        refused(() -> PROGRAM.stdout(null), "target");
    }

    @Test
    void should_refuse_names_that_are_none_and_streams_of_the_wrong_direction() {
        refused(() -> PROGRAM.environment("", "x"), "name");
        refused(() -> PROGRAM.environment("A=B", "x"), "A=B");
        refused(() -> PROGRAM.stdin(Redirect.to(new File("x"))), "writing");
        refused(() -> PROGRAM.stdin(Redirect.appendTo(new File("x"))), "writing");
        refused(() -> PROGRAM.stdout(Redirect.from(new File("x"))), "reading");
        refused(() -> PROGRAM.stderr(Redirect.from(new File("x"))), "reading");
        refused(() -> PROGRAM.stackBytes(-1), "stack");
    }

    @Test
    void should_not_follow_changes_of_the_list_it_was_made_of() {
        List<String> arguments = Arrays.asList("a", "b");
        PvasProgram program = PvasProgram.of("/bin/true", arguments);
        arguments.set(0, "c");
        assertEquals("/bin/true a b", program.toString());
    }

    @Test
    void should_describe_ends_of_tasks() {
        assertEquals("exited with 3", new PvasStatus(true, 3, false).toString());
        assertEquals("killed by signal 11 (SIGSEGV)", new PvasStatus(false, 11, false).toString());
        assertEquals("killed by signal 6 (SIGABRT), core dumped",
                new PvasStatus(false, 6, true).toString());
        assertEquals("killed by signal 40", new PvasStatus(false, 40, false).toString());
        assertEquals(139, new PvasStatus(false, 11, false).shellCode());
        assertEquals(3, new PvasStatus(true, 3, false).shellCode());
        assertTrue(new PvasStatus(true, 0, false).good());
        assertFalse(new PvasStatus(true, 1, false).good());
        assertFalse(new PvasStatus(false, 0, false).good());
    }
}
