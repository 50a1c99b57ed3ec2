// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.Hayate;
import io.hayate.cli.Command;
import io.hayate.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StandardOutputTest {
    private static final Path FULL = Path.of("/dev/full");

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** In this process, as {@link Main#main} sets it up. */
    private int execute(OutputStream to, String line) {
        PrintStream realOut = System.out;
        PrintStream realErr = System.err;
        System.setOut(StandardOutput.over(to));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            return Main.execute(line.split(" "));
        } finally {
            System.setOut(realOut);
            System.setErr(realErr);
        }
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "--version", "tune --help", "info", "info --json", "doctor",
        "doctor --json", "explain bcast -n 4 --bytes 8", "explain bcast -n 4 --bytes 8 --json",
        "explain bcast --simulate -n 64 --bytes 8"})
    void should_not_end_well_when_its_output_is_lost(String line) throws IOException {
        try (OutputStream full = new FileOutputStream(FULL.toFile())) {
            assertEquals(1, execute(full, line));
        }
        assertTrue(err().matches("(?s)(.*\n)?hayate( [a-z]+)?: cannot write to standard output:"
                + " No space left on device\n"), err());
        assertFalse(err().contains("\tat "), err());
    }

    @Test
    void should_not_watch_a_job_for_nobody() throws IOException {
        try (OutputStream full = new FileOutputStream(FULL.toFile()); Hayate job = Hayate.init()) {
            assertEquals(1, job.size());
            assertEquals(1, execute(full, "stat " + ProcessHandle.current().pid()
                    + " --interval 0.01"));
        }
        assertTrue(err().startsWith("hayate stat: cannot write to standard output"), err());
    }

    @Test
    void should_end_silently_when_the_reader_has_seen_enough() {
        OutputStream gone = new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        assertEquals(141, execute(gone, "info"));
        assertEquals("", err());
    }

    /** The whole way: descriptor, virtual machine, launcher, ranks. */
    @Test
    void should_not_end_well_when_the_output_of_a_rank_is_lost() throws Exception {
        Path told = Files.createTempFile("hayate-err", "");
        Process process = Command.start(List.of(), Map.of(), FULL, told, "perf", "pingpong",
                "--bytes", "8", "--iterations", "1");
        int code = process.waitFor();
        String text = Files.readString(told);
        Files.delete(told);
        assertEquals(1, code, text);
        assertTrue(text.contains("hayate: cannot write to stdout: No space left on device; output"
                + " of ranks to it is lost\n"), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tune --quiet --out /dev/full", "tune --quiet --out /tmp"})
    void should_not_measure_for_a_file_that_cannot_be(String line) {
        assertEquals(1, execute(new ByteArrayOutputStream(), line));
        assertTrue(err().contains(": is not a regular file; name another one with --out\n"), err());
    }
}
