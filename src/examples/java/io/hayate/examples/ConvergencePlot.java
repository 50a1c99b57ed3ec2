// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The relative residual over the iterations, on a logarithmic axis, as SVG or PNG. */
final class ConvergencePlot {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 560;
    private static final int MOST_POINTS = 2000;
    private static final Color CURVE = new Color(0xc8102e);
    private static final Color GRID = new Color(0xe8e8e8);
    private static final Color QUIET = new Color(0x707070);

    private ConvergencePlot() {}

    static boolean canWrite(Path file) {
        return format(file).equals(".svg") || format(file).equals(".png");
    }

    private static String format(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        return name.substring(Math.max(name.lastIndexOf('.'), 0));
    }

    static void write(Path file, String title, double[] history, double tolerance)
            throws IOException {
        System.setProperty("java.awt.headless", "true");
        XYChart chart = chart(title, history, tolerance);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            ChartEncoder.saveChart(chart, out, format(file).substring(1));
        }
    }

    private static XYChart chart(String title, double[] history, double tolerance) {
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).title(title)
                .xAxisTitle("iteration").yAxisTitle("relative residual |r| / |b|").build();
        style(chart.getStyler());
        limits(chart.getStyler(), history, tolerance);
        int points = Math.min(history.length, MOST_POINTS);
        double[] x = new double[points];
        double[] y = new double[points];
        for (int i = 0; i < points; i++) {
            int at = points == 1 ? 0 : (int) ((long) i * (history.length - 1) / (points - 1));
            x[i] = at;
            y[i] = visible(history[at]);
        }
        line(chart, "residual", x, y, new BasicStroke(2.2f), CURVE);
        line(chart, "tolerance", new double[] {0, Math.max(1, history.length - 1)},
                new double[] {tolerance, tolerance}, dashes(), QUIET);
        return chart;
    }

    private static void line(XYChart chart, String name, double[] x, double[] y,
            BasicStroke stroke, Color color) {
        XYSeries series = chart.addSeries(name, x, y);
        series.setMarker(SeriesMarkers.NONE);
        series.setLineStyle(stroke);
        series.setLineColor(color);
    }

    private static BasicStroke dashes() {
        return new BasicStroke(1.4f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10,
                new float[] {7, 5}, 0);
    }

    /** Whole decades, so that the axis has ticks at powers of ten. */
    private static void limits(XYStyler styler, double[] history, double tolerance) {
        double least = tolerance;
        double most = 1;
        for (double value : history) {
            least = Math.min(least, visible(value));
            most = Math.max(most, visible(value));
        }
        styler.setYAxisMin(Math.pow(10, Math.floor(Math.log10(least))));
        styler.setYAxisMax(Math.pow(10, Math.ceil(Math.log10(most))));
    }

    private static void style(XYStyler styler) {
        styler.setYAxisLogarithmic(true).setLegendPosition(Styler.LegendPosition.InsideNE);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBorderColor(GRID);
        styler.setPlotGridLinesColor(GRID);
        styler.setPlotGridLinesStroke(new BasicStroke(0.8f));
        styler.setLegendBorderColor(GRID);
        styler.setChartTitleBoxVisible(false);
        styler.setChartTitlePadding(10);
        styler.setXAxisTickMarkSpacingHint(90);
        styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 17));
        styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
        styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        styler.setYAxisDecimalPattern("0E0");
    }

    /** A logarithmic axis has no place for 0. */
    private static double visible(double value) {
        return Math.max(value, 1e-300);
    }
}
