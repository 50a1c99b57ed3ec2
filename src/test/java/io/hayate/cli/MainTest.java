// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int execute(String line) {
        PrintStream realOut = System.out;
        PrintStream realErr = System.err;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            return Main.execute(line.isEmpty() ? new String[0] : line.split(" "));
        } finally {
            System.setOut(realOut);
            System.setErr(realErr);
        }
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private static void add(String name, CommandLine line, List<String> names) {
        names.add(name);
        line.getSubcommands().forEach((each, sub) -> add(name + each + " ", sub, names));
    }

    /** Names of all commands and theirs, but for run: that is the launcher, see LauncherTest. */
    static List<String> commands() {
        List<String> names = new ArrayList<>();
        add("", Main.commandLine(), names);
        names.remove("run ");
        return names;
    }

    @ParameterizedTest
    @MethodSource("commands")
    void should_explain_every_command_with_examples_and_without_a_warning(String command) {
        assertEquals(0, execute(command + "--help"));
        assertEquals("", err());
        assertTrue(out().startsWith("Usage: hayate " + command), out());
        assertTrue(out().contains("Examples:\n  "), out());
        out().lines().forEach(line -> assertTrue(line.length() <= 80, line));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "perf --version"})
    void should_tell_its_version(String line) {
        assertEquals(0, execute(line));
        assertFalse(out().isEmpty());
        assertEquals("", err());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "''|a command is missing",
        "nosuch|nosuch",
        "rnu|did you mean run?",
        "explain foo|'foo': expected one of barrier, bcast",
        "explain all-reduec|did you mean allreduce?",
        "perf pingpogn|did you mean pingpong?",
        "stat --wiats 1|did you mean --waits?",
        "stat --intervall=2 1|did you mean --interval?",
        "info --foo|--foo",
        "perf|BENCH",
        "perf foo|expected one of pingpong, bandwidth",
        "perf pingpong --bytes 8x|'8x'",
        "perf pingpong --bytes 2G|from 0 to 1G",
        "perf pingpong --buffers disk|expected one of heap, direct, array",
        "perf pingpong --path wire|expected one of auto, direct, heap, attach, copy, cma, pipeline",
        "perf pingpong -n 1|2 to 4096",
        "perf pingpong -n 5000|2 to 4096",
        "perf pingpong --threads 2|rate only",
        "perf rate --threads 65|1 to 64",
        "perf rate --threads 64 --bytes 1G|more than 1G",
        "perf allreduce --bytes 12|multiple of 8",
        "perf barrier --breakdown|--breakdown",
        "perf pingpong --min-time 0|milliseconds",
        "perf pingpong --iterations 0|1 or more",
        "stat|PID",
        "stat abc|'abc': expected a whole number",
        "stat 99999999999|'99999999999' is too large",
        "stat 1 --interval x|'x': expected a number",
        "stat 1 --count 0|1 or more",
        "stat 1 --interval 0|seconds"})
    void should_refuse_a_wrong_command_line_with_code2(String line, String message) {
        assertEquals(2, execute(line));
        assertTrue(err().contains(message), err());
        assertTrue(err().contains("--help'."), err());
        assertFalse(err().contains("\tat "), err());
        assertEquals("", out());
    }

    @Test
    void should_fail_with_code1_and_a_reason_but_no_trace() {
        assertEquals(1, execute("stat " + Integer.MAX_VALUE));
        assertEquals("hayate stat: there is no process 2147483647 (in this pid namespace)\n",
                err());
    }

    @Test
    void should_tell_a_process_without_a_job() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            assertEquals(1, execute("stat " + process.pid()));
            assertTrue(err().contains("is in no Hayate job"), err());
        } finally {
            process.destroyForcibly();
        }
    }
}
