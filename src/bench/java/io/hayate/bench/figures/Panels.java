// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import io.hayate.bench.Plots;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A picture of curves over one quantity, on logarithmic axes: a chart for each result, side by
 * side, in all of which a curve has the same colour. Points that are not above 0 are left out.
 */
public final class Panels {
    private static final int WIDTH = 620;
    private static final int HEIGHT = 520;
    private static final int HEAD = 60;
    private static final int MARGIN = 20;
    private static final int[] COLOURS = {0xd55e00, 0x0072b2, 0x009e73, 0xcc79a7, 0xe69f00,
        0x56b4e9, 0x555555, 0x8a5a00};
    private static final BasicStroke DASHES = new BasicStroke(2f, BasicStroke.CAP_BUTT,
            BasicStroke.JOIN_ROUND, 10f, new float[] {7f, 5f}, 0f);

    private final String title;
    private final String subtitle;
    private final String axis;
    private final List<String> quantities;
    private final List<Map<String, TreeMap<Double, Double>>> panels = new ArrayList<>();
    private final List<String> curves = new ArrayList<>();
    private final Map<String, String> dashed = new HashMap<>();
    private final List<Map<String, String>> labels = new ArrayList<>();

    /**
     * Creates a picture without points.
     *
     * @param title the title
     * @param subtitle the line below the title
     * @param axis the quantity on the horizontal axes
     * @param quantities those on the vertical axes, one for each panel
     */
    public Panels(String title, String subtitle, String axis, List<String> quantities) {
        this.title = title;
        this.subtitle = subtitle;
        this.axis = axis;
        this.quantities = List.copyOf(quantities);
        for (int i = 0; i < quantities.size(); i++) {
            panels.add(new LinkedHashMap<>());
            labels.add(new HashMap<>());
        }
    }

    /**
     * Refuses a file that {@link #write} cannot write, before anything is measured.
     *
     * @param file the picture, or null
     */
    public static void check(Path file) {
        if (file != null && !file.toString().endsWith(".svg")) {
            throw new Failure(file + ": only SVG is supported; use a name that ends in .svg");
        }
        if (file != null && !Files.isDirectory(file.toAbsolutePath().getParent())) {
            throw new Failure(file + ": there is no such directory");
        }
    }

    /**
     * Adds a point.
     *
     * @param panel the number of the panel, from 0
     * @param curve the name of the curve
     * @param x the quantity on the horizontal axis
     * @param y the quantity on the vertical axis
     */
    public void add(int panel, String curve, double x, double y) {
        if (!curves.contains(curve)) {
            curves.add(curve);
        }
        if (x > 0 && y > 0) {
            panels.get(panel).computeIfAbsent(curve, key -> new TreeMap<>()).put(x, y);
        }
    }

    /** Lets a curve be dashed, and have the colour of another one. */
    public void dash(String curve, String like) {
        dashed.put(curve, like);
    }

    /** Sets what the legend of a panel says of a curve, instead of its name. */
    public void label(int panel, String curve, String text) {
        labels.get(panel).put(curve, text);
    }

    /** Returns the charts, one for each panel that has points. */
    public List<XYChart> charts() {
        List<XYChart> charts = new ArrayList<>();
        for (int panel = 0; panel < panels.size(); panel++) {
            if (!panels.get(panel).isEmpty()) {
                charts.add(chart(panel));
            }
        }
        return charts;
    }

    private XYChart chart(int panel) {
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).title("")
                .xAxisTitle(axis).yAxisTitle(quantities.get(panel)).build();
        Plots.style(chart.getStyler());
        chart.getStyler().setChartTitleVisible(false);
        chart.getStyler().setYAxisLogarithmic(true)
                .setLegendPosition(Styler.LegendPosition.OutsideS);
        chart.getStyler().setXAxisTickLabelsFormattingFunction(Panels::powerOfTwo);
        DoubleSummaryStatistics places = panels.get(panel).values().stream()
                .flatMap(points -> points.keySet().stream()).mapToDouble(Panels::log2)
                .summaryStatistics();
        chart.getStyler().setXAxisMin(places.getMin())
                .setXAxisMax(Math.max(places.getMin() + 1, places.getMax()));
        panels.get(panel).forEach((curve, points) -> {
            XYSeries series = chart.addSeries(curve,
                    points.keySet().stream().mapToDouble(Panels::log2).toArray(),
                    points.values().stream().mapToDouble(y -> y).toArray());
            series.setLabel(labels.get(panel).getOrDefault(curve, curve));
            dress(series, curve);
        });
        Plots.decades(chart);
        return chart;
    }

    private void dress(XYSeries series, String curve) {
        int like = curves.indexOf(dashed.getOrDefault(curve, curve));
        Color colour = new Color(COLOURS[Math.max(like, 0) % COLOURS.length]);
        series.setLineColor(colour);
        series.setMarkerColor(colour);
        series.setMarker(SeriesMarkers.CIRCLE);
        series.setLineStyle(dashed.containsKey(curve) ? DASHES : new BasicStroke(2f));
    }

    private static double log2(double x) {
        return Math.log(x) / Math.log(2);
    }

    /** XChart itself would place ticks at powers of ten only. */
    private static String powerOfTwo(double power) {
        return power == Math.rint(power) ? Sizes.text(1L << (int) power) : "";
    }

    /**
     * Writes the picture.
     *
     * @param file an SVG file
     */
    public void write(Path file) {
        List<XYChart> charts = charts();
        VectorGraphics2D graphics = new VectorGraphics2D();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, charts.size() * WIDTH, HEAD + HEIGHT);
        graphics.setColor(Color.BLACK);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 18));
        graphics.drawString(title, MARGIN, 26);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        graphics.drawString(subtitle, MARGIN, 48);
        graphics.translate(0, HEAD);
        for (XYChart chart : charts) {
            chart.paint(graphics, WIDTH, HEIGHT);
            graphics.translate(WIDTH, 0);
        }
        try (OutputStream stream = Files.newOutputStream(file)) {
            new SVGProcessor().getDocument(graphics.getCommands(),
                    new PageSize(0, 0, charts.size() * WIDTH, HEAD + HEIGHT)).writeTo(stream);
        } catch (IOException e) {
            throw new Failure(file + ": cannot be written: " + e.getMessage());
        }
    }
}
