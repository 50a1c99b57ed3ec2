// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.bench.figures.FigureRun;
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
        "--ranks x|'x' is not an int",
        "--ranks 2,,4|'' is not an int",
        "--bytes 7|expected 8 or more",
        "--bytes 16M|--bytes 16777216: a message to each of 128 ranks is more than 1G",
        "--bytes lots|'lots': expected a number of bytes",
        "--rounds 0|--rounds 0: expected 1 to 1000000",
        "--buffers array|but was 'array'",
        "--path cma|Unknown options: '--path', 'cma'"})
    void should_say_what_is_wrong_with_an_option(String options, String what) {
        FigureRun run = FigureRun.of("footprint " + options);
        assertEquals(2, run.code(), run.err());
        assertTrue(run.err().contains(what), run.err());
        assertTrue(run.err().contains("Usage: figure.sh footprint"), run.err());
        assertEquals("", run.out());
    }

    @Test
    void should_want_a_figure() {
        FigureRun run = FigureRun.of("--json");
        assertEquals(2, run.code());
        assertTrue(run.err().contains("Unknown option: '--json'"), run.err());
        assertEquals(2, FigureRun.of("nosuch").code());
    }

    @Test
    void should_refuse_a_picture_that_is_not_drawn_before_it_measures() {
        FigureRun command = FigureRun.of("footprint --plot footprint.png");
        assertEquals(1, command.code());
        assertTrue(command.err().contains("footprint.png: only SVG is supported"), command.err());
        assertEquals("", command.out());
    }

    @Test
    void should_refuse_to_be_a_rank() {
        FigureRun command = FigureRun.of(List.of(), Map.of("HAYATE_RANK", "0", "HAYATE_BOOT_FD",
                "9", "HAYATE_SIZE", "1"), "footprint");
        assertEquals(2, command.code(), command.err());
        assertTrue(command.err().contains("run it outside"), command.err());
    }
}
