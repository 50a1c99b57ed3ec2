// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TablesCommandTest {
    @Test
    void shouldMeasureEachLayoutWithEachNumberOfRanks() {
        Command command = Command.run("perf", "tables", "--ranks", "5000,100000", "--layouts",
                "cyclic,ranges,random", "--min-time", "1", "--json");
        assertEquals(0, command.code(), command.err());
        List<JsonObject> lines = Arrays.stream(command.out().split("\n"))
                .map(text -> JsonParser.parseString(text).getAsJsonObject()).toList();
        assertEquals(List.of("cyclic 5000 rule", "cyclic 100000 rule", "ranges 5000 starts",
                "ranges 100000 starts", "random 5000 list", "random 100000 list"),
                lines.stream().map(line -> line.get("layout").getAsString() + " "
                        + line.get("ranks") + " " + line.get("form").getAsString()).toList());
        for (JsonObject line : lines) {
            assertTrue(line.get("simulated").getAsBoolean());
            assertTrue(line.get("lookup_ns").getAsDouble() > 0, line.toString());
            assertTrue(line.get("process_bytes").getAsLong()
                    < line.get("flat_process_bytes").getAsLong() / 10, line.toString());
            assertTrue(line.get("node_bytes").getAsLong()
                    < line.get("flat_node_bytes").getAsLong() / 5, line.toString());
        }
    }

    @Test
    void shouldDrawACurveForEachLayoutAndForFlatTables(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("tables.svg");
        Command command = Command.run("perf", "tables", "--ranks", "64,1000", "--layouts",
                "block,random", "--min-time", "1", "--plot", file.toString());
        assertEquals(0, command.code(), command.err());
        assertEquals(2 + 4, command.out().split("\n").length, command.out());
        var picture = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(file.toFile()).getDocumentElement();
        assertEquals(3 * 3, picture.getElementsByTagName("polyline").getLength());
        assertEquals(3 * 3 * 2, picture.getElementsByTagName("circle").getLength());
        assertTrue(picture.getTextContent().contains("simulated"));
    }

    @ParameterizedTest
    @CsvSource({"--ranks 1", "--ranks 2000000", "--per-node 0", "--partners 0", "--min-time 0",
        "--layouts spiral"})
    void shouldRefuseWhatCannotBe(String options) {
        Command command = Command.run(("perf tables " + options).split(" "));
        assertEquals(2, command.code());
        assertTrue(command.err().startsWith("hayate perf tables: "), command.err());
    }
}
