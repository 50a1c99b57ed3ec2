// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.cli.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherTest {
    @TempDir
    private Path directory;

    private String script(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("launcher"), "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return "-Dhayate.run=" + file;
    }

    @Test
    void should_pass_arguments_streams_and_the_exit_code() throws IOException {
        String option = script("printf '<%s>' \"$@\"; echo trouble >&2; exit 37");
        Command command = Command.run(List.of(option), Map.of(), "run", "-n", "2", "--", "a b",
                "--help",
                "");
        assertEquals(37, command.code());
        assertEquals("<-n><2><--><a b><--help><>", command.out());
        assertEquals("trouble\n", command.err());
    }

    @Test
    void should_say_which_launcher_cannot_be_executed() {
        Command command = Command.run(List.of("-Dhayate.run=/nowhere/hayate-run"), Map.of(), "run",
                "x");
        assertEquals(1, command.code());
        assertEquals("hayate run: cannot execute the launcher /nowhere/hayate-run: No such file or"
                + " directory; see -Dhayate.run and HAYATE_RUN\n", command.err());
    }

    @Test
    void should_run_ranks() {
        Command command = Command.run("run", "-n", "2", "--tag-output", "--", "sh", "-c",
                "echo of $HAYATE_SIZE; exit 3");
        assertEquals(3, command.code(), command.err());
        assertTrue(command.out().contains("[0] of 2\n") || command.out().contains("[1] of 2\n"));
    }

    @Test
    void should_end_the_launcher_when_it_is_told_to_end() throws Exception {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        String option = script("trap 'echo ended; exit 1' TERM; echo up; while :; do sleep 0.05;"
                + " done");
        Process process = Command.start(List.of(option), Map.of(), out, err, "run", "x");
        while (!Files.readString(out).contains("up")) {
            assertTrue(process.isAlive(), "it should run until it is told to end");
            Thread.onSpinWait();
        }
        process.destroy();
        assertTrue(process.waitFor(120, TimeUnit.SECONDS));
        assertEquals("up\nended\n", Files.readString(out));
        assertFalse(process.exitValue() == 0);
    }

    @Test
    void should_start_ranks_the_way_it_was_started() throws IOException {
        String option = script("shift 3; printf '%s\\n' \"$@\"; echo \"way $HAYATE_RENDEZVOUS\"");
        Command command = Command.run(List.of(option, "-Dcolour=blue green"), Map.of(), "perf",
                "pingpong", "--path", "pipeline");
        assertEquals(0, command.code(), command.err());
        assertTrue(command.out().contains("\n-Dcolour=blue green\n"), command.out());
        assertTrue(command.out().contains("\nio.hayate.cli.Main\nperf\npingpong\n"), command.out());
        assertTrue(command.out().endsWith("\nway pipeline\n"), command.out());
    }
}
