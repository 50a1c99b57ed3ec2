// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On ranks that are threads of this program. */
@Tag("example")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KMeansTest {
    @ParameterizedTest
    @CsvSource({"1, 300, 3", "2, 500, 4", "3, 400, 1", "5, 2, 3", "6, 1000, 5"})
    void should_find_what_one_rank_finds(int ranks, int points, int clusters) {
        double[][] centres = new double[ranks][];
        Hayate.runThreads(ranks, job -> {
            try (Fmpl fmpl = Fmpl.init(job)) {
                KMeans all = new KMeans(points, clusters, 7);
                KMeans.Result best = all.solve(fmpl);
                centres[job.rank()] = best.centres();
                double error = all.difference(best, Math.min(ranks, 2));
                assertTrue(error < 1e-9, "error " + error);
                fmpl.barrier();
            }
        });
        Arrays.stream(centres).forEach(each -> assertArrayEquals(centres[0], each));
    }

    @Test
    void should_refuse_options_that_do_not_fit() {
        assertEquals(2, KMeans.run("--clusters", "0"));
        assertEquals(2, KMeans.run("--k", "9"));
        assertEquals(0, KMeans.run("--points", "90", "--clusters", "3"));
    }
}
