// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On ranks that are threads of this program; see {@link FarmAndSortIT}. */
@Tag("example")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FarmTest {
    @ParameterizedTest
    @CsvSource({"1, 100, 10, 25", "2, 1000, 7, 168", "3, 5000, 100, 669", "4, 20000, 19999, 2262",
        "6, 3, 1, 1", "5, 1, 9, 0"})
    void should_find_all_primes_in_order(int ranks, int below, int width, int known) {
        Hayate.runThreads(ranks, job -> {
            try (Fmpl fmpl = Fmpl.init(job)) {
                int[] found = Farm.primes(fmpl, below, width);
                assertEquals(job.rank() == 0 ? known : 0, found.length);
                assertArrayEquals(job.rank() == 0 ? Farm.sieve(below) : new int[0], found);
                fmpl.barrier();
            }
        });
    }

    @Test
    void should_refuse_options_that_do_not_fit() {
        assertEquals(2, Farm.run("--below", "0"));
        assertEquals(2, Farm.run("--width", "9"));
        assertEquals(0, Farm.run("--below", "500", "--interval", "9"));
    }
}
