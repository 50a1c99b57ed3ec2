// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
class ThreadsCommandTest {
    @Test
    void shouldMeasureEachNumberOfThreadsWithEachKindOfEndpoints() {
        Command command = Command.run("perf", "threads", "--threads", "1,3", "--endpoints",
                "thread,2", "--min-time", "5", "--bytes", "40", "--json");
        assertEquals(0, command.code(), command.err());
        List<JsonObject> lines = Arrays.stream(command.out().split("\n"))
                .map(text -> JsonParser.parseString(text).getAsJsonObject()).toList();
        assertEquals(List.of("thread 1", "thread 3", "2 1", "2 3"), lines.stream().map(line ->
                line.get("endpoints").getAsString() + " " + line.get("threads")).toList());
        for (JsonObject line : lines) {
            double min = line.get("min_us").getAsDouble();
            double median = line.get("median_us").getAsDouble();
            assertTrue(min > 0 && min <= median && median <= line.get("p99_us").getAsDouble(),
                    line.toString());
            assertTrue(line.get("messages_per_s").getAsDouble() > 0, line.toString());
            assertEquals(40, line.get("bytes").getAsInt());
        }
    }

    @Test
    void shouldDrawACurveForEachKindOfEndpoints(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("threads.svg");
        Command command = Command.run("perf", "threads", "--threads", "1,2", "--endpoints",
                "thread,1", "--min-time", "2", "--plot", file.toString());
        assertEquals(0, command.code(), command.err());
        assertEquals(6, command.out().split("\n").length, command.out());
        var picture = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(file.toFile()).getDocumentElement();
        assertEquals(4, picture.getElementsByTagName("polyline").getLength());
        assertEquals(8, picture.getElementsByTagName("circle").getLength());
        assertTrue(picture.getTextContent().contains("list of 1"));
    }

    @Test
    void shouldDrawSeveralSizesAgainstBytes(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("sizes.svg");
        Command command = Command.run("perf", "threads", "--threads", "1,2", "--endpoints",
                "thread", "--bytes", "8,64,1K", "--min-time", "2", "--plot", file.toString());
        assertEquals(0, command.code(), command.err());
        assertEquals(8, command.out().split("\n").length, command.out());
        var picture = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(file.toFile()).getDocumentElement();
        assertEquals(4, picture.getElementsByTagName("polyline").getLength());
        assertEquals(12, picture.getElementsByTagName("circle").getLength());
        assertTrue(picture.getTextContent().contains("per thread, 2 threads"));
        assertTrue(picture.getTextContent().contains("bytes of a put"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--threads 0|--threads 0: expected 1 to 256",
        "--threads 257|--threads 257: expected 1 to 256",
        "--threads two|'two': expected a whole number",
        "--endpoints 0|--endpoints 0: expected thread, or 1 to 64",
        "--endpoints 65|--endpoints 65: expected thread, or 1 to 64",
        "--endpoints many|--endpoints many: expected thread, or 1 to 64",
        "--bytes 4|--bytes 4: expected 8 to 1M",
        "--bytes 8,2M|--bytes 2097152: expected 8 to 1M",
        "--min-time 0|--min-time 0: expected 1 to"})
    void shouldSayWhatIsWrongWithAnOption(String options, String what) {
        Command command = Command.run(("perf threads " + options).split(" "));
        assertEquals(2, command.code(), command.err());
        assertTrue(command.err().startsWith("hayate perf threads: "), command.err());
        assertTrue(command.err().contains(what), command.err());
        assertEquals("", command.out());
    }

    @Test
    void shouldNotMeasureWhatTheEnvironmentForbids() {
        Command command = Command.run(List.of(), Map.of("HAYATE_ENDPOINTS", "3"), "perf",
                "threads", "--threads", "1", "--min-time", "1");
        assertEquals(1, command.code());
        assertTrue(command.err().contains("HAYATE_ENDPOINTS=3 takes precedence"), command.err());
    }
}
