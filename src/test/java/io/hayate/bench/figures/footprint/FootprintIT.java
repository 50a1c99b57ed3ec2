// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.google.gson.JsonObject;
import io.hayate.bench.figures.FigureRun;
import io.hayate.bench.figures.Ranks;
import io.hayate.conformance.RunningJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FootprintIT {
    @TempDir
    private Path directory;

    private FigureRun footprint(String options) throws IOException {
        return footprint(options, Map.of());
    }

    private FigureRun footprint(String options, Map<String, String> environment)
            throws IOException {
        Path temporary = Files.createTempDirectory(directory, "tmp");
        FigureRun command = FigureRun.of(List.of("-Djava.io.tmpdir=" + temporary), environment,
                "footprint " + options);
        assumeFalse(command.err().contains("kcmp: Operation not permitted"), "kcmp is forbidden");
        assertNothingIsLeft(temporary);
        return command;
    }

    private static void assertNothingIsLeft(Path temporary) throws IOException {
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(List.of(), left.filter(file -> file.getFileName().toString()
                    .startsWith("hayate-")).toList(), "left behind");
        }
    }

    private static JsonObject line(List<JsonObject> lines, String as, int ranks) {
        return lines.stream().filter(line -> line.get("bench").getAsString().equals("footprint")
                && line.get("as").getAsString().equals(as)
                && line.get("ranks").getAsInt() == ranks).findFirst().orElseThrow();
    }

    private static long kib(List<JsonObject> lines, String as, int ranks, String name) {
        return line(lines, as, ranks).get(name).getAsLong();
    }

    private List<JsonObject> measured(String options) throws IOException {
        FigureRun command = footprint("--ranks 2,4 --rounds 3 --json " + options);
        assertEquals(0, command.code(), command.err());
        assertEquals("", command.err());
        return command.lines();
    }

    /** What all hold is the same however it is held; counted twice, that of tasks were double. */
    @Test
    void should_count_the_address_space_of_tasks_once() throws IOException {
        List<JsonObject> lines = measured("--bytes 16K");
        for (int ranks : new int[] {2, 4}) {
            double processes = kib(lines, "processes", ranks, "memory_kib");
            double tasks = kib(lines, "tasks", ranks, "memory_kib");
            assertTrue(tasks < 1.5 * processes && processes < 1.5 * tasks, lines.toString());
            assertTrue(kib(lines, "tasks", ranks, "page_tables_kib")
                    < 1.2 * kib(lines, "processes", ranks, "page_tables_kib"), lines.toString());
        }
    }

    @Test
    void should_see_page_tables_of_processes_grow_faster() throws IOException {
        List<JsonObject> lines = measured("--bytes 16K");
        long processes = kib(lines, "processes", 4, "page_tables_kib")
                - kib(lines, "processes", 2, "page_tables_kib");
        long tasks = kib(lines, "tasks", 4, "page_tables_kib")
                - kib(lines, "tasks", 2, "page_tables_kib");
        assertTrue(tasks > 0 && processes > 1.5 * tasks, lines.toString());
        JsonObject growth = lines.get(lines.size() - 1);
        assertEquals("footprint-growth", growth.get("bench").getAsString());
        assertTrue(growth.get("processes_page_tables_exponent").getAsDouble()
                > growth.get("tasks_page_tables_exponent").getAsDouble(), growth.toString());
        double added = kib(lines, "tasks", 4, "added_page_tables_kib");
        assertEquals(added / kib(lines, "processes", 4, "added_page_tables_kib"),
                growth.get("page_tables_ratio").getAsDouble(), 1e-3);
    }

    /** Each of 4 ranks has 4 messages of 256 KiB to send and room for 4: 8 MiB in all. */
    @Test
    void should_see_the_messages() throws IOException {
        for (String place : List.of("heap", "private")) {
            List<JsonObject> lines = measured("--bytes 256K --buffers " + place);
            for (String as : List.of("processes", "tasks")) {
                long added = kib(lines, as, 4, "added_memory_kib");
                assertTrue(added > 8192 - 8 * 256 && added < 16384, place + " " + lines);
                assertEquals(added, kib(lines, as, 4, "memory_kib")
                        - kib(lines, as, 4, "base_memory_kib"));
            }
        }
    }

    @Test
    void should_print_both_and_draw_them() throws IOException {
        Path plot = directory.resolve("footprint.svg");
        FigureRun command = footprint("--ranks 2,4 --rounds 2 --bytes 2K --plot " + plot);
        assertEquals(0, command.code(), command.err());
        for (String row : List.of("2 processes", "2 tasks", "4 processes", "4 tasks")) {
            assertTrue(command.out().contains("     " + row), command.out());
        }
        assertTrue(command.out().matches("(?s).*2K: page tables grow as N\\^[0-9.]+"
                + " \\(processes\\), N\\^[0-9.]+ \\(tasks\\); memory as .*2K: of 4 ranks tasks"
                + " add 0\\.[0-9]+ of the page tables .*"), command.out());
        assertTrue(Files.readString(plot).contains("<svg"));
    }

    @Test
    void should_pass_on_once_what_all_ranks_lack() throws IOException {
        FigureRun command = footprint("--ranks 2,32 --rounds 1 --bytes 1M",
                Map.of("HAYATE_HEAP", "24M"));
        assertEquals(1, command.code());
        assertTrue(command.out().matches("(?s).*\n +2 tasks +1M +[0-9].*\n +32 tasks +1M( +-)+\n"
                + ".*"), command.out());
        assertEquals(2, command.err().lines().filter(line -> line.startsWith(
                "footprint: no memory for messages of 33554432 bytes to each of 32 ranks: "))
                .count(), command.err());
    }

    /** As when there is no room for so many. */
    @Test
    void should_go_on_behind_a_job_that_fails() throws IOException {
        FigureRun command = footprint("--ranks 2,4,6 --rounds 1 --bytes 2K",
                launcherWithoutRoom("--output direct -n 4 --pvas ",
                        "hayate: cannot run 4 ranks as tasks"));
        assertEquals(1, command.code());
        assertEquals("hayate: cannot run 4 ranks as tasks: no room\n", command.err());
        assertTrue(command.out().matches("(?s).*\n +4 tasks +2K +-( +-)+\n +6 processes.*"
                + "\n +6 tasks +2K +[0-9].*of 6 ranks tasks add .*"), command.out());
    }

    @Test
    void should_not_take_the_launcher_for_the_tasks_where_no_processes_ran() throws IOException {
        FigureRun command = footprint("--ranks 2 --rounds 1 --bytes 2K",
                launcherWithoutRoom("--output direct -n 2 -- ", "hayate: cannot run 2 ranks"));
        assertEquals(1, command.code());
        assertTrue(command.err().contains("the job of 2 tasks is skipped"), command.err());
        assertTrue(command.out().matches("(?s).*\n +2 tasks +2K +-( +-)+\n.*"), command.out());
    }

    /** As by Ctrl-C. Whoever runs tests may ignore it, and so all that he starts: env ends that. */
    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void should_leave_nothing_behind_when_a_signal_ends_it(String signal) throws Exception {
        Path temporary = Files.createTempDirectory(directory, "tmp");
        List<String> words = new ArrayList<>(List.of("env", "--default-signal=" + signal));
        words.addAll(FigureRun.words(List.of("-Djava.io.tmpdir=" + temporary),
                "footprint --ranks 2 --rounds 1000000"));
        Process process = new ProcessBuilder(words).redirectErrorStream(true)
                .redirectOutput(directory.resolve("out").toFile()).start();
        try {
            List<ProcessHandle> job = job(process);
            RunningJob.signal(signal, process.pid());
            assertTrue(process.waitFor(120, TimeUnit.SECONDS), "it should end");
            assertEquals(List.of(), job.stream().filter(ProcessHandle::isAlive).toList());
            assertNothingIsLeft(temporary);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** The launcher and its two ranks. */
    private List<ProcessHandle> job(Process process) throws IOException {
        List<ProcessHandle> job = List.of();
        while (job.size() < 3) {
            assertTrue(process.isAlive(), Files.readString(directory.resolve("out")));
            Thread.onSpinWait();
            job = process.descendants().toList();
        }
        return job;
    }

    private Map<String, String> launcherWithoutRoom(String words, String reason)
            throws IOException {
        Path launcher = directory.resolve("launcher");
        Files.writeString(launcher, "#!/bin/sh\ncase \"$*\" in '" + words + "'*)\n    echo '"
                + reason + ": no room' >&2\n    exit 1\nesac\nexec '"
                + Ranks.launcher() + "' \"$@\"\n");
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
        return Map.of("HAYATE_RUN", launcher.toString());
    }
}
