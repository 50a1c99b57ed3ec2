// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.conformance.ClusterLauncher;
import io.hayate.conformance.Disagreement;
import io.hayate.conformance.DisagreementMain;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@link DisagreementTest} shows of threads, of processes and of nodes. */
@Tag("once")
class DisagreementIT {
    private static void told(Launch launch, int ranks, long cases) throws Exception {
        Outcome outcome = launch.ranks(ranks).unchecked().jvm("-XX:+UseSerialGC")
                .environment("HAYATE_HEAP", "256M").limit(Duration.ofSeconds(300)).run().good();
        assertEquals(Collections.nCopies(ranks, "TOLD " + cases), outcome.out(), outcome::describe);
    }

    @Test
    void should_tell_processes() throws Exception {
        told(Launch.of(DisagreementMain.class), 2, Disagreement.all(2).size());
    }

    @Tag("cluster")
    @Test
    void should_tell_nodes_that_exchange_messages() throws Exception {
        List<Disagreement> all = Disagreement.all(3);
        told(Launch.of(DisagreementMain.class, "nodes")
                .by(ClusterLauncher.HYDRA.needed().nodes(2, 1)), 3,
                all.stream().filter(Disagreement::isToldBetweenNodes).count());
    }
}
