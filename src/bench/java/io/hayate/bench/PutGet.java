/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import com.google.gson.Gson;
import com.google.gson.annotations.SerializedName;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Put against get in a binomial broadcast, measured and estimated: figures 5 to 10 of the paper on
 * persistent collectives. The estimate is the paper's: t_sync is a third of a broadcast of 4 bytes
 * by put between two ranks, t_put(M) and t_get(M) are those of M bytes between two ranks without
 * two t_sync; then P ranks need log2 P t_put + (log2 P + 1) t_sync, or log2 P t_get + 2 t_sync.
 */
public final class PutGet {
    private static final int SMALLEST = 4;
    private static final Map<String, Color> COLOURS =
            Map.of("put", new Color(0xc8102e), "get", new Color(0x1f4e9c));

    private record Line(int ranks, int bytes, String transfer,
            @SerializedName("median_us") double median) {}

    private final Map<List<Object>, Double> micros = new TreeMap<>(
            (a, b) -> a.toString().compareTo(b.toString()));
    private final TreeSet<Integer> sizes = new TreeSet<>();
    private final TreeSet<Integer> ranks = new TreeSet<>();

    private PutGet(List<String> lines) {
        Map<List<Object>, List<Double>> rounds = new TreeMap<>(
                (a, b) -> a.toString().compareTo(b.toString()));
        for (String text : lines) {
            Line line = new Gson().fromJson(text, Line.class);
            sizes.add(line.bytes());
            ranks.add(line.ranks());
            rounds.computeIfAbsent(List.of(line.ranks(), line.bytes(), line.transfer()),
                    k -> new ArrayList<>()).add(line.median());
        }
        rounds.forEach((key, all) -> {
            all.sort(null);
            micros.put(key, all.get(all.size() / 2));
        });
    }

    /** Argument: the folder of results.jsonl, which gets a table and a picture for each P. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        PutGet all = new PutGet(Files.readAllLines(folder.resolve("results.jsonl")));
        StringBuilder text = new StringBuilder();
        for (int many : all.ranks) {
            if (many > 2) {
                text.append(all.table(many));
                Plots.save(all.chart(many), folder, "put-get-" + many, new ArrayList<>());
            }
        }
        Files.writeString(folder.resolve("put-get.md"), text);
    }

    private double measured(int many, int bytes, String transfer) {
        return micros.getOrDefault(List.of(many, bytes, transfer), Double.NaN);
    }

    private double estimated(int many, int bytes, String transfer) {
        double sync = measured(2, SMALLEST, "put") / 3;
        double steps = Math.log(many) / Math.log(2);
        double step = measured(2, bytes, transfer) - 2 * sync;
        return steps * step + (transfer.equals("put") ? steps + 1 : 2) * sync;
    }

    private String table(int many) {
        StringBuilder text = new StringBuilder(String.format(
                "%n%d ranks; microseconds of a call, estimated = the paper's model%n%n"
                        + "| bytes | put | estimated | get | estimated | faster | estimated |%n"
                        + "| --: | --: | --: | --: | --: | --- | --- |%n", many));
        int right = 0;
        for (int bytes : sizes) {
            double put = measured(many, bytes, "put");
            double get = measured(many, bytes, "get");
            double byPut = estimated(many, bytes, "put");
            double byGet = estimated(many, bytes, "get");
            right += put < get == byPut < byGet ? 1 : 0;
            text.append(String.format(Locale.ROOT,
                    "| %,d | %.2f | %.2f | %.2f | %.2f | %s | %s |%n", bytes, put, byPut, get,
                    byGet, put < get ? "put" : "get", byPut < byGet ? "put" : "get"));
        }
        return text.append(String.format("%nThe estimate finds the faster one in %d of %d sizes.%n",
                right, sizes.size())).toString();
    }

    private XYChart chart(int many) {
        XYChart chart = new XYChartBuilder().width(1000).height(650)
                .title("Persistent broadcast, binomial, " + many + " ranks: put and get")
                .xAxisTitle("bytes").yAxisTitle("time of a call (us)").build();
        chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true)
                .setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        for (String transfer : List.of("put", "get")) {
            add(chart, transfer + ", measured", many, transfer, false);
            add(chart, transfer + ", estimated", many, transfer, true);
        }
        return chart;
    }

    private void add(XYChart chart, String name, int many, String transfer, boolean estimate) {
        List<Double> values = sizes.stream().map(bytes -> estimate
                ? estimated(many, bytes, transfer) : measured(many, bytes, transfer)).toList();
        XYSeries series = chart.addSeries(name, new ArrayList<>(sizes), values);
        series.setLineColor(COLOURS.get(transfer));
        series.setMarkerColor(COLOURS.get(transfer));
        series.setMarker(estimate ? SeriesMarkers.NONE : SeriesMarkers.CIRCLE);
        series.setLineStyle(estimate ? new BasicStroke(2f, BasicStroke.CAP_BUTT,
                BasicStroke.JOIN_MITER, 10f, new float[] {6f, 6f}, 0f) : new BasicStroke(2f));
    }
}
