// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.testcontainers.ClusterJob;
import io.hayate.testcontainers.HayateCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A cluster as users have it: of an image with a JRE, and by the class path of the test. */
@InContainers
class HayateClusterIT {
    @Test
    void should_run_a_program_of_the_class_path_of_the_test() {
        try (HayateCluster cluster = new HayateCluster(System.getenv(Sandbox.BASE))
                .withLabel(Sandbox.LABEL).withJvm("-Xmx128m")
                .withEnvironment("HAYATE_HEAP", "64M")) {
            cluster.start();
            ClusterJob job = cluster.run(ExchangeMain.class).good();
            for (int rank = 0; rank < cluster.ranks(); rank++) {
                assertTrue(job.out(rank).get(0).startsWith("EXCHANGED " + rank + " of 4,"),
                        job::toString);
            }
            assertEquals("node2\n", cluster.shell(1, "hostname"));
        }
    }

    @Test
    void should_end_a_job_that_takes_too_long_and_keep_its_output() {
        try (HayateCluster cluster = new HayateCluster(System.getenv(Sandbox.BASE))
                .withLabel(Sandbox.LABEL).withNodes(1).withRanks(2).withClassPath()
                .withLimit(Duration.ofSeconds(10))) {
            cluster.start();
            ClusterJob job = cluster.run(List.of("sh", "-c", "echo begun; sleep 1000"));
            assertEquals(ClusterJob.TIMED_OUT, job.exit());
            assertEquals(List.of("begun"), job.out(1));
        }
    }
}
