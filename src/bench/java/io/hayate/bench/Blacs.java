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
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws what scripts/bench/blacs.sh leaves in results.txt: half a round trip of contiguous and
 * strided matrices and of triangles against their bytes, over Hayate, over Open MPI, and what the
 * machine allows, a picture for each number of ranks; and the throughput of contiguous matrices
 * between 2 ranks, also as plain messages.
 */
public final class Blacs {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 650;
    private static final Map<String, String> SHAPES = Map.of("gesd2d", "contiguous",
            "gesd2d-strided", "strided (lda = 2 m)", "trsd2d", "triangle");
    private static final Map<String, Color> LIBRARIES = Map.of("hayate", new Color(0xc8102e),
            "openmpi", new Color(0x1f4e9c), "fmpl", new Color(0xf28e2b), "mpi", new Color(0x5b9bd5),
            "limit", new Color(0x7f7f7f));
    private static final Map<String, String> CARRIERS = Map.of("hayate", "BLACS over Hayate",
            "openmpi", "BLACS over Open MPI", "fmpl", "FMPL", "mpi", "MPI (Open MPI)",
            "limit", "shared memory alone");

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
        Plots.save(throughput(lines.stream().filter(line -> line.ranks() == 2).toList()), folder,
                "throughput-2", written);
    }

    /** As figure 6 of the FMPL paper. */
    private static XYChart throughput(List<Line> lines) {
        XYChart chart = chart("FMPL, MPI and the BLACS between 2 ranks", "throughput (GB/s)");
        for (String library : List.of("openmpi", "mpi", "hayate", "fmpl", "limit")) {
            add(chart, CARRIERS.get(library), lines, library, "gesd2d",
                    line -> line.bytes() / line.time() / 1000);
        }
        Plots.bounds(chart);
        return chart;
    }

    private static XYChart chart(List<Line> lines, int ranks) {
        XYChart chart = chart("BLACS: half a round trip"
                + (ranks > 2 ? " between two of " + ranks + " ranks" : ""), "time (us)");
        for (String library : List.of("openmpi", "hayate", "limit")) {
            for (String shape : List.of("gesd2d", "gesd2d-strided", "trsd2d")) {
                add(chart, library + ", " + SHAPES.get(shape), lines, library, shape, Line::time);
            }
        }
        Plots.bounds(chart);
        return chart;
    }

    private static XYChart chart(String title, String yTitle) {
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).title(title)
                .xAxisTitle("matrix (bytes)").yAxisTitle(yTitle).build();
        Plots.style(chart.getStyler());
        chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true)
                .setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setMarkerSize(7);
        return chart;
    }

    /** The medians over the rounds, if there are any. */
    private static void add(XYChart chart, String name, List<Line> lines, String library,
            String shape, ToDoubleFunction<Line> value) {
        TreeMap<Double, List<Double>> points = new TreeMap<>();
        lines.stream().filter(l -> l.library().equals(library) && l.name().equals(shape))
                .forEach(l -> points.computeIfAbsent(l.bytes(), k -> new ArrayList<>())
                        .add(value.applyAsDouble(l)));
        if (!points.isEmpty()) {
            dress(chart.addSeries(name, List.copyOf(points.keySet()),
                    points.values().stream().map(Blacs::median).toList()), library, shape);
        }
    }

    /** The colour tells the library, the line the shape. */
    private static void dress(XYSeries curve, String library, String shape) {
        curve.setLineColor(LIBRARIES.get(library));
        curve.setMarkerColor(LIBRARIES.get(library));
        curve.setLineWidth(library.equals("hayate") || library.equals("fmpl") ? 3f : 1.5f);
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
