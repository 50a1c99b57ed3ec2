// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.tables;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.hayate.bench.figures.FigureRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;

class TablesCommandTest {
    @Test
    void should_measure_each_layout_with_each_number_of_ranks() {
        List<JsonObject> lines = FigureRun.of("tables --ranks 5000,100000 --layouts"
                + " cyclic,ranges,random --min-time 1 --json").lines();
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
    void should_draw_what_it_measured(@TempDir Path folder) {
        Path file = folder.resolve("tables.svg");
        FigureRun run = FigureRun.of("tables --ranks 64,1000 --layouts block,random --min-time 1"
                + " --plot " + file);
        assertEquals(0, run.code(), run.err());
        assertEquals(2 + 4, run.out().split("\n").length, run.out());
        assertTrue(Files.exists(file));
    }

    @Test
    void should_draw_a_curve_for_each_layout_and_for_flat_tables() {
        List<TablesPoint> points = new ArrayList<>();
        for (TablesPoint.Layout layout : List.of(TablesPoint.Layout.BLOCK,
                TablesPoint.Layout.RANDOM)) {
            for (int ranks : new int[] {64, 1000}) {
                points.add(new TablesPoint(layout, ranks, "list", 1, 2, 3, 4, 5, 6, 7, 8, 9));
            }
        }
        List<XYChart> charts = TablesCommand.draw("simulated", points).charts();
        assertEquals(3, charts.size());
        for (XYChart chart : charts) {
            assertEquals(Set.of("block", "random", "flat"), chart.getSeriesCollection().stream()
                    .map(XYSeries::getName).collect(Collectors.toSet()));
            chart.getSeriesCollection().forEach(curve -> assertEquals(2, curve.getXData().length));
        }
    }

    @ParameterizedTest
    @CsvSource({"--ranks 1", "--ranks 2000000", "--per-node 0", "--partners 0", "--min-time 0",
        "--layouts spiral"})
    void should_refuse_what_cannot_be(String options) {
        FigureRun run = FigureRun.of("tables " + options);
        assertEquals(2, run.code());
        assertTrue(run.err().contains(options.split(" ")[0]), run.err());
        assertEquals("", run.out());
    }
}
