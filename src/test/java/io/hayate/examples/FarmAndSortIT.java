// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.conformance.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class FarmAndSortIT extends ExampleSuite {
    @Test
    void should_find_primes_by_a_farm_of_processes() throws Exception {
        Outcome outcome = launch(Farm.class, 3, "--below", "10000", "--interval", "300").run()
                .good();
        assertEquals(List.of("1229 primes below 10000"), lines(outcome, ".* primes below .*"));
    }

    @Test
    void should_sort_the_keys_of_processes() throws Exception {
        Outcome outcome = launch(SampleSort.class, 3, "--keys", "2000").run().good();
        assertEquals(1, lines(outcome, "6000 keys, \\d+ of them on rank 0").size(),
                outcome.describe());
    }

    private static List<String> lines(Outcome outcome, String pattern) {
        return outcome.out().stream().filter(line -> line.matches(pattern)).toList();
    }
}
