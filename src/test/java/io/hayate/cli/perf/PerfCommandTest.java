// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.cli.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class PerfCommandTest {
    private static List<JsonObject> measure(String line) {
        String[] words = (line + " --json --min-time 20").split(" ");
        Command command = Command.run(words);
        assertEquals(0, command.code(), command.err());
        return Arrays.stream(command.out().split("\n"))
                .map(text -> JsonParser.parseString(text).getAsJsonObject()).toList();
    }

    private static List<String> texts(List<JsonObject> lines, String name) {
        return lines.stream().map(line -> line.get(name).getAsString()).toList();
    }

    private static void assertPlausible(JsonObject line) {
        double min = line.get("min_us").getAsDouble();
        double median = line.get("median_us").getAsDouble();
        assertTrue(min > 0 && min <= median && median <= line.get("p99_us").getAsDouble(),
                line.toString());
        double rate = line.get("bytes").getAsInt() / median;
        assertEquals(rate, line.get("mb_per_s").getAsDouble(), 0.01 * rate + 0.1);
    }

    @Test
    void should_measure_half_round_trips_and_tell_their_way() {
        List<JsonObject> lines = measure("perf pingpong --bytes 8,64K,256K");
        assertEquals(List.of("8", "65536", "262144"), texts(lines, "bytes"));
        assertEquals(List.of("inline", "heap", "heap"), texts(lines, "path"));
        assertEquals(List.of("hayate-java", "hayate-java", "hayate-java"), texts(lines, "impl"));
        assertEquals(List.of("2", "2", "2"), texts(lines, "ranks"));
        lines.forEach(PerfCommandTest::assertPlausible);
    }

    @Test
    void should_write_and_read_the_data_unless_they_are_to_be_stale() {
        JsonObject fresh = measure("perf pingpong --bytes 64K").get(0);
        assertTrue(fresh.get("work_us").getAsDouble() > 0, fresh.toString());
        JsonObject stale = measure("perf pingpong --bytes 64K --stale").get(0);
        assertEquals(0, stale.get("work_us").getAsDouble(), stale.toString());
        assertTrue(stale.get("stale").getAsBoolean());
    }

    @Test
    void should_draw_a_point_for_each_size(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("sizes.svg");
        measure("perf pingpong --bytes 8,64K --plot " + file);
        String picture = Files.readString(file);
        for (String tip : List.of("median, 8 bytes by inline: ", "least, 65536 bytes by heap: ")) {
            assertTrue(picture.contains(tip), picture);
        }
        assertEquals(2, picture.split(">median<", -1).length - 1, picture); // in both panels
        assertEquals(1, picture.split(">99 %<", -1).length - 1, picture); // where it is drawn
        Command barrier = Command.run("perf", "barrier", "--plot", file.toString());
        assertEquals(2, barrier.code());
        assertTrue(barrier.err().contains("--plot: a barrier has no sizes"), barrier.err());
    }

    @Test
    void should_send_by_the_way_that_is_asked_for() {
        List<JsonObject> lines = measure("perf bandwidth --bytes 2K,64K --buffers array --path"
                + " pipeline");
        assertEquals(List.of("eager", "pipeline"), texts(lines, "path"));
        assertEquals(List.of("array", "array"), texts(lines, "buffers"));
        lines.forEach(PerfCommandTest::assertPlausible);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bcast", "hbcast", "reduce", "allreduce", "alltoall"})
    void should_measure_collectives_of_three_ranks(String bench) {
        List<JsonObject> lines = measure("perf " + bench + " -n 3 --bytes 8,4K --buffers direct");
        assertEquals(List.of("8", "4096"), texts(lines, "bytes"));
        assertEquals(List.of("schedule", "schedule"), texts(lines, "path"));
        assertEquals(List.of("3", "3"), texts(lines, "ranks"));
        lines.forEach(PerfCommandTest::assertPlausible);
    }

    @Test
    void should_measure_barriers_without_bytes() {
        List<JsonObject> lines = measure("perf barrier --bytes 8");
        assertEquals(List.of("0"), texts(lines, "bytes"));
        lines.forEach(PerfCommandTest::assertPlausible);
    }

    @Test
    void should_count_messages_of_several_threads() {
        JsonObject line = measure("perf rate --threads 3 --bytes 16").get(0);
        assertEquals(3, line.get("threads").getAsInt());
        double median = line.get("median_us").getAsDouble();
        double rate = line.get("messages_per_s").getAsDouble();
        assertEquals(1e6 / median, rate, 0.01 * rate);
        assertPlausible(line);
    }

    @Test
    void should_take_as_many_turns_as_asked_for() {
        JsonObject line = measure("perf pingpong --bytes 8 --iterations 1").get(0);
        assertEquals(1, line.get("samples").getAsInt());
    }

    @Test
    void should_take_messages_apart() {
        JsonObject parts = measure("perf pingpong --bytes 64K --breakdown").get(0)
                .getAsJsonObject("breakdown");
        assertTrue(parts.get("samples").getAsLong() > 0);
        assertTrue(parts.get("send_data_ns").getAsDouble() > 0);
    }

    @Test
    void should_use_the_job_that_it_is_started_in() {
        List<String> words = new ArrayList<>(List.of("run", "-n", "2", "--"));
        words.addAll(Command.words(List.of()));
        words.addAll(List.of("perf", "pingpong", "--bytes", "8", "--min-time", "20"));
        Command command = Command.run(words.toArray(String[]::new));
        assertEquals(0, command.code(), command.err());
        assertEquals(3, command.out().split("\n").length, command.out());
    }

    @Test
    void should_not_pretend_another_way_inside_a_job() {
        List<String> words = new ArrayList<>(List.of("run", "-n", "2", "--"));
        words.addAll(Command.words(List.of()));
        words.addAll(List.of("perf", "pingpong", "--path", "pipeline"));
        Command command = Command.run(words.toArray(String[]::new));
        assertEquals(1, command.code());
        assertTrue(command.err().contains("-x HAYATE_RENDEZVOUS=pipeline"), command.err());
    }

    @Test
    void should_not_pretend_tasks_inside_a_job_of_processes() {
        List<String> words = new ArrayList<>(List.of("run", "-n", "2", "--"));
        words.addAll(Command.words(List.of()));
        words.addAll(List.of("perf", "pingpong", "--pvas"));
        Command command = Command.run(words.toArray(String[]::new));
        assertEquals(1, command.code());
        assertTrue(command.err().contains("start it with hayate run --pvas"), command.err());
    }

    @Test
    void should_say_how_much_heap_is_missing() {
        Command command = Command.run(List.of(), Map.of("HAYATE_HEAP", "1M"), "perf", "pingpong",
                "--bytes", "8M");
        assertEquals(1, command.code());
        assertTrue(command.err().contains("--heap"), command.err());
    }

    @Test
    void should_refuse_blocks_that_cut_a_number_of_an_array() {
        Command command = Command.run("perf", "alltoall", "--bytes", "12", "--buffers", "array");
        assertEquals(2, command.code());
        assertTrue(command.err().contains("expected a multiple of 8"), command.err());
    }

    @Test
    void should_refuse_more_blocks_than_a_buffer_holds() {
        Command command = Command.run("perf", "alltoall", "-n", "3", "--bytes", "512M");
        assertEquals(1, command.code());
        assertTrue(command.err().contains("for 3 ranks is more than 1G"), command.err());
    }
}
