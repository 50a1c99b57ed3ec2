// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As users start them, on several processes; see {@link ConjugateGradientIT}. */
@Tag("example")
class FarmAndSortIT {
    @BeforeAll
    static void needsTheLauncher() {
        Launch.assumeBuilt();
    }

    @Test
    void should_find_primes_by_a_farm_of_processes() throws Exception {
        Outcome outcome = Launch.of(Farm.class, "--below", "10000", "--interval", "300").ranks(3)
                .unchecked().run().good();
        assertEquals(List.of("1229 primes below 10000"), lines(outcome, ".* primes below .*"));
    }

    @Test
    void should_sort_the_keys_of_processes() throws Exception {
        Outcome outcome = Launch.of(SampleSort.class, "--keys", "2000").ranks(3).unchecked().run()
                .good();
        assertEquals(1, lines(outcome, "6000 keys, \\d+ of them on rank 0").size(),
                outcome.describe());
    }

    private static List<String> lines(Outcome outcome, String pattern) {
        return outcome.out().stream().filter(line -> line.matches(pattern)).toList();
    }
}
