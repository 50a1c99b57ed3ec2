// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FootprintCommandTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--ranks 1|--ranks 1: expected 2 to 4096",
        "--ranks 2,4097|--ranks 4097: expected 2 to 4096",
        "--ranks x|'x': expected a whole number",
        "--ranks 2,,4|'': expected a whole number",
        "--bytes 7|expected 8 or more",
        "--bytes 16M|--bytes 16777216: a message to each of 128 ranks is more than 1G",
        "--bytes lots|'lots': expected a number of bytes",
        "--rounds 0|--rounds 0: expected 1 to 1000000",
        "--buffers array|'array': expected one of heap, private",
        "--path cma|Unknown options: '--path', 'cma'"})
    void shouldSayWhatIsWrongWithAnOption(String options, String what) {
        Command command = Command.run(("perf footprint " + options).split(" "));
        assertEquals(2, command.code(), command.err());
        assertTrue(command.err().startsWith("hayate perf footprint: "), command.err());
        assertTrue(command.err().contains(what), command.err());
        assertEquals("", command.out());
    }

    @ParameterizedTest
    @CsvSource({"perf --json footprint", "perf pingpong footprint"})
    void shouldWantItsOptionsBehindItsName(String line) {
        Command command = Command.run(line.split(" "));
        assertEquals(2, command.code(), command.err());
        assertTrue(command.err().contains("options before 'footprint' are not valid"),
                command.err());
    }

    @Test
    void shouldStillWantABench() {
        Command command = Command.run("perf");
        assertEquals(2, command.code());
        assertTrue(command.err().startsWith("hayate perf: Missing required parameter: 'BENCH'\n"),
                command.err());
    }

    @Test
    void shouldRefuseAPictureThatIsNotDrawnBeforeItMeasures() {
        Command command = Command.run("perf", "footprint", "--plot", "footprint.png");
        assertEquals(1, command.code());
        assertTrue(command.err().contains("footprint.png: only SVG is supported"), command.err());
        assertEquals("", command.out());
    }

    @Test
    void shouldRefuseToBeARank() {
        Command command = Command.run(List.of(), Map.of("HAYATE_RANK", "0", "HAYATE_BOOT_FD", "9",
                "HAYATE_SIZE", "1"), "perf", "footprint");
        assertEquals(2, command.code(), command.err());
        assertTrue(command.err().contains("run it outside"), command.err());
    }
}
