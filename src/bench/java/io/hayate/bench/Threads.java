/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws what scripts/bench/threads.sh leaves in results.jsonl: half a round trip, and messages of
 * all threads, both in powers; a curve a series. Several sizes with one number of threads are drawn
 * against the size, everything else against the number of threads, with a row of charts a size.
 */
public final class Threads {
    private static final int WIDTH = 800;
    private static final int HEIGHT = 600;
    /** Neighbours in the list are far apart on the circle of hues. */
    private static final float HUE = 0.381966f;

    private static final String PROCESSES = "processes";
    private static final Marker[] MARKERS = {SeriesMarkers.CIRCLE, SeriesMarkers.SQUARE,
        SeriesMarkers.DIAMOND, SeriesMarkers.TRIANGLE_UP, SeriesMarkers.TRIANGLE_DOWN};

    private Threads() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            System.err.println("usage: Threads FOLDER");
            System.exit(2);
        }
        Path folder = Path.of(args[0]);
        List<JsonObject> lines = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve("results.jsonl"))) {
            lines.add(JsonParser.parseString(line).getAsJsonObject());
        }
        if (lines.isEmpty()) {
            return;
        }
        boolean bySize = kinds(lines, "bytes") > 1 && kinds(lines, "threads") == 1;
        List<XYChart> charts = new ArrayList<>();
        Map<Integer, List<JsonObject>> rows = lines.stream().collect(Collectors.groupingBy(
                line -> bySize ? 0 : line.get("bytes").getAsInt(), TreeMap::new,
                Collectors.toList()));
        for (List<JsonObject> row : rows.values()) {
            Axis axis = bySize
                    ? new Axis("bytes", "bytes (threads of each: " + row.get(0).get("threads")
                            + ")", "Data")
                    : new Axis("threads", "threads of each", row.get(0).get("bytes") + " bytes");
            add(charts, chart(row, axis, "pingpong", "median_us", "us, half a round trip"), folder);
            add(charts, chart(row, axis, "rate", "messages_per_s", "messages per s, all threads"),
                    folder);
        }
        if (!charts.isEmpty()) {
            int columns = Math.min(2, charts.size());
            BitmapEncoder.saveBitmap(charts, (charts.size() + columns - 1) / columns, columns,
                    folder.resolve("threads").toString(), BitmapEncoder.BitmapFormat.PNG);
        }
    }

    /** What a chart is drawn against, and the data that it is about. */
    private record Axis(String field, String title, String data) {}

    private static long kinds(List<JsonObject> lines, String field) {
        return lines.stream().map(line -> line.get(field)).distinct().count();
    }

    private static void add(List<XYChart> charts, XYChart chart, Path folder) throws IOException {
        if (!chart.getSeriesCollection().isEmpty()) {
            charts.add(chart);
            ChartEncoder.saveChart(chart,
                    folder.resolve("threads-" + charts.size()).toString(), "svg");
        }
    }

    private static XYChart chart(List<JsonObject> lines, Axis axis, String bench, String figure,
            String what) {
        String over = lines.get(0).get("over").getAsString();
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT)
                .title(axis.data() + " and a flag, two ranks over " + over + ": " + bench)
                .xAxisTitle(axis.title()).yAxisTitle(what).build();
        chart.getStyler().setYAxisLogarithmic(true).setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setXAxisTickLabelsFormattingFunction(
                power -> power == Math.rint(power) ? String.valueOf(1 << power.intValue()) : "");
        Map<String, TreeMap<Double, List<Double>>> all = new LinkedHashMap<>();
        for (JsonObject line : lines) {
            if (line.get("bench").getAsString().equals(bench) && line.get(figure) != null) {
                double at = line.get(axis.field()).getAsDouble();
                all.computeIfAbsent(series(line), k -> new TreeMap<>())
                        .computeIfAbsent(at, k -> new ArrayList<>())
                        .add(line.get(figure).getAsDouble());
            }
        }
        List<String> names = lines.stream().map(Threads::series).distinct().toList();
        all.forEach((name, points) -> {
            XYSeries curve = chart.addSeries(name,
                    points.keySet().stream().map(t -> Math.log(t) / Math.log(2)).toList(),
                    points.values().stream().map(Threads::middle).toList());
            dress(curve, names.indexOf(name));
        });
        return chart;
    }

    /** The same series looks the same in both panels; processes are dashed. */
    private static void dress(XYSeries curve, int number) {
        Color colour = Color.getHSBColor(number * HUE, 1, number % 2 == 0 ? 0.85f : 0.55f);
        curve.setLineColor(colour);
        curve.setMarkerColor(colour);
        curve.setMarker(MARKERS[number % MARKERS.length]);
        curve.setLineStyle(curve.getName().endsWith(PROCESSES) ? SeriesLines.DASH_DASH
                : SeriesLines.SOLID);
    }

    private static String series(JsonObject line) {
        boolean processes = line.get("as").getAsString().equals(PROCESSES);
        return line.get("impl").getAsString() + " "
                + (processes ? PROCESSES : line.get("path").getAsString());
    }

    private static double middle(List<Double> values) {
        return Figure.middle(values.stream().mapToDouble(d -> d).toArray());
    }
}
