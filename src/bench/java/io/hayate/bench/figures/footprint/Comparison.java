// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import io.hayate.bench.figures.Sizes;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Compares processes and tasks with messages of one size.
 *
 * @param bytes size of a message
 * @param footprints the footprints of all jobs with this size
 */
public record Comparison(int bytes, List<Footprint> footprints) {
    /**
     * Creates a comparison for each size.
     *
     * @param all the footprints of all sizes
     * @return in the order of the sizes
     */
    public static List<Comparison> of(List<Footprint> all) {
        return all.stream().map(Footprint::bytes).distinct().sorted().map(bytes -> new Comparison(
                bytes, all.stream().filter(one -> one.bytes() == bytes).toList())).toList();
    }

    /**
     * Returns the jobs of a kind.
     *
     * @param kind kind of the ranks
     * @return in the order of ranks
     */
    public List<Footprint> of(Kind kind) {
        return footprints.stream().filter(one -> one.kind() == kind)
                .sorted(Comparator.comparingInt(Footprint::ranks)).toList();
    }

    /**
     * Returns how the memory that the ranks add grows with N.
     *
     * @param kind kind of the ranks
     * @param quantity memory, page tables or both
     * @return x of N^x; NaN when there are not two different N
     */
    public double exponent(Kind kind, ToLongFunction<MemoryUse> quantity) {
        Growth growth = new Growth();
        of(kind).forEach(one -> growth.add(one.ranks(), quantity.applyAsLong(one.added())));
        return growth.exponent();
    }

    /**
     * Returns the largest number of ranks that both kinds had.
     *
     * @return empty: there is none
     */
    public Optional<Integer> mostRanks() {
        List<Integer> tasks = of(Kind.TASKS).stream().map(Footprint::ranks).toList();
        return of(Kind.PROCESSES).stream().map(Footprint::ranks).filter(tasks::contains)
                .max(Comparator.naturalOrder());
    }

    /**
     * Returns the ratio of the memory that tasks add to the memory that the same number of
     * processes adds.
     *
     * @param ranks a number of ranks that both kinds had
     * @param quantity memory, page tables or both
     * @return the ratio
     */
    public double ratio(int ranks, ToLongFunction<MemoryUse> quantity) {
        return added(Kind.TASKS, ranks, quantity) / added(Kind.PROCESSES, ranks, quantity);
    }

    private double added(Kind kind, int ranks, ToLongFunction<MemoryUse> quantity) {
        return of(kind).stream().filter(one -> one.ranks() == ranks)
                .mapToDouble(one -> quantity.applyAsLong(one.added())).findFirst()
                .orElse(Double.NaN);
    }

    /** Returns the values for JSON. @return names and values in their order */
    public Map<String, Object> json() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("impl", "hayate");
        map.put("bench", "footprint-growth");
        map.put("bytes", bytes);
        for (Kind kind : Kind.values()) {
            map.put(kind + "_page_tables_exponent", exponent(kind, MemoryUse::pageTables));
            map.put(kind + "_memory_exponent", exponent(kind, MemoryUse::memory));
        }
        mostRanks().ifPresent(ranks -> {
            map.put("ranks", ranks);
            map.put("page_tables_ratio", ratio(ranks, MemoryUse::pageTables));
            map.put("memory_ratio", ratio(ranks, MemoryUse::memory));
            map.put("together_ratio", ratio(ranks, MemoryUse::together));
        });
        return map;
    }

    /** Returns the growth, and the ratios at the largest number of ranks, as lines of text. */
    String text() {
        String size = Sizes.text(bytes) + ": ";
        return size + "page tables grow as " + powers(MemoryUse::pageTables) + "; memory as "
                + powers(MemoryUse::memory) + "\n"
                + mostRanks().map(ranks -> String.format(Locale.ROOT, "%sof %d ranks tasks add %.3f"
                        + " of the page tables that processes add, %.3f of the memory, %.3f of"
                        + " both%n", size, ranks, ratio(ranks, MemoryUse::pageTables),
                        ratio(ranks, MemoryUse::memory), ratio(ranks, MemoryUse::together)))
                .orElse("");
    }

    private String powers(ToLongFunction<MemoryUse> quantity) {
        StringBuilder text = new StringBuilder();
        for (Kind kind : Kind.values()) {
            double exponent = exponent(kind, quantity);
            text.append(text.isEmpty() ? "" : ", ").append(Double.isNaN(exponent) ? "N^-"
                    : String.format(Locale.ROOT, "N^%.2f", exponent)).append(" (").append(kind)
                    .append(')');
        }
        return text.toString();
    }
}
