// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.cli.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TuneCommandTest {
    private static final Map<String, String> NO_FILE = Map.of("HAYATE_TUNING", "none");

    @TempDir
    private Path directory;

    private static Command run(Map<String, String> environment, String line) {
        return Command.run(List.of(), environment, line.split(" "));
    }

    private static List<JsonObject> lines(Command command) {
        assertEquals(0, command.code(), command.err());
        return Arrays.stream(command.out().split("\n"))
                .map(text -> JsonParser.parseString(text).getAsJsonObject()).toList();
    }

    @Tag("slow")
    @Test
    void should_measure_and_store_what_jobs_then_choose_by_and_compare_with_it()
            throws IOException {
        Path file = directory.resolve("tuning.conf");
        Map<String, String> here = Map.of("HAYATE_TUNING", file.toString());
        Command first = run(here, "tune --seconds 5 --json --quiet");
        assertEquals("", first.err());
        JsonObject result = lines(first).get(0);
        assertEquals(file.toString(), result.get("file").getAsString());
        assertEquals("the default", result.get("before").getAsString());
        for (JsonElement term : result.getAsJsonArray("terms")) {
            assertTrue(term.getAsJsonObject().get("value").getAsDouble() > 0, term.toString());
        }
        assertTrue(Files.readString(file).contains("\nsignal = "));
        assertTrue(run(here, "explain bcast -n 2 --bytes 8").out()
                .contains("measured on this machine"));
        Command again = run(NO_FILE, "tune --seconds 5 --quiet --out " + file);
        assertEquals(0, again.code(), again.err());
        assertTrue(again.out().contains("before: the previous file"), again.out());
    }

    @Tag("slow")
    @Test
    void should_say_that_other_programs_run() throws Exception {
        Process other = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        try {
            Command tune = run(NO_FILE, "tune --check --ranks 2 --collectives barrier"
                    + " --seconds-per 0.05");
            assertEquals(0, tune.code(), tune.err());
            assertTrue(tune.err().contains("hayate tune: the machine is busy: other programs use"
                    + " about "), tune.err());
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    @Tag("slow")
    @Test
    void should_warn_of_a_missing_file_once_per_job() {
        Command command = run(Map.of("HAYATE_TUNING", directory + "/absent.conf"),
                "perf barrier -n 3 --iterations 1");
        assertEquals(0, command.code(), command.err());
        assertEquals(1, command.err().split("default times are used", -1).length - 1,
                command.err());
    }

    @Tag("slow")
    @Test
    void should_hold_choices_against_measurements() throws IOException {
        Path markdown = directory.resolve("check.md");
        Path plot = directory.resolve("check.svg");
        List<JsonObject> lines = lines(run(NO_FILE, "tune --check --ranks 2,3 --collectives"
                + " barrier,allreduce --bytes 4:64 --seconds-per 0.05 --json --quiet --md "
                + markdown + " --plot " + plot));
        assertEquals(2 * (1 + 3) + 1, lines.size());
        assertEquals(List.of(2, 2, 2, 2, 3, 3, 3, 3), lines.subList(0, 8).stream()
                .map(line -> line.get("ranks").getAsInt()).toList());
        for (JsonObject cell : lines.subList(0, 8)) {
            assertTrue(cell.getAsJsonObject("auto").get("loss").getAsDouble() >= 1);
            assertFalse(cell.getAsJsonArray("candidates").isEmpty());
        }
        assertEquals(8, lines.get(8).get("cells").getAsInt());
        assertTrue(Files.readString(markdown).contains("| allreduce | 3 | 64 |"));
        assertTrue(Files.readString(plot).contains("<title>allreduce, 3 ranks, 64 bytes: "));
    }

    /** Of the candidates that the model knows; which one is the fastest is the machine's affair. */
    @Tag("slow")
    @Test
    void should_hold_choices_by_measurement_against_measurements() {
        List<JsonObject> lines = lines(run(NO_FILE, "tune --check --measured --ranks 2"
                + " --collectives bcast,allreduce --bytes 64,4K --seconds-per 0.05 --json"
                + " --quiet"));
        assertEquals(2 * 2 + 1, lines.size());
        for (JsonObject cell : lines.subList(0, 4)) {
            assertTrue(cell.getAsJsonObject("auto").get("loss").getAsDouble() >= 1);
            String choice = cell.getAsJsonObject("auto").get("choice").getAsString();
            assertTrue(cell.getAsJsonArray("candidates").toString().contains(choice),
                    cell.toString());
        }
    }

    @Test
    void should_not_be_misled_by_hints_of_the_environment() {
        List<JsonObject> lines = lines(run(Map.of("HAYATE_TUNING", "none", "HAYATE_COLL",
                "algorithm=linear"), "tune --check --ranks 2 --collectives allgather --bytes 64"
                + " --seconds-per 0.05 --json --quiet"));
        assertTrue(lines.get(0).getAsJsonArray("candidates").toString().contains("ring"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "tune --seconds 4|expected 5 to 60",
        "tune --quick|need --check",
        "tune --check --ranks 1|expected 2 to",
        "tune --check --collectives bcasts|allreduce",
        "tune --check --bytes 6 --collectives reduce|multiple of 4",
        "tune --check --bytes x|--bytes",
        "tune --check --seconds-per 0|--seconds-per"})
    void should_say_what_is_wrong_with_the_command_line(String line, String what) {
        Command command = run(NO_FILE, line);
        assertEquals(2, command.code());
        assertTrue(command.err().contains(what), command.err());
    }

    @Test
    void should_refuse_to_store_where_no_file_is_used() {
        Command command = run(NO_FILE, "tune --seconds 5");
        assertEquals(1, command.code());
        assertTrue(command.err().contains("HAYATE_TUNING=none"), command.err());
    }
}
