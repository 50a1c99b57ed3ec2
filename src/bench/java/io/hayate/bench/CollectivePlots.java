/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import static java.util.Map.entry;

import io.hayate.bench.CollectiveLine.Cell;
import io.hayate.bench.Plots.Look;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Pictures of the collectives: for each operation its times and ratios, with a panel for each
 * number of ranks; the overlap as bars.
 */
final class CollectivePlots {
    private static final Map<String, Look> LOOKS = Map.ofEntries(
            entry("pcoll-heap", new Look(0xc8102e, 3f, false, SeriesMarkers.CIRCLE)),
            entry("pcoll-malloc", new Look(0xf28e2b, 2f, false, SeriesMarkers.CIRCLE)),
            entry("pcoll-direct", new Look(0xf28e2b, 2f, false, SeriesMarkers.DIAMOND)),
            entry("pcoll-cma", new Look(0xb07aa1, 2f, false, SeriesMarkers.CROSS)),
            entry("pcoll-pipeline", new Look(0x8c6d31, 2f, true, SeriesMarkers.TRIANGLE_DOWN)),
            entry("java-heap", new Look(0xb07aa1, 2f, false, SeriesMarkers.CROSS)),
            entry("java-array", new Look(0xb07aa1, 2f, true, SeriesMarkers.CROSS)),
            entry("fmpl-heap", new Look(0xc8102e, 1.5f, true, SeriesMarkers.DIAMOND)),
            entry("openmpi", new Look(0x1f4e9c, 2f, false, SeriesMarkers.SQUARE)),
            entry("openmpi-persistent", new Look(0x5b9bd5, 2f, true, SeriesMarkers.SQUARE)),
            entry("mpich", new Look(0x2e8b57, 2f, false, SeriesMarkers.TRIANGLE_UP)));
    private static final int WIDTH = 700;
    private static final int HEIGHT = 550;

    private final CollectiveResults results;
    private final Path folder;

    CollectivePlots(CollectiveResults results, Path folder) {
        this.results = results;
        this.folder = folder;
    }

    /** Writes all pictures that there are figures for; names, without ending, of the PNG files. */
    List<String> write() throws IOException {
        List<String> written = new ArrayList<>();
        for (String operation : results.operations()) {
            if (results.cells(operation).stream().map(Cell::bytes).distinct().count() > 1) {
                panels("times-" + operation, operation, this::times, written);
                panels("ratios-" + operation, operation, this::ratios, written);
            }
        }
        for (String bench : CollectiveTable.OVERLAPS) {
            if (!results.cells(bench).isEmpty()) {
                Plots.save(overlap(bench), folder, bench, written);
            }
        }
        return written;
    }

    /** Side by side in one PNG, each on its own as SVG. */
    private void panels(String name, String operation,
            BiFunction<String, Integer, XYChart> panel, List<String> written) throws IOException {
        List<XYChart> charts = new ArrayList<>();
        for (int ranks : results.cells(operation).stream().map(Cell::ranks).distinct().toList()) {
            XYChart chart = panel.apply(operation, ranks);
            if (!chart.getSeriesCollection().isEmpty()) {
                Plots.bounds(chart);
                charts.add(chart);
                ChartEncoder.saveChart(chart,
                        folder.resolve(name + "-" + ranks).toString(), "svg");
            }
        }
        if (!charts.isEmpty()) {
            BitmapEncoder.saveBitmap(charts, 1, charts.size(), folder.resolve(name).toString(),
                    BitmapEncoder.BitmapFormat.PNG);
            written.add(name);
        }
    }

    private XYChart times(String operation, int ranks) {
        XYChart chart = chart(operation + ", " + ranks + " ranks", "time per call (us)");
        for (String series : results.series(operation)) {
            add(chart, series, operation, ranks,
                    c -> results.middle(c, series, CollectiveLine::medianUs), look(series));
        }
        return chart;
    }

    private XYChart ratios(String operation, int ranks) {
        String ours = CollectiveTable.OURS.get(0);
        XYChart chart = chart(operation + ", " + ranks + " ranks: " + ours + " over its peers",
                "ratio of times (below 1: we are faster)");
        for (String peer : CollectiveTable.PEERS) {
            add(chart, peer, operation, ranks,
                    c -> results.ratio(c, ours, peer).map(CollectiveResults.Ratio::middle),
                    look(peer));
        }
        if (!chart.getSeriesCollection().isEmpty()) {
            add(chart, "equal", operation, ranks, c -> Optional.of(1.0), look(""));
        }
        return chart;
    }

    private static XYChart chart(String title, String yTitle) {
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).title(title)
                .xAxisTitle("bytes").yAxisTitle(yTitle).build();
        Plots.style(chart.getStyler());
        chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true)
                .setLegendPosition(Styler.LegendPosition.OutsideS)
                .setLegendLayout(Styler.LegendLayout.Horizontal);
        chart.getStyler().setMarkerSize(6);
        return chart;
    }

    private static Look look(String series) {
        return LOOKS.getOrDefault(series, new Look(0x7f7f7f, 1.5f, true, SeriesMarkers.NONE));
    }

    private void add(XYChart chart, String name, String operation, int ranks,
            Function<Cell, Optional<Double>> value, Look look) {
        List<Cell> cells = results.cells(operation).stream()
                .filter(c -> c.ranks() == ranks && value.apply(c).isPresent()).toList();
        if (cells.isEmpty()) {
            return;
        }
        look.dress(chart.addSeries(name,
                cells.stream().mapToDouble(Cell::bytes).toArray(),
                cells.stream().mapToDouble(c -> value.apply(c).orElseThrow()).toArray()));
    }

    private CategoryChart overlap(String bench) {
        CategoryChart chart = new CategoryChartBuilder().width(900).height(HEIGHT)
                .title("Communication hidden behind computation, 2 ranks"
                        + bench.replace("overlap_", ", one ").replace("overlap", ""))
                .xAxisTitle("").yAxisTitle("share hidden (%)").build();
        Plots.style(chart.getStyler());
        chart.getStyler().setYAxisMin(0.0).setYAxisMax(100.0);
        chart.getStyler().setAvailableSpaceFill(0.8)
                .setLegendPosition(Styler.LegendPosition.OutsideS)
                .setLegendLayout(Styler.LegendLayout.Horizontal);
        List<Cell> cells = results.cells(bench);
        for (String series : results.series(bench)) {
            chart.addSeries(series, cells.stream().map(c -> Plots.size(c.bytes())).toList(),
                    cells.stream().map(c -> results
                            .middle(c, series, CollectiveLine::overlapPercent).orElse(null))
                            .toList());
        }
        return chart;
    }
}
