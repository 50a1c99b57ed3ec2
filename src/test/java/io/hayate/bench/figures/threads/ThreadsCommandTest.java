// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.hayate.bench.figures.FigureRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;

@Tag("slow")
class ThreadsCommandTest {
    @Test
    void should_measure_each_number_of_threads_with_each_kind_of_endpoints() {
        List<JsonObject> lines = FigureRun.of("threads --threads 1,3 --endpoints thread,2"
                + " --min-time 5 --bytes 40 --json").lines();
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
    void should_draw_what_it_measured(@TempDir Path folder) {
        Path file = folder.resolve("threads.svg");
        FigureRun run = FigureRun.of("threads --threads 1,2 --endpoints thread,1 --min-time 2"
                + " --plot " + file);
        assertEquals(0, run.code(), run.err());
        assertEquals(6, run.out().split("\n").length, run.out());
        assertTrue(Files.exists(file));
    }

    private static ThreadPoint point(int endpoints, int threads, int bytes) {
        return new ThreadPoint(endpoints, threads, bytes, 1, 2, 3, 4e6, 5);
    }

    @Test
    void should_draw_a_curve_for_each_kind_of_endpoints() {
        List<XYChart> charts = ThreadsCommand.draw(List.of(point(0, 1, 8), point(0, 2, 8),
                point(1, 1, 8), point(1, 2, 8))).charts();
        assertEquals(2, charts.size());
        for (XYChart chart : charts) {
            assertEquals(List.of("per thread", "list of 1"),
                    chart.getSeriesCollection().stream().map(XYSeries::getName).toList());
            chart.getSeriesCollection().forEach(curve -> assertEquals(2, curve.getXData().length));
        }
    }

    @Test
    void should_draw_several_sizes_against_bytes() {
        List<XYChart> charts = ThreadsCommand.draw(List.of(point(0, 1, 8), point(0, 2, 8),
                point(0, 1, 64), point(0, 2, 64), point(0, 1, 1024), point(0, 2, 1024))).charts();
        assertEquals(2, charts.size());
        for (XYChart chart : charts) {
            assertEquals(List.of("per thread, 1 thread", "per thread, 2 threads"),
                    chart.getSeriesCollection().stream().map(XYSeries::getName).toList());
            assertEquals(3, chart.getSeries("per thread, 2 threads").getXData().length);
            assertEquals("bytes of a put", chart.getXAxisTitle());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--threads 0|--threads 0: expected 1 to 256",
        "--threads 257|--threads 257: expected 1 to 256",
        "--threads two|'two' is not an int",
        "--endpoints 0|--endpoints 0: expected thread, or 1 to 64",
        "--endpoints 65|--endpoints 65: expected thread, or 1 to 64",
        "--endpoints many|--endpoints many: expected thread, or 1 to 64",
        "--bytes 4|--bytes 4: expected 8 to 1M",
        "--bytes 8,2M|--bytes 2097152: expected 8 to 1M",
        "--min-time 0|--min-time 0: expected 1 to"})
    void should_say_what_is_wrong_with_an_option(String options, String what) {
        FigureRun command = FigureRun.of("threads " + options);
        assertEquals(2, command.code(), command.err());
        assertTrue(command.err().contains(what), command.err());
        assertEquals("", command.out());
    }

    @Test
    void should_not_measure_what_the_environment_forbids() {
        FigureRun command = FigureRun.of(List.of(), Map.of("HAYATE_ENDPOINTS", "3"),
                "threads --threads 1 --min-time 1");
        assertEquals(1, command.code());
        assertTrue(command.err().contains("HAYATE_ENDPOINTS=3 takes precedence"), command.err());
    }
}
