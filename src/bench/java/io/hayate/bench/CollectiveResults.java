/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import io.hayate.bench.CollectiveLine.Cell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** All lines of one comparison, by case and series. */
final class CollectiveResults {
    /** Ours over a peer's: the middle one of the repetitions, and the least and the greatest. */
    record Ratio(double middle, double least, double greatest) {}

    private final Map<Cell, Map<String, List<CollectiveLine>>> lines = new LinkedHashMap<>();

    /**
     * Reads the JSON lines of a file.
     *
     * @throws IOException when the file cannot be read or a line is no measurement
     */
    static CollectiveResults read(Path file) throws IOException {
        CollectiveResults results = new CollectiveResults();
        Gson gson = new Gson();
        int number = 0;
        for (String text : Files.readAllLines(file)) {
            number++;
            CollectiveLine line = parse(gson, text, file + " line " + number);
            results.lines.computeIfAbsent(line.cell(), k -> new LinkedHashMap<>())
                    .computeIfAbsent(line.series(), k -> new ArrayList<>()).add(line);
        }
        return results;
    }

    private static CollectiveLine parse(Gson gson, String text, String where) throws IOException {
        try {
            CollectiveLine line = gson.fromJson(text, CollectiveLine.class);
            if (line == null || line.bench() == null || line.series() == null
                    || line.turns() == null) {
                throw new IOException(where + ": not a measurement: " + text);
            }
            return line;
        } catch (JsonParseException e) {
            throw new IOException(where + ": not JSON: " + text, e);
        }
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    /** Operations in the order measured; those of overlap are not among them. */
    List<String> operations() {
        return lines.keySet().stream().map(Cell::bench).filter(b -> !b.startsWith("overlap"))
                .distinct().toList();
    }

    List<Cell> cells(String bench) {
        return lines.keySet().stream().filter(c -> c.bench().equals(bench))
                .sorted(Comparator.comparingInt(Cell::ranks).thenComparingLong(Cell::bytes))
                .toList();
    }

    List<String> series(String bench) {
        return cells(bench).stream().flatMap(c -> lines.get(c).keySet().stream()).distinct()
                .toList();
    }

    List<CollectiveLine> all() {
        return lines.values().stream().flatMap(m -> m.values().stream()).flatMap(List::stream)
                .toList();
    }

    List<CollectiveLine> lines(Cell cell, String series) {
        return lines.getOrDefault(cell, Map.of()).getOrDefault(series, List.of());
    }

    /** The middle one of the repetitions. */
    Optional<Double> middle(
            Cell cell, String series, ToDoubleFunction<CollectiveLine> value) {
        List<CollectiveLine> found = lines(cell, series);
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(middle(found.stream().mapToDouble(value).toArray()));
    }

    /** Turn by turn within a repetition, so that what slows the machine down falls out. */
    Optional<Ratio> ratio(Cell cell, String ours, String peer) {
        double[] ratios = lines(cell, ours).stream()
                .flatMap(a -> lines(cell, peer).stream()
                        .filter(b -> a.repetition() == b.repetition())
                        .flatMap(b -> ratio(a, b).stream()))
                .mapToDouble(d -> d).sorted().toArray();
        return ratios.length == 0
                ? Optional.empty()
                : Optional.of(new Ratio(middle(ratios), ratios[0], ratios[ratios.length - 1]));
    }

    private static Optional<Double> ratio(CollectiveLine ours, CollectiveLine peer) {
        double[] ratios =
                IntStream.range(0, Math.min(ours.turns().length, peer.turns().length))
                        .filter(i -> ours.turns()[i] > 0 && peer.turns()[i] > 0)
                        .mapToDouble(i -> ours.turns()[i] / peer.turns()[i]).toArray();
        return ratios.length == 0 ? Optional.empty() : Optional.of(middle(ratios));
    }

    private static double middle(double[] values) {
        double[] sorted = values.clone();
        java.util.Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
