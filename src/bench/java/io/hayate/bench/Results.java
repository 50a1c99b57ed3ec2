/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The figures of one run of the bench, by case and series, in the order they were measured.
 *
 * <p>Virtual CPUs come closer and part within seconds, and a cache line then takes a fourth of the
 * time. Only rounds count in which it took, before and after, about as long as in most of the run:
 * otherwise that library looks fast which happened to have the near ones. Where no round is like
 * that, all count.
 */
final class Results {
    private final Map<Measurement.Case, Map<String, Figure>> figures = new LinkedHashMap<>();
    private int count;
    private int left;

    /**
     * Reads the JSON lines of a file.
     *
     * @throws IOException when the file cannot be read or a line is no measurement
     */
    static Results read(Path file) throws IOException {
        Gson gson = new Gson();
        Map<List<Object>, List<Measurement>> groups = new LinkedHashMap<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            Measurement one = parse(gson, line, file + " line " + number);
            groups.computeIfAbsent(List.of(one.what(), one.series()), k -> new ArrayList<>())
                    .add(one);
        }
        Results results = new Results();
        double usualUs = usualLineUs(groups.values());
        for (List<Measurement> rounds : groups.values()) {
            List<Measurement> usual = rounds.stream().filter(r -> r.isUsual(usualUs)).toList();
            Figure figure = Figure.of(usual.isEmpty() ? rounds : usual);
            results.left += usual.isEmpty() ? 0 : rounds.size() - usual.size();
            results.count += rounds.size();
            results.figures
                    .computeIfAbsent(figure.what(), k -> new LinkedHashMap<>())
                    .put(figure.series(), figure);
        }
        return results;
    }

    private static double usualLineUs(Collection<List<Measurement>> groups) {
        double[] lines = groups.stream().flatMap(List::stream)
                .mapToDouble(Measurement::lineUs).filter(us -> us > 0).toArray();
        return lines.length == 0 ? 1 : Figure.middle(lines);
    }

    private static Measurement parse(Gson gson, String line, String where) throws IOException {
        try {
            Measurement one = gson.fromJson(line, Measurement.class);
            if (one == null || one.impl() == null || one.bench() == null || one.medianUs() < 0) {
                throw new IOException(where + ": not a measurement: " + line);
            }
            return one;
        } catch (JsonParseException e) {
            throw new IOException(where + ": not JSON: " + line, e);
        }
    }

    /** Cases in order of bench (as measured), ranks and bytes. */
    List<Measurement.Case> cases() {
        List<String> benches =
                figures.keySet().stream().map(Measurement.Case::bench).distinct().toList();
        return figures.keySet().stream()
                .sorted(java.util.Comparator
                        .comparingInt((Measurement.Case c) -> benches.indexOf(c.bench()))
                        .thenComparingInt(Measurement.Case::ranks)
                        .thenComparingLong(Measurement.Case::bytes))
                .toList();
    }

    Collection<Figure> figures(Measurement.Case what) {
        return figures.getOrDefault(what, Map.of()).values();
    }

    Optional<Figure> find(String series, String bench, long bytes, int ranks) {
        Measurement.Case what = new Measurement.Case(bench, bytes, ranks);
        return Optional.ofNullable(figures.getOrDefault(what, Map.of()).get(series));
    }

    /** All figures of one series and bench on so many ranks, by size. */
    List<Figure> curve(String series, String bench, int ranks) {
        return cases().stream()
                .filter(c -> c.bench().equals(bench) && c.ranks() == ranks)
                .flatMap(c -> find(series, bench, c.bytes(), ranks).stream())
                .toList();
    }

    /** The sizes that a bench was measured with. */
    Collection<Long> sizes(String bench) {
        return figures.keySet().stream()
                .filter(c -> c.bench().equals(bench))
                .map(Measurement.Case::bytes)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** How many measurements there are. */
    int count() {
        return count;
    }

    /** How many of them do not count: the CPUs were nearer or further than most of the time. */
    int leftOut() {
        return left;
    }

    boolean isEmpty() {
        return figures.isEmpty();
    }

    /**
     * What the machine allows for one message of that size: the cache-line time up to 64 bytes;
     * above, data that one core writes and the other reads as soon as a flag tells.
     */
    Optional<Figure> limit(long bytes) {
        return bytes <= 64
                ? find("raw cacheline", "pingpong", 8, 2)
                : find("raw loads", "pull", bytes, 2);
    }
}
