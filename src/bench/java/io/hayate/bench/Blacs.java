/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws what scripts/bench/blacs.sh leaves in results.txt: half a round trip of contiguous and
 * strided matrices and of triangles against their bytes, over Hayate, over Open MPI, and what the
 * machine allows; a picture for each number of ranks.
 */
public final class Blacs {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 650;
    private static final Map<String, String> SHAPES = Map.of("gesd2d", "contiguous",
            "gesd2d-strided", "strided (lda = 2 m)", "trsd2d", "triangle");
    private static final Map<String, Color> LIBRARIES = Map.of("hayate", new Color(0xc8102e),
            "openmpi", new Color(0x1f4e9c), "limit", new Color(0x7f7f7f));

    /** A line of results.txt. */
    private record Line(String library, int ranks, String name, double bytes, double time) {
        static Line of(String text) {
            String[] words = text.split(" ");
            return new Line(words[1], Integer.parseInt(words[2]), words[3],
                    Double.parseDouble(words[4]), Double.parseDouble(words[5]));
        }
    }

    private Blacs() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            System.err.println("usage: Blacs FOLDER");
            System.exit(2);
        }
        Path folder = Path.of(args[0]);
        List<Line> lines = Files.readAllLines(folder.resolve("results.txt")).stream()
                .map(Line::of).filter(line -> SHAPES.containsKey(line.name())).toList();
        List<String> written = new ArrayList<>();
        for (int ranks : lines.stream().mapToInt(Line::ranks).distinct().toArray()) {
            Plots.save(chart(lines.stream().filter(line -> line.ranks() == ranks).toList(), ranks),
                    folder, "point-to-point-" + ranks, written);
        }
    }

    private static XYChart chart(List<Line> lines, int ranks) {
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT)
                .title("BLACS: half a round trip"
                        + (ranks > 2 ? " between two of " + ranks + " ranks" : ""))
                .xAxisTitle("matrix (bytes)").yAxisTitle("time (us)").build();
        Plots.style(chart.getStyler());
        chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true)
                .setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setMarkerSize(7);
        for (String library : List.of("openmpi", "hayate", "limit")) {
            for (String shape : List.of("gesd2d", "gesd2d-strided", "trsd2d")) {
                TreeMap<Double, List<Double>> points = new TreeMap<>();
                lines.stream().filter(l -> l.library().equals(library) && l.name().equals(shape))
                        .forEach(l -> points.computeIfAbsent(l.bytes(), k -> new ArrayList<>())
                                .add(l.time()));
                if (!points.isEmpty()) {
                    dress(chart.addSeries(library + ", " + SHAPES.get(shape),
                            List.copyOf(points.keySet()),
                            points.values().stream().map(Blacs::median).toList()), library, shape);
                }
            }
        }
        Plots.bounds(chart);
        return chart;
    }

    /** The colour tells the library, the line the shape. */
    private static void dress(XYSeries curve, String library, String shape) {
        curve.setLineColor(LIBRARIES.get(library));
        curve.setMarkerColor(LIBRARIES.get(library));
        curve.setLineWidth(library.equals("hayate") ? 3f : 1.5f);
        switch (shape) {
            case "gesd2d-strided" -> {
                curve.setMarker(SeriesMarkers.SQUARE);
                curve.setLineStyle(SeriesLines.DASH_DASH);
            }
            case "trsd2d" -> {
                curve.setMarker(SeriesMarkers.TRIANGLE_UP);
                curve.setLineStyle(SeriesLines.DOT_DOT);
            }
            default -> {
                curve.setMarker(SeriesMarkers.CIRCLE);
                curve.setLineStyle(SeriesLines.SOLID);
            }
        }
    }

    private static double median(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(d -> d).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
