// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On ranks that are threads of this program; see {@link FarmAndSortIT}. */
@Tag("example")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SampleSortTest {
    /** Rank r has `count` + r * `more` keys; `distinct`: of so many different ones. */
    @ParameterizedTest
    @CsvSource({"1, 100, 0, 1000000", "2, 1000, 0, 1000000", "3, 0, 500, 1000000", "4, 1, 0, 9",
        "5, 300, 10, 2", "6, 0, 0, 1", "7, 40, 3, 1"})
    void should_sort_the_keys_of_all_ranks(int ranks, int count, int more, int distinct) {
        long[][] given = new long[ranks][];
        long[][] sorted = new long[ranks][];
        Hayate.runThreads(ranks, job -> {
            try (Fmpl fmpl = Fmpl.init(job)) {
                int rank = job.rank();
                long[] keys = LongStream.of(SampleSort.keys(count + rank * more, 5, rank))
                        .map(key -> key % distinct).toArray();
                given[rank] = keys;
                sorted[rank] = SampleSort.sort(fmpl.world(), keys.clone());
                assertTrue(SampleSort.isSorted(fmpl.world(), keys, sorted[rank]));
                fmpl.barrier();
            }
        });
        long[] expected = Arrays.stream(given).flatMapToLong(Arrays::stream).sorted().toArray();
        assertArrayEquals(expected, Arrays.stream(sorted).flatMapToLong(Arrays::stream).toArray());
    }

    @Test
    void should_notice_keys_that_are_lost_or_not_in_order() {
        long[][][] wrong = {{{1, 2}, {3, 9}}, {{2, 1}, {3, 4}}, {{1, 3}, {2, 4}}, {{1, 2}, {7}}};
        Hayate.runThreads(2, job -> {
            try (Fmpl fmpl = Fmpl.init(job)) {
                long[] keys = job.rank() == 0 ? new long[] {4, 1} : new long[] {3, 2};
                for (long[][] each : wrong) {
                    assertFalse(SampleSort.isSorted(fmpl.world(), keys, each[job.rank()]));
                }
                fmpl.barrier();
            }
        });
    }

    @Test
    void should_refuse_options_that_do_not_fit() {
        assertEquals(2, SampleSort.run("--keys", "-1"));
        assertEquals(2, SampleSort.run("--size", "9"));
        assertEquals(0, SampleSort.run("--keys", "500"));
    }
}
