// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On ranks that are threads of this program; see {@link HeatIT}. */
@Tag("example")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeatTest {
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 20", "2, 2", "3, 7", "4, 20", "4, 2", "6, 17"})
    void should_cool_down_as_computed_on_paper(int ranks, int points) {
        Hayate.runThreads(ranks, job -> {
            try (Fmpl fmpl = Fmpl.init(job)) {
                double error = Heat.solve(fmpl, points, 101);
                assertTrue(error <= Heat.LIMIT, "error " + error);
                fmpl.barrier();
            }
        });
    }

    @Test
    void should_refuse_options_that_do_not_fit() {
        assertEquals(2, Heat.run("--points", "0"));
        assertEquals(2, Heat.run("--size", "9"));
        assertEquals(0, Heat.run("--points", "9", "--steps", "3"));
        Hayate.runThreads(2, job -> {
            try (Fmpl fmpl = Fmpl.init(job)) {
                assertThrows(UsageException.class, () -> Heat.solve(fmpl, 1, 1));
                fmpl.barrier();
            }
        });
    }
}
