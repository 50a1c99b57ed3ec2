// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import io.hayate.conformance.Outcome;
import io.hayate.testcontainers.ClusterJob;
import io.hayate.testcontainers.HayateCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.testcontainers.images.builder.ImageFromDockerfile;

/** Clusters of the product's image, with the classes of the tests. */
final class Nodes {
    static final int COUNT = 3;
    static final int RANKS_EACH = 2;
    static final int RANKS = COUNT * RANKS_EACH;

    private static final ImageFromDockerfile PRODUCT = product();

    /** Over TCP, which can be cut off, also where the host has RDMA devices. */
    static HayateCluster cluster() {
        return new HayateCluster(PRODUCT.get()).withNodes(COUNT).withRanks(RANKS_EACH)
                .withClassPath(Sandbox.origin(Nodes.class))
                .withJvm("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .withEnvironment("HAYATE_HEAP", "64M").withEnvironment("HAYATE_NET", "ofi")
                .withLabel(Sandbox.LABEL)
                .withLimit(Duration.ofSeconds(480));
    }

    /** By the Dockerfile that users have, of what this build has made instead of a second build. */
    private static ImageFromDockerfile product() {
        return new ImageFromDockerfile()
                .withFileFromPath("Dockerfile", Path.of("Dockerfile"))
                .withFileFromPath("image", layOut())
                .withBuildArg("BASE", System.getenv(Sandbox.BASE))
                .withBuildArg("LABEL", Sandbox.LABEL);
    }

    private static Path layOut() {
        try {
            Path image = Path.of("target", "image");
            int exit = new ProcessBuilder("scripts/image.sh", image.toString()).inheritIO().start()
                    .waitFor();
            if (exit != 0) {
                throw new AssertionError("scripts/image.sh ended with " + exit);
            }
            return image;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A job that has ended, as other launchers of tests describe it. */
    static Outcome outcome(ClusterJob job) {
        int exit = job.exit() == ClusterJob.TIMED_OUT ? Outcome.HUNG : job.exit();
        return new Outcome(exit, lines(job::out), lines(job::err), List.of(), Duration.ZERO);
    }

    /** By rank. */
    static List<String> lines(IntFunction<List<String>> stream) {
        return IntStream.range(0, RANKS).mapToObj(stream).flatMap(List::stream).toList();
    }
}
