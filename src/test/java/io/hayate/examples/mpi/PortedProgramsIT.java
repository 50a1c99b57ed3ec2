// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.Hayate;
import io.hayate.conformance.Launch;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The programs of the guide's chapter "Coming from MPI", as users start them. */
@Tag("example")
class PortedProgramsIT {
    @BeforeAll
    static void needsTheLauncher() {
        Launch.assumeBuilt();
    }

    /** Sorted lines about ranks. */
    private static List<String> run(int ranks, Class<?> program, String... arguments)
            throws Exception {
        return Launch.of(program, arguments).ranks(ranks).unchecked().run().good().out().stream()
                .filter(line -> line.contains("rank")).sorted().toList();
    }

    @Test
    void should_greet_from_each_rank() throws Exception {
        String version = Hayate.version();
        assertEquals(List.of("Hello from rank 0 of 2, Hayate " + version,
                "Hello from rank 1 of 2, Hayate " + version), run(2, Hello.class));
    }

    @Test
    void should_pass_a_number_round_until_it_is_zero() throws Exception {
        assertEquals(List.of("rank 0 ends", "rank 0 sends 10 round 3 ranks", "rank 1 ends",
                "rank 2 ends"), run(3, Ring.class));
        assertEquals(List.of("rank 0 ends", "rank 0 sends 10 round 1 ranks"), run(0, Ring.class));
    }

    @Test
    void should_connect_each_pair_of_ranks() throws Exception {
        assertEquals(List.of("all 3 ranks reach each other", "ranks 0 and 1 reach each other",
                "ranks 0 and 2 reach each other", "ranks 1 and 2 reach each other"),
                run(3, Connectivity.class, "-v"));
    }
}
