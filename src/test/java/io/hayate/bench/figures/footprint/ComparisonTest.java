// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final double NEARLY = 1e-9;
    private static final MemoryUse BASE = new MemoryUse(100, 40);

    /** Beside the base. */
    private static Footprint footprint(int ranks, Kind kind, int bytes, long memory, long tables) {
        return new Footprint(ranks, kind, bytes, BASE.plus(new MemoryUse(memory, tables)), BASE,
                MemoryUse.NONE, 0);
    }

    private static List<Footprint> squareAndLinear(int bytes, int most) {
        List<Footprint> all = new ArrayList<>();
        for (int n = 2; n <= most; n *= 2) {
            all.add(0, footprint(n, Kind.PROCESSES, bytes, 1000L * n, 5L * n * n));
            all.add(0, footprint(n, Kind.TASKS, bytes, 500L * n, 10L * n));
        }
        return all;
    }

    @Test
    void should_fit_what_ranks_add_to_the_base() {
        Comparison one = new Comparison(2048, squareAndLinear(2048, 32));
        assertEquals(2, one.exponent(Kind.PROCESSES, MemoryUse::pageTables), NEARLY);
        assertEquals(1, one.exponent(Kind.TASKS, MemoryUse::pageTables), NEARLY);
        assertEquals(1, one.exponent(Kind.TASKS, MemoryUse::memory), NEARLY);
    }

    @Test
    void should_compare_at_the_most_ranks_that_both_had() {
        List<Footprint> all = new ArrayList<>(squareAndLinear(2048, 32));
        all.add(footprint(64, Kind.PROCESSES, 2048, 1, 1));
        Comparison one = new Comparison(2048, all);
        assertEquals(Optional.of(32), one.mostRanks());
        assertEquals(320.0 / 5120, one.ratio(32, MemoryUse::pageTables), NEARLY);
        assertEquals(0.5, one.ratio(32, MemoryUse::memory), NEARLY);
        assertEquals(16_320.0 / 37_120, one.ratio(32, MemoryUse::together), NEARLY);
    }

    @Test
    void should_compare_each_size_apart() {
        List<Footprint> all = new ArrayList<>(squareAndLinear(16384, 4));
        all.addAll(squareAndLinear(2048, 2));
        List<Comparison> both = Comparison.of(all);
        assertEquals(List.of(2048, 16384), both.stream().map(Comparison::bytes).toList());
        assertEquals(List.of(2), both.get(0).of(Kind.TASKS).stream().map(Footprint::ranks)
                .toList());
        assertEquals(List.of(2, 4), both.get(1).of(Kind.TASKS).stream().map(Footprint::ranks)
                .toList());
    }

    @Test
    void should_tell_no_ratio_when_all_jobs_of_a_kind_failed() {
        Comparison one = new Comparison(2048, List.of(footprint(2, Kind.TASKS, 2048, 1, 1)));
        assertEquals(Optional.empty(), one.mostRanks());
        assertFalse(one.json().containsKey("page_tables_ratio"));
        assertTrue(Double.isNaN(one.exponent(Kind.PROCESSES, MemoryUse::memory)));
    }
}
