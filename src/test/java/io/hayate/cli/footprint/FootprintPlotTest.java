// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class FootprintPlotTest {
    private static String draw(int... ranks) throws Exception {
        List<Footprint> all = new ArrayList<>();
        for (int n : ranks) {
            all.add(footprint(n, Kind.PROCESSES, 20L * n * n));
            all.add(footprint(n, Kind.TASKS, 50L * n));
        }
        String svg = new FootprintPlot("a <title>", Comparison.of(all), Long::toString).draw();
        DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)));
        return svg;
    }

    private static Footprint footprint(int ranks, Kind kind, long tables) {
        return new Footprint(ranks, kind, 2048, new MemoryUse(1000L * ranks, tables),
                MemoryUse.NONE, MemoryUse.NONE, 1);
    }

    /** Heights of a kind's points of page tables, counted from above. */
    private static List<Double> heights(String svg, Kind kind) {
        Matcher matcher = Pattern.compile("<circle class=\"p-" + kind
                + "\" cx=\"[0-9.]+\" cy=\"([0-9.]+)\"").matcher(svg);
        List<Double> heights = new ArrayList<>();
        while (matcher.find()) {
            heights.add(Double.parseDouble(matcher.group(1)));
        }
        return heights.subList(0, heights.size() / 2);
    }

    @Test
    void shouldDrawPowersAsStraightLines() throws Exception {
        String svg = draw(2, 8, 32, 128);
        for (Kind kind : Kind.values()) {
            List<Double> heights = heights(svg, kind);
            assertEquals(4, heights.size());
            double step = heights.get(0) - heights.get(1);
            assertTrue(step > 10, svg);
            assertEquals(step, heights.get(1) - heights.get(2), 0.1);
            assertEquals(step, heights.get(2) - heights.get(3), 0.1);
        }
        assertEquals(2 * (heights(svg, Kind.TASKS).get(0) - heights(svg, Kind.TASKS).get(3)),
                heights(svg, Kind.PROCESSES).get(0) - heights(svg, Kind.PROCESSES).get(3), 0.1);
    }

    @Test
    void shouldNameCurvesWithTheirPower() throws Exception {
        String svg = draw(2, 8, 32, 128);
        assertTrue(svg.contains(">processes, 2048<"), svg);
        assertTrue(svg.contains(">320 MiB, N^2.00<"), svg);
        assertTrue(svg.contains(">6.3 MiB, N^1.00<"), svg);
    }

    @Test
    void shouldDrawOneNumberOfRanksWithoutAPower() throws Exception {
        String svg = draw(4);
        assertFalse(svg.contains("N^1") || svg.contains("NaN"), svg);
    }
}
