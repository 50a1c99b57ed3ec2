// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import com.github.dockerjava.api.DockerClient;
import io.hayate.conformance.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.ExecConfig;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.ImageFromDockerfile;
import org.testcontainers.lifecycle.Startables;

/**
 * Containers of the product's image as the nodes of a cluster: one network, sshd on each, and
 * hydra's mpiexec on the first, which starts ranks on all. They have what Docker gives by default,
 * and all is done by a user without rights.
 */
final class Nodes implements AutoCloseable {
    static final int COUNT = 3;
    static final int RANKS_EACH = 2;
    static final int RANKS = COUNT * RANKS_EACH;

    private static final String USER = "hayate";
    private static final String HOME = "/home/" + USER;
    private static final int TIMED_OUT = 124; // of timeout(1)
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "HAYATE_OFI_PROVIDER", "tcp;ofi_rxm", "HAYATE_NET_DEVICE", "eth0",
            "HAYATE_HEAP", "64M");
    private static final ImageFromDockerfile PRODUCT = product();
    private static final ImageFromDockerfile IMAGE = image();

    private final Network network = Network.builder().createNetworkCmdModifier(
            command -> command.withLabels(Map.of(Sandbox.LABEL, "true"))).build();
    private final List<GenericContainer<?>> nodes =
            IntStream.range(0, COUNT).<GenericContainer<?>>mapToObj(this::node).toList();

    private Nodes() {
    }

    static Nodes start() throws Exception {
        Nodes nodes = new Nodes();
        try {
            Startables.deepStart(nodes.nodes).join();
            nodes.makeKey();
            return nodes;
        } catch (Throwable failed) {
            nodes.close();
            throw failed;
        }
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

    private static ImageFromDockerfile image() {
        return new ImageFromDockerfile()
                .withFileFromPath("Dockerfile", Path.of("src/test/docker/Dockerfile"))
                .withFileFromPath("node", Path.of("src/test/docker/node"))
                .withFileFromPath("tests", Sandbox.origin(Nodes.class))
                .withBuildArg("PRODUCT", PRODUCT.get());
    }

    static String name(int node) {
        return "node" + (node + 1);
    }

    private GenericContainer<?> node(int node) {
        return new GenericContainer<>(IMAGE).withNetwork(network)
                .withNetworkAliases(name(node))
                .withCreateContainerCmdModifier(command -> command.withHostName(name(node)))
                .waitingFor(Wait.forLogMessage("(?s).*Server listening on .*", 1)
                        .withStartupTimeout(Duration.ofSeconds(30)));
    }

    /** A key of this run, made in the first node, that the others let in. */
    private void makeKey() throws Exception {
        shell(0, "mkdir -m 700 .ssh && ssh-keygen -q -t ed25519 -N '' -f .ssh/id_ed25519 && "
                + "printf 'StrictHostKeyChecking no\\nUserKnownHostsFile /dev/null\\n"
                + "LogLevel ERROR\\n' >.ssh/config");
        String key = shell(0, "cat .ssh/id_ed25519.pub").out().get(0);
        for (int node = 0; node < COUNT; node++) {
            shell(node, "mkdir -p -m 700 .ssh && echo '" + key + "' >.ssh/authorized_keys");
        }
    }

    /** A command on a node, which must end well. */
    Outcome shell(int node, String script) throws IOException, InterruptedException {
        return run(node, Duration.ofSeconds(30), List.of("sh", "-c", script)).good();
    }

    /** A command on a node; one that takes longer is killed. */
    Outcome run(int node, Duration limit, List<String> command)
            throws IOException, InterruptedException {
        List<String> bounded = new ArrayList<>(
                List.of("timeout", "-k", "2", Long.toString(limit.toSeconds())));
        bounded.addAll(command);
        long begun = System.nanoTime();
        ExecResult result = nodes.get(node).execInContainer(ExecConfig.builder().user(USER)
                .workDir(HOME).envVars(ENVIRONMENT).command(bounded.toArray(new String[0]))
                .build());
        int exit = result.getExitCode() == TIMED_OUT ? Outcome.HUNG : result.getExitCode();
        return new Outcome(exit, result.getStdout().lines().toList(),
                result.getStderr().lines().toList(), List.of(),
                Duration.ofNanos(System.nanoTime() - begun));
    }

    /** Words that start a program on all nodes, two ranks each. */
    static List<String> launch(List<String> program) {
        List<String> command = new ArrayList<>(List.of("mpiexec", "-launcher", "ssh", "-hosts",
                String.join(",", IntStream.range(0, COUNT).mapToObj(Nodes::name).toList()),
                "-ppn", Integer.toString(RANKS_EACH), "-n", Integer.toString(RANKS)));
        command.addAll(program);
        return command;
    }

    /** Words that run a class of the product, its examples, or the tests. */
    static List<String> java(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of("java", "-Xmx128m", "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-cp", "/opt/hayate/lib/*:/opt/hayate/tests",
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** From now on nothing gets through to this node, and nobody is told. */
    void disconnect(int node) {
        client().disconnectFromNetworkCmd().withNetworkId(network.getId())
                .withContainerId(nodes.get(node).getContainerId()).withForce(true).exec();
    }

    /** All processes of this node end. */
    void kill(int node) {
        client().killContainerCmd(nodes.get(node).getContainerId()).exec();
    }

    private static DockerClient client() {
        return DockerClientFactory.instance().client();
    }

    @Override
    public void close() {
        nodes.forEach(GenericContainer::stop);
        network.close();
    }
}
