/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws the chart of the README: the time of a message between two ranks, by library. */
public final class ReadmeChart {
    private record Look(String name, int rgb, float width) {}

    /** By series of the bench, in the order of the legend. */
    private static final Map<String, Look> LOOKS = new LinkedHashMap<>();

    static {
        LOOKS.put("mpich-c", new Look("MPICH, C", 0x2e8b57, 2f));
        LOOKS.put("openmpi-java direct", new Look("Open MPI, Java", 0x5b9bd5, 2f));
        LOOKS.put("openmpi-c", new Look("Open MPI, C", 0x1f4e9c, 2f));
        LOOKS.put("hayate-java heap", new Look("Hayate, Java", 0xc8102e, 3.5f));
    }

    private ReadmeChart() {}

    /** Arguments: results as JSON lines, and the picture to write, without its ending .svg. */
    public static void main(String[] args) throws IOException {
        Results results = Results.read(Path.of(args[0]));
        XYChart chart = new XYChartBuilder().width(940).height(500)
                .title("Time of a message between two processes of one machine")
                .xAxisTitle("bytes").yAxisTitle("microseconds").build();
        Plots.style(chart.getStyler());
        chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true)
                .setLegendPosition(Styler.LegendPosition.InsideNW);
        chart.getStyler().setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
        chart.getStyler().setMarkerSize(7);
        chart.getStyler().setPlotGridLinesStroke(new BasicStroke(0.5f)); // dashes are large in SVG
        LOOKS.forEach((series, look) -> add(chart, look, results.curve(series, "pingpong", 2)));
        Plots.bounds(chart);
        ChartEncoder.saveChart(chart, args[1], "svg");
    }

    private static void add(XYChart chart, Look look, List<Figure> curve) {
        if (curve.isEmpty()) {
            return;
        }
        XYSeries series = chart.addSeries(look.name(),
                curve.stream().mapToDouble(f -> f.what().bytes()).toArray(),
                curve.stream().mapToDouble(Figure::medianUs).toArray());
        series.setLineColor(new Color(look.rgb()));
        series.setMarkerColor(new Color(look.rgb()));
        series.setMarker(SeriesMarkers.CIRCLE);
        series.setLineStyle(new BasicStroke(look.width()));
    }
}
