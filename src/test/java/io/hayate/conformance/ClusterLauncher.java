// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;

/**
 * Launchers of clusters, which can be told that this machine is several nodes. For
 * {@link Launch#by}; the number of ranks follows the command.
 */
public enum ClusterLauncher {
    /** Open MPI's mpirun. Its remote shell stays at home. */
    OPEN_MPI("mpirun --version | grep -q 'Open MPI' && ldconfig -p | grep -q libpmix.so.2",
            (nodes, cyclic) -> {
                List<String> command = new ArrayList<>(List.of("mpirun", "--allow-run-as-root",
                        "--oversubscribe"));
                if (nodes.length > 0) {
                    command.addAll(List.of("--mca", "plm_rsh_agent",
                            Path.of("src/test/launcher/stay-home.sh").toAbsolutePath().toString(),
                            "-H", named(nodes)));
                }
                command.addAll(cyclic ? List.of("--map-by", "node") : List.of());
                return command;
            }, "--enable-recovery", "--mca", "orte_abort_on_non_zero_status", "0"),

    /** Hydra, of MPICH. It looks none of the names up. */
    HYDRA("command -v mpiexec.hydra", (nodes, cyclic) -> {
                List<String> command = new ArrayList<>(List.of("mpiexec.hydra"));
                if (nodes.length > 0) {
                    command.addAll(List.of("-launcher", "fork", "-hosts",
                            cyclic ? named(IntStream.of(nodes).map(n -> 1).toArray())
                                    : named(nodes)));
                }
                return command;
            }, "-disable-auto-cleanup"),

    /** Slurm's srun, on nodes of a Slurm that lives for this one job. All have as many ranks. */
    SLURM("scripts/lab/slurm.sh --probe", (nodes, cyclic) -> {
                int count = Math.max(1, nodes.length);
                List<String> command = new ArrayList<>(List.of("scripts/lab/slurm.sh", "--nodes",
                        Integer.toString(count), "srun", "--mpi=pmix",
                        "--nodes=" + count));
                if (nodes.length > 0) {
                    command.add("--ntasks-per-node=" + nodes[0]);
                }
                command.addAll(cyclic ? List.of("-m", "cyclic") : List.of());
                return command;
            }, "--kill-on-bad-exit=0");

    private final String probe;
    private final BiFunction<int[], Boolean, List<String>> command;
    private final List<String> lenient;

    ClusterLauncher(String probe, BiFunction<int[], Boolean, List<String>> command,
            String... lenient) {
        this.probe = probe;
        this.command = command;
        this.lenient = List.of(lenient);
    }

    private static String named(int... nodes) {
        return IntStream.range(0, nodes.length)
                .mapToObj(node -> "node-" + (char) ('a' + node) + ":" + nodes[node])
                .collect(Collectors.joining(","));
    }

    /** Aborts the test where this launcher is not installed. */
    public ClusterLauncher needed() throws Exception {
        Process process = new ProcessBuilder("sh", "-c", probe)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        String why = new String(process.getErrorStream().readAllBytes());
        Assumptions.assumeTrue(process.waitFor() == 0, "not there: " + probe + " " + why);
        return this;
    }

    /** This machine as one node. */
    public String[] here() {
        return nodes();
    }

    /** A node for each number, which is how many ranks it gets; one after the other. */
    public String[] nodes(int... ranks) {
        return command.apply(ranks, false).toArray(new String[0]);
    }

    /** So many nodes of so many ranks each, dealt out in turn. */
    public String[] dealt(int nodes, int each) {
        return command.apply(IntStream.generate(() -> each).limit(nodes).toArray(), true)
                .toArray(new String[0]);
    }

    /** For {@link Launch#options}: when a rank dies the others live on. */
    public String[] lenient() {
        return lenient.toArray(new String[0]);
    }
}
