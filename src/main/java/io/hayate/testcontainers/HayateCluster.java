// SPDX-License-Identifier: Apache-2.0
package io.hayate.testcontainers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.ContainerNetwork;
import io.hayate.internal.job.Deadline;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.ExecConfig;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.lifecycle.Startable;
import org.testcontainers.lifecycle.Startables;

/**
 * Containers as the nodes of a cluster, on which a test runs jobs. The nodes share a network; each
 * runs sshd, and MPICH's {@code mpiexec} on the first node starts the ranks on all of them. A node
 * can be cut off from the others, and connected again.
 *
 * <!-- java: interface Solver {} void assertEquals(Object a, Object b) {} -->
 * <pre>{@code
 * try (HayateCluster cluster = new HayateCluster("eclipse-temurin:17").withNodes(3)) {
 *     cluster.start();
 *     ClusterJob job = cluster.run(Solver.class, "--grid", "20");
 *     assertEquals(0, job.exit());
 *     assertEquals(List.of("converged"), job.out(0));
 * }
 * }</pre>
 *
 * <p>The image is one of Debian or Ubuntu with a JRE, such as Hayate's own. What else a node needs
 * (sshd, MPICH, libfabric) is installed in a copy of it, unless the image has it. Nodes have the
 * rights that Docker gives by default, and programs run as a user without any.
 *
 * <p>If this machine has RDMA devices ({@code /dev/infiniband}; soft-RoCE is enough), the nodes get
 * them, and may lock memory without limit. Ranks of different nodes then communicate over
 * {@code verbs}, otherwise over TCP. The devices are those of the host: {@link #disconnect} does
 * not cut them off. {@code withEnvironment("HAYATE_NET", "ofi")} chooses TCP.
 *
 * <p>Set it up with the methods {@code with...} before {@link #start}. After that, all methods may
 * be called from any thread. Methods that need the Docker engine throw what Testcontainers throws,
 * a {@link RuntimeException}.
 */
@SuppressWarnings("exports")
public final class HayateCluster implements Startable {
    private static final String USER = "hayate";
    private static final String HOME = "/home/" + USER;
    private static final Duration START = Duration.ofSeconds(60);

    private final String image;
    private final Map<String, String> environment = new TreeMap<>();
    private final List<String> jvm = new ArrayList<>();
    private List<Path> classPath = ofThisJvm();
    private int nodeCount = 2;
    private int ranksEach = 2;
    private Duration limit = Duration.ofSeconds(120);
    private String label = "io.hayate.cluster";

    private Network network;
    private final List<GenericContainer<?>> nodes = new ArrayList<>();
    private List<String> innerClassPath;
    private String innerJava;
    private int jobs;

    /**
     * Describes a cluster of 2 nodes with 2 ranks each, whose programs have the class path of this
     * JVM.
     *
     * @param image the name of an image
     */
    public HayateCluster(String image) {
        this.image = image;
    }

    private static List<Path> ofThisJvm() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(name -> !name.isEmpty()).map(Path::of).toList();
    }

    // ---- set-up

    /**
     * Sets the number of nodes.
     *
     * @param count at least 1
     * @return this
     */
    public HayateCluster withNodes(int count) {
        nodeCount = atLeastOne(count, "nodes");
        return this;
    }

    /**
     * Sets the number of ranks on each node.
     *
     * @param each at least 1
     * @return this
     */
    public HayateCluster withRanks(int each) {
        ranksEach = atLeastOne(each, "ranks of a node");
        return this;
    }

    private static int atLeastOne(int count, String what) {
        if (count < 1) {
            throw new IllegalArgumentException("the number of " + what + " is " + count
                    + ", expected at least 1");
        }
        return count;
    }

    /**
     * Sets the class path of programs. The files are copied into the image. {@code /opt/hayate/lib}
     * of the image follows on the class path, where Hayate's own image has the jars of Hayate.
     *
     * @param entries jars and directories; those that do not exist are left out
     * @return this
     */
    public HayateCluster withClassPath(Path... entries) {
        classPath = List.of(entries);
        return this;
    }

    /**
     * Adds options of the JVMs of programs.
     *
     * @param options for example {@code -Xmx128m}
     * @return this
     */
    public HayateCluster withJvm(String... options) {
        jvm.addAll(List.of(options));
        return this;
    }

    /**
     * Sets an environment variable of programs.
     *
     * @param name its name
     * @param value its value
     * @return this
     */
    public HayateCluster withEnvironment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /**
     * Sets the time after which a job is ended.
     *
     * @param most 120 s by default, at least 1 s
     * @return this
     */
    public HayateCluster withLimit(Duration most) {
        if (most.toSeconds() < 1) {
            throw new IllegalArgumentException("the limit is " + Deadline.text(most)
                    + ", expected at least 1 s");
        }
        limit = most;
        return this;
    }

    /**
     * Sets the label of the image, the containers and the network that the cluster creates.
     *
     * @param name {@code io.hayate.cluster} by default
     * @return this
     */
    public HayateCluster withLabel(String name) {
        label = name;
        return this;
    }

    // ---- life

    /**
     * Builds the image of the nodes and starts them; idempotent.
     *
     * @throws IllegalStateException if the image has no {@code java}
     */
    @Override
    public void start() {
        if (network != null) {
            return;
        }
        NodeImage copy = new NodeImage(image, classPath, label);
        innerClassPath = copy.classPath();
        network = Network.builder().createNetworkCmdModifier(
                command -> command.withLabels(Map.of(label, "true"))).build();
        try {
            IntStream.range(0, nodeCount).mapToObj(node -> container(copy, node))
                    .forEach(nodes::add);
            Startables.deepStart(nodes).join();
            makeKey();
            innerJava = findJava();
        } catch (RuntimeException | Error e) {
            stop();
            throw e;
        }
    }

    private GenericContainer<?> container(NodeImage copy, int node) {
        return new GenericContainer<>(copy.image()).withNetwork(network)
                .withNetworkAliases(name(node))
                .withCreateContainerCmdModifier(command -> {
                    command.withHostName(name(node));
                    if (RdmaDevices.areIn(RdmaDevices.DIRECTORY)) {
                        RdmaDevices.passTo(command.getHostConfig());
                    }
                })
                .waitingFor(Wait.forLogMessage("(?s).*Server listening on .*", 1)
                        .withStartupTimeout(START));
    }

    /** Returns the absolute path, as ranks that ssh starts may have another search path. */
    private String findJava() {
        ExecResult found = exec(0, List.of("sh", "-c", "command -v java"));
        if (found.getExitCode() != 0) {
            throw new IllegalStateException("the image " + image + " has no java on its PATH:"
                    + " expected an image with a JRE");
        }
        return found.getStdout().strip();
    }

    /** Makes a key in the first node that the others let in. */
    private void makeKey() {
        shell(0, "mkdir -m 700 .ssh && ssh-keygen -q -t ed25519 -N '' -f .ssh/id_ed25519 && "
                + "printf 'StrictHostKeyChecking no\\nUserKnownHostsFile /dev/null\\n"
                + "LogLevel ERROR\\n' >.ssh/config");
        String key = shell(0, "cat .ssh/id_ed25519.pub").strip();
        for (int node = 0; node < nodeCount; node++) {
            shell(node, "mkdir -p -m 700 .ssh && echo '" + key + "' >.ssh/authorized_keys");
        }
    }

    /** Stops and removes all nodes and their network; jobs end with them. Idempotent. */
    @Override
    public void stop() {
        nodes.forEach(GenericContainer::stop);
        nodes.clear();
        if (network != null) {
            network.close();
            network = null;
        }
    }

    // ---- nodes

    /**
     * Returns the number of ranks of a job.
     *
     * @return nodes times ranks of each
     */
    public int ranks() {
        return nodeCount * ranksEach;
    }

    /**
     * Returns the host name of a node in the network of the cluster.
     *
     * @param node 0 to the number of nodes - 1
     * @return {@code node1}, {@code node2}, ...
     */
    public static String name(int node) {
        return "node" + (node + 1);
    }

    /**
     * Runs a script of the shell on a node, by the user of the programs and in its home directory.
     *
     * @param node 0 to the number of nodes - 1
     * @param script for {@code sh -c}
     * @return what it has written to standard output
     * @throws IllegalStateException if it has ended with another exit code than 0; the text has its
     *     output
     */
    public String shell(int node, String script) {
        ExecResult result = exec(node, List.of("sh", "-c", script));
        if (result.getExitCode() != 0) {
            throw new IllegalStateException("'" + script + "' on " + name(node) + " ended with "
                    + result.getExitCode() + ": " + result.getStdout() + result.getStderr());
        }
        return result.getStdout();
    }

    private ExecResult exec(int node, List<String> command) {
        try {
            return node(node).execInContainer(ExecConfig.builder().user(USER).workDir(HOME)
                    .envVars(environment).command(command.toArray(new String[0])).build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + command.get(0) + " ran on "
                    + name(node), e);
        }
    }

    /**
     * Returns the container of a node.
     *
     * @param node 0 to the number of nodes - 1
     * @return the container, which the cluster stops
     */
    public GenericContainer<?> node(int node) {
        if (nodes.isEmpty()) {
            throw new IllegalStateException("the cluster is not started: call start() first");
        }
        if (node < 0 || node >= nodeCount) {
            throw new IllegalArgumentException("there is no node " + node + ": expected 0 to "
                    + (nodeCount - 1));
        }
        return nodes.get(node);
    }

    /**
     * Cuts a node off: from now on nothing gets through to it or from it, and nobody is told. RDMA
     * devices, which are the host's, are not cut off.
     *
     * @param node 0 to the number of nodes - 1
     */
    public void disconnect(int node) {
        client().disconnectFromNetworkCmd().withNetworkId(network.getId())
                .withContainerId(node(node).getContainerId()).withForce(true).exec();
    }

    /**
     * Ends {@link #disconnect}. The node may have another address and another network interface
     * than before, so jobs that run have lost it; jobs that start later use it like the others.
     *
     * @param node 0 to the number of nodes - 1
     */
    public void reconnect(int node) {
        client().connectToNetworkCmd().withNetworkId(network.getId())
                .withContainerId(node(node).getContainerId())
                .withContainerNetwork(new ContainerNetwork().withAliases(name(node))).exec();
    }

    /**
     * Kills all processes of a node, which does not come back.
     *
     * @param node 0 to the number of nodes - 1
     */
    public void kill(int node) {
        client().killContainerCmd(node(node).getContainerId()).exec();
    }

    private static DockerClient client() {
        return DockerClientFactory.instance().client();
    }

    // ---- jobs

    /**
     * Runs a Java program on all ranks, and waits for its end.
     *
     * @param main a class of the class path of the programs, with a main method
     * @param arguments its arguments
     * @return the job, which has ended
     */
    public ClusterJob run(Class<?> main, String... arguments) {
        return run(java(main, arguments));
    }

    /**
     * Runs a command on all ranks, and waits for its end.
     *
     * @param command its words
     * @return the job, which has ended
     */
    public ClusterJob run(List<String> command) {
        ClusterJob job = launch(command);
        job.exit();
        return job;
    }

    /**
     * Starts a command on all ranks.
     *
     * @param command its words, for example from {@link #java}
     * @return the job, which runs until all ranks have ended, or the limit
     */
    public ClusterJob launch(List<String> command) {
        String directory;
        synchronized (this) {
            directory = HOME + "/job-" + ++jobs;
        }
        List<String> words = new ArrayList<>(List.of("timeout", "-k", "2",
                Long.toString(limit.toSeconds()), "mpiexec", "-launcher", "ssh", "-hosts",
                String.join(",", IntStream.range(0, nodeCount).mapToObj(HayateCluster::name)
                        .toList()),
                "-ppn", Integer.toString(ranksEach), "-n", Integer.toString(ranks()),
                "sh", "-c", ClusterJob.KEEP_OUTPUT, "sh", directory));
        words.addAll(command);
        List<GenericContainer<?>> places = IntStream.range(0, ranks())
                .<GenericContainer<?>>mapToObj(rank -> node(rank / ranksEach)).toList();
        return new ClusterJob(() -> exec(0, words), places, directory);
    }

    /**
     * Returns the command that runs a Java program on one rank.
     *
     * @param main a class of the class path of the programs, with a main method
     * @param arguments its arguments
     * @return words for {@link #launch} and {@link #run(List)}
     */
    public List<String> java(Class<?> main, String... arguments) {
        node(0); // java and its class path are known when the cluster is started
        List<String> words = new ArrayList<>(List.of(innerJava));
        words.addAll(jvm);
        words.addAll(List.of("-cp", String.join(":", innerClassPath), main.getName()));
        words.addAll(List.of(arguments));
        return words;
    }
}
