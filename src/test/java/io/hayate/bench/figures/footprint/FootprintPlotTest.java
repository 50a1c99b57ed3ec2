// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.bench.figures.Panels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.XYChart;

class FootprintPlotTest {
    private static Panels drawn(int... ranks) {
        List<Footprint> all = new ArrayList<>();
        for (int n : ranks) {
            all.add(footprint(n, Kind.PROCESSES, 20L * n * n));
            all.add(footprint(n, Kind.TASKS, 50L * n));
        }
        return FootprintPlot.of("a <title>", Comparison.of(all));
    }

    private static Footprint footprint(int ranks, Kind kind, long tables) {
        return new Footprint(ranks, kind, 2048, new MemoryUse(1000L * ranks, tables),
                MemoryUse.NONE, MemoryUse.NONE, 1);
    }

    /** On axes of logarithms, powers are straight lines. */
    @Test
    void should_draw_powers_on_logarithmic_axes() {
        XYChart tables = drawn(2, 8, 32, 128).charts().get(0);
        assertTrue(tables.getStyler().isYAxisLogarithmic());
        assertArrayEquals(new double[] {1, 3, 5, 7},
                tables.getSeries("processes, 2K").getXData(), 1e-9);
        assertArrayEquals(new double[] {80, 1280, 20480, 327680},
                tables.getSeries("processes, 2K").getYData());
        assertArrayEquals(new double[] {100, 400, 1600, 6400},
                tables.getSeries("tasks, 2K").getYData());
    }

    @Test
    void should_name_curves_with_their_power() {
        XYChart tables = drawn(2, 8, 32, 128).charts().get(0);
        assertEquals("processes, 2K: 320 MiB, N^2.00",
                tables.getSeries("processes, 2K").getLabel());
        assertEquals("tasks, 2K: 6.3 MiB, N^1.00", tables.getSeries("tasks, 2K").getLabel());
    }

    @Test
    void should_draw_one_number_of_ranks_without_a_power() {
        String label = drawn(4).charts().get(0).getSeries("tasks, 2K").getLabel();
        assertFalse(label.contains("N^") || label.contains("NaN"), label);
    }

    @Test
    void should_write_both_panels_into_one_picture(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("footprint.svg");
        drawn(2, 8, 32).write(file);
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        var picture = factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
        assertEquals("svg", picture.getTagName());
        assertTrue(picture.getTextContent().contains("a <title>"));
    }
}
