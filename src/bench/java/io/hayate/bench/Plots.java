/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The pictures, each as PNG and as SVG. A series has the same colour in all of them. */
public final class Plots {
    /** How a series is drawn. Hayate thick and warm, peers thin and cool, the machine grey. */
    record Look(int rgb, float width, boolean dashed, Marker marker) {
        void dress(XYSeries series) {
            series.setLineColor(new Color(rgb));
            series.setMarkerColor(new Color(rgb));
            series.setMarker(marker);
            series.setLineStyle(new BasicStroke(width, BasicStroke.CAP_BUTT,
                    BasicStroke.JOIN_ROUND, 10f, dashed ? new float[] {7f, 5f} : null, 0f));
        }
    }

    private static final Map<String, Look> LOOKS = Map.ofEntries(
            Map.entry("hayate-java heap", new Look(0xc8102e, 3f, false, SeriesMarkers.CIRCLE)),
            Map.entry("hayate-java direct", new Look(0xf28e2b, 2.5f, false, SeriesMarkers.CIRCLE)),
            Map.entry("hayate-java array", new Look(0xb07aa1, 2f, false, SeriesMarkers.CROSS)),
            Map.entry("hayate-c heap", new Look(0xc8102e, 1.5f, true, SeriesMarkers.DIAMOND)),
            Map.entry("hayate-c direct", new Look(0xf28e2b, 1.5f, true, SeriesMarkers.DIAMOND)),
            Map.entry("openmpi-c", new Look(0x1f4e9c, 2f, false, SeriesMarkers.SQUARE)),
            Map.entry("openmpi-java direct", new Look(0x5b9bd5, 2f, false, SeriesMarkers.SQUARE)),
            Map.entry("openmpi-java array", new Look(0x5b9bd5, 2f, true, SeriesMarkers.CROSS)),
            Map.entry("mpich-c", new Look(0x2e8b57, 2f, false, SeriesMarkers.TRIANGLE_UP)),
            Map.entry("ucx tag", new Look(0x8064a2, 1.5f, false, SeriesMarkers.TRIANGLE_DOWN)),
            Map.entry("ucx put", new Look(0x8064a2, 1.5f, true, SeriesMarkers.TRIANGLE_DOWN)));
    private static final Color LIMIT = new Color(0x7f7f7f);
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 650;

    private final Results results;
    private final Path folder;

    Plots(Results results, Path folder) {
        this.results = results;
        this.folder = folder;
    }

    /** Writes all pictures that there are figures for; their names without ending. */
    List<String> write() throws IOException {
        List<String> written = new ArrayList<>();
        if (!results.sizes("pingpong").isEmpty()) {
            XYChart latency = curves("Half round trip, 2 ranks", "time (us)", Figure::medianUs);
            XYChart bandwidth = curves("Bandwidth of a ping-pong, 2 ranks", "bandwidth (GB/s)",
                    Figure::gigabytesPerSecond);
            save(latency, "latency", written);
            save(bandwidth, "bandwidth", written);
        }
        for (int ranks : new int[] {2, 4, 8}) {
            CategoryChart chart = bars(ranks);
            if (!chart.getSeriesCollection().isEmpty()) {
                save(chart, "collectives-" + ranks, written);
            }
        }
        return written;
    }

    private void save(Chart<?, ?> chart, String name, List<String> written) throws IOException {
        save(chart, folder, name, written);
    }

    /** As PNG and as SVG; adds the name to those written. */
    static void save(Chart<?, ?> chart, Path folder, String name, List<String> written)
            throws IOException {
        String file = folder.resolve(name).toString();
        BitmapEncoder.saveBitmapWithDPI(chart, file, BitmapEncoder.BitmapFormat.PNG, 150);
        ChartEncoder.saveChart(chart, file, "svg");
        written.add(name);
    }

    private XYChart curves(String title, String yTitle, ToDoubleFunction<Figure> value) {
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).title(title)
                .xAxisTitle("message (bytes)").yAxisTitle(yTitle).build();
        style(chart.getStyler());
        chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true)
                .setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setMarkerSize(7);
        for (String series : Table.SERIES) {
            add(chart, series, results.curve(series, "pingpong", 2), value);
        }
        add(chart, "limit: loads", results.curve("raw loads", "pull", 2).stream()
                .filter(f -> f.what().bytes() >= 2048).toList(), value);
        add(chart, "limit: cache line", results.curve("raw cacheline", "pingpong", 2), value);
        bounds(chart);
        return chart;
    }

    private static void add(
            XYChart chart, String name, List<Figure> curve, ToDoubleFunction<Figure> value) {
        if (curve.isEmpty()) {
            return;
        }
        XYSeries series = chart.addSeries(name,
                curve.stream().mapToDouble(f -> f.what().bytes()).toArray(),
                curve.stream().mapToDouble(value).toArray());
        LOOKS.getOrDefault(name, new Look(LIMIT.getRGB(), 1.5f, true, curve.size() == 1
                ? SeriesMarkers.DIAMOND : SeriesMarkers.NONE)).dress(series);
    }

    static void bounds(XYChart chart) {
        decades(chart);
        chart.getStyler().setXAxisMin(1.0).setXAxisMax(1e7).setXAxisDecimalPattern("#,###")
                .setYAxisDecimalPattern("#,##0.###");
    }

    /** Whole decades, so that the logarithmic grid has labels at both ends. */
    public static void decades(XYChart chart) {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (XYSeries series : chart.getSeriesCollection()) {
            for (double y : series.getYData()) {
                least = y > 0 ? Math.min(least, y) : least;
                most = Math.max(most, y);
            }
        }
        double low = Math.floor(Math.log10(least));
        chart.getStyler().setYAxisMin(Math.pow(10, low)).setYAxisMax(
                Math.pow(10, Math.max(low + 1, Math.ceil(Math.log10(most)))));
    }

    private CategoryChart bars(int ranks) {
        CategoryChart chart = new CategoryChartBuilder().width(WIDTH).height(HEIGHT)
                .title("Collectives, " + ranks + " ranks (lower is better)")
                .xAxisTitle("").yAxisTitle("time per call (us)")
                .build();
        style(chart.getStyler());
        chart.getStyler().setYAxisDecimalPattern("#,##0.##");
        chart.getStyler().setYAxisLogarithmic(true).setYAxisMin(0.1)
                .setLegendPosition(Styler.LegendPosition.OutsideS)
                .setLegendLayout(Styler.LegendLayout.Horizontal);
        chart.getStyler().setAvailableSpaceFill(0.8).setLabelsVisible(true)
                .setLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11)).setLabelsPosition(0.95);
        List<Measurement.Case> cases = results.cases().stream()
                .filter(c -> c.ranks() == ranks
                        && List.of("barrier", "bcast", "reduce", "allreduce").contains(c.bench()))
                .toList();
        for (String series : Table.SERIES) {
            addBars(chart, series, cases);
        }
        return chart;
    }

    private void addBars(CategoryChart chart, String name, List<Measurement.Case> cases) {
        List<String> labels = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (Measurement.Case one : cases) {
            labels.add(one.bench() + (one.bytes() > 0 ? " " + size(one.bytes()) : ""));
            values.add(results.find(name, one.bench(), one.bytes(), one.ranks())
                    .map(Figure::medianUs).orElse(null));
        }
        if (values.stream().anyMatch(v -> v != null)) {
            CategorySeries series = chart.addSeries(name, labels, values);
            Color colour = new Color(LOOKS.get(name).rgb());
            series.setFillColor(LOOKS.get(name).dashed() ? colour.brighter() : colour);
        }
    }

    static String size(long bytes) {
        if (bytes >= 1 << 20) {
            return String.format(Locale.ROOT, "%d MB", bytes >> 20);
        }
        return bytes >= 1024
                ? String.format(Locale.ROOT, "%d KB", bytes / 1024)
                : String.format(Locale.ROOT, "%d B", bytes);
    }

    /** Gives a chart the looks that all have. */
    public static void style(AxesChartStyler styler) {
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBorderVisible(false);
        styler.setLegendBorderColor(Color.WHITE);
        styler.setPlotGridLinesColor(new Color(0xdddddd));
        styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 18));
        styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
        styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        styler.setLocale(Locale.ROOT);
    }
}
