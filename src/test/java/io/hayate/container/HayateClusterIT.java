// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonParser;
import io.hayate.cli.Main;
import io.hayate.testcontainers.ClusterJob;
import io.hayate.testcontainers.HayateCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
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

    /** Elsewhere, a virtual machine shows it: containers_reach_each_other_over_verbs.sh. */
    @Test
    void should_communicate_over_verbs_where_the_host_has_devices() throws IOException {
        assumeTrue(hasRdmaDevices(), "this machine has no /dev/infiniband/uverbs*");
        try (HayateCluster cluster = new HayateCluster(System.getenv(Sandbox.BASE))
                .withLabel(Sandbox.LABEL).withRanks(1).withJvm("-Xmx128m")
                .withEnvironment("HAYATE_HEAP", "64M")) {
            cluster.start();
            ClusterJob job = cluster.run(Main.class, "info", "--json").good();
            assertEquals("verbs", JsonParser.parseString(job.out(0).get(0)).getAsJsonObject()
                    .getAsJsonObject("job").getAsJsonArray("peers").get(0).getAsJsonObject()
                    .get("path").getAsString(), job::toString);
            cluster.run(ExchangeMain.class).good();
        }
    }

    private static boolean hasRdmaDevices() throws IOException {
        Path directory = Path.of("/dev/infiniband");
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (Stream<Path> all = Files.list(directory)) {
            return all.anyMatch(path -> path.getFileName().toString().startsWith("uverbs"));
        }
    }

    @Test
    void should_end_a_job_that_takes_too_long_and_keep_its_output() {
        try (HayateCluster cluster = new HayateCluster(System.getenv(Sandbox.BASE))
                .withLabel(Sandbox.LABEL).withNodes(1).withRanks(2).withClassPath()
                .withLimit(Duration.ofSeconds(20))) {
            cluster.start();
            ClusterJob job = cluster.run(List.of("sh", "-c", "echo begun; sleep 1000"));
            assertEquals(ClusterJob.TIMED_OUT, job.exit());
            assertEquals(List.of("begun"), job.out(1));
        }
    }
}
