// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.bench.figures.Figures;
import io.hayate.cli.Main;
import io.hayate.conformance.ClusterLauncher;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Level;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.ProbeMain;
import io.hayate.conformance.RankMain;
import io.hayate.conformance.RunningJob;
import io.hayate.conformance.Suite;
import io.hayate.conformance.VictimMain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests jobs on several nodes, all of which are this machine without the knowledge of the
 * launchers.
 */
@Tag("cluster")
class ClusterNodesIT {
    private static final String HEAP = "HAYATE_HEAP";
    /** Seconds after which a rank that does not answer has failed. */
    private static final int SILENCE = 2;
    /** Twice that, and the rest for a loaded machine; who is not told waits for minutes. */
    private static final long MOST_MS = 2 * SILENCE * 1000 + 30_000;
    /** Hydra tells the others of a death by SIGUSR1, and may kill those of the same node. */
    private static final String[] SHIELD =
            {"sh", "-c", "trap '' USR1; setsid \"$0\" \"$@\"; exit $?"};

    /** Unchecked: they call what they call on one node as well. */
    private static Launch launch(Launch launch, String... launcher) {
        return launch.by(launcher).environment(HEAP, "64M").unchecked();
    }

    private static Suite suite(String name, int ranks, String... launcher) {
        return new Suite(name, ranks,
                scenarios -> launch(Launch.of(RankMain.class, scenarios), launcher)
                        .environment(HEAP, "4G").limit(Duration.ofSeconds(600)));
    }

    /** All scenarios where tests may take long; they run between far peers in FarIT as well. */
    @TestFactory
    Stream<DynamicTest> nodesOfTwo() throws Exception {
        Suite suite = suite("2 + 2 ranks by Hydra", 4, ClusterLauncher.HYDRA.needed().nodes(2, 2))
                .part(0);
        return (Level.isLong() ? suite : suite.betweenNodes()).tests();
    }

    @TestFactory
    Stream<DynamicTest> unevenNodes() throws Exception {
        return suite("2 + 1 ranks by Open MPI", 3, ClusterLauncher.OPEN_MPI.needed().nodes(2, 1))
                .part(1).betweenNodes().tests();
    }

    @TestFactory
    Stream<DynamicTest> ranksAlone() throws Exception {
        return suite("1 + 1 ranks by Slurm", 2, ClusterLauncher.SLURM.needed().nodes(1, 1))
                .part(1).betweenNodes().tests();
    }

    /** Rank by rank, those that it shares memory with, itself included. */
    private static Map<Integer, TreeSet<Integer>> neighbours(int ranks, String... launcher)
            throws Exception {
        Outcome outcome = launch(Launch.of(Main.class, "info", "--json").ranks(ranks),
                launcher).run().good();
        Map<Integer, TreeSet<Integer>> neighbours = new TreeMap<>();
        for (String line : outcome.out()) {
            JsonObject job = JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("job");
            int rank = job.get("rank").getAsInt();
            TreeSet<Integer> near = new TreeSet<>(List.of(rank));
            JsonArray peers = job.getAsJsonArray("peers");
            for (JsonElement peer : peers) {
                JsonElement reason = peer.getAsJsonObject().get("reason");
                if (reason.isJsonNull() || !reason.getAsString().contains("another node")) {
                    near.add(peer.getAsJsonObject().get("rank").getAsInt());
                }
            }
            neighbours.put(rank, near);
        }
        return neighbours;
    }

    /** Slurm passes on what ranks print in pieces of 1024 bytes: too short for these lines. */
    @ParameterizedTest(name = "should_share_memory_within_nodes_only, by {0}")
    @EnumSource(value = ClusterLauncher.class, names = "SLURM", mode = EnumSource.Mode.EXCLUDE)
    void should_share_memory_within_nodes_only(ClusterLauncher by) throws Exception {
        assertEquals("{0=[0, 1], 1=[0, 1], 2=[2, 3], 3=[2, 3]}",
                neighbours(4, by.needed().nodes(2, 2)).toString());
        assertEquals("{0=[0, 2], 1=[1, 3], 2=[0, 2], 3=[1, 3]}",
                neighbours(4, by.dealt(2, 2)).toString());
    }

    @ParameterizedTest(name = "should_share_memory_on_uneven_nodes, by {0}")
    @EnumSource(value = ClusterLauncher.class, names = "SLURM", mode = EnumSource.Mode.EXCLUDE)
    void should_share_memory_on_uneven_nodes(ClusterLauncher by) throws Exception {
        assertEquals("{0=[0, 1, 2], 1=[0, 1, 2], 2=[0, 1, 2], 3=[3]}",
                neighbours(4, by.needed().nodes(3, 1)).toString());
    }

    @ParameterizedTest(name = "should_exchange_between {1} + {2} + {3} ranks, by {0}")
    @CsvSource({"HYDRA, 3, 1, 0", "OPEN_MPI, 1, 3, 0", "HYDRA, 1, 2, 1", "OPEN_MPI, 1, 1, 1"})
    void should_exchange_between_nodes(ClusterLauncher by, int first, int second, int third)
            throws Exception {
        int[] nodes = third > 0 ? new int[] {first, second, third} : new int[] {first, second};
        launch(Launch.of(ProbeMain.class, "quiet").ranks(first + second + third),
                by.needed().nodes(nodes)).run().good();
    }

    @ParameterizedTest(name = "should_exchange_between_nodes_that_ranks_are_dealt_out_to, by {0}")
    @EnumSource(ClusterLauncher.class)
    void should_exchange_between_nodes_that_ranks_are_dealt_out_to(ClusterLauncher by)
            throws Exception {
        launch(Launch.of(ProbeMain.class, "quiet").ranks(4), by.needed().dealt(2, 2)).run().good();
    }

    @Tag("long")
    @ParameterizedTest(name = "should_exchange_between_twelve_nodes, by {0}")
    @EnumSource(value = ClusterLauncher.class, names = "SLURM", mode = EnumSource.Mode.EXCLUDE)
    void should_exchange_between_twelve_nodes(ClusterLauncher by) throws Exception {
        launch(Launch.of(ProbeMain.class, "quiet").ranks(12),
                by.needed().nodes(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))
                .run().good();
    }

    /** Nothing goes through a network in a microsecond. */
    @ParameterizedTest(name = "should_measure_between_nodes, {0}")
    @CsvSource(delimiter = '|', value = {"perf pingpong --bytes 8,64K|2",
        "perf allreduce --bytes 8|1", "threads --threads 1,2 --endpoints thread,1|4"})
    void should_measure_between_nodes(String bench, int cases) throws Exception {
        String[] command = (bench + " --min-time 5 --json").split(" ");
        Class<?> main = command[0].equals("perf") ? Main.class : Figures.class;
        Outcome outcome = launch(Launch.of(main, command).ranks(2),
                ClusterLauncher.HYDRA.needed().nodes(1, 1)).run().good();
        assertEquals(cases, outcome.out().size(), outcome::describe);
        for (String line : outcome.out()) {
            JsonObject measured = JsonParser.parseString(line).getAsJsonObject();
            double least = measured.get("min_us").getAsDouble();
            assertTrue(least > 1 && least <= measured.get("median_us").getAsDouble(), line);
        }
    }

    /** Pids of all ranks, in their order. */
    private static List<Long> ready(RunningJob job, int ranks) throws Exception {
        List<String> lines = new ArrayList<>(job.await("^READY (\\d+ \\d+)", ranks));
        lines.sort(null);
        return lines.stream().map(line -> Long.valueOf(line.split(" ")[1])).toList();
    }

    @ParameterizedTest(name = "should_name_a_rank_of_another_node_killed_during {1}, by {0}")
    @CsvSource({"HYDRA, recv", "HYDRA, sends", "HYDRA, allreduce", "HYDRA, barrier",
        "HYDRA, persistent allreduce", "HYDRA, ompl wait", "HYDRA, ompl tasks",
        "HYDRA, ompl task outputs", "OPEN_MPI, recv", "OPEN_MPI, allreduce", "SLURM, recv"})
    void should_name_a_rank_of_another_node_killed_during(ClusterLauncher by, String operation)
            throws Exception {
        RunningJob job = launch(Launch.of(VictimMain.class, operation,
                operation.equals("sends") ? "stream" : "sleep").ranks(4).program(SHIELD)
                .options(by.lenient())
                .environment("HAYATE_NET_SILENCE", Integer.toString(SILENCE)),
                by.needed().nodes(2, 2)).start();
        long victim = ready(job, 4).get(3);
        long since = System.nanoTime();
        RunningJob.signal("KILL", victim);
        List<String> told = job.await("^FAILED (\\d+ \\d+ \\d+)", 3);
        job.finish();
        for (String line : told) {
            String[] words = line.split(" ");
            long after = (Long.parseLong(words[2]) - since) / 1_000_000;
            System.out.println(by + " " + operation + ": rank " + words[0] + " after " + after
                    + " ms");
            assertEquals("3", words[1], () -> String.join("\n", told));
            assertTrue(after <= MOST_MS, "told after " + after + " ms");
        }
    }

    /** The ranks of the other node live on, and nobody is left here to say how they end. */
    @Test
    void should_show_counters_until_the_ranks_of_the_node_have_ended() throws Exception {
        RunningJob job = launch(Launch.of(VictimMain.class, "ompl wait", "sleep").ranks(4)
                .program(SHIELD).options(ClusterLauncher.HYDRA.lenient())
                .environment("HAYATE_NET_SILENCE", Integer.toString(SILENCE)),
                ClusterLauncher.HYDRA.needed().nodes(2, 2)).start();
        List<Long> ranks = ready(job, 4);
        RunningJob stat = Launch.of(Main.class, "stat", ranks.get(0).toString(), "--interval",
                "0.1").ranks(0).unchecked().start();
        assertEquals(List.of("2", "3", "2", "3"),
                stat.await("^ *([23]) +- +elsewhere +0 ", 4).subList(0, 4));
        RunningJob.signal("KILL", ranks.get(0));
        RunningJob.signal("KILL", ranks.get(1));
        stat.finish().good();
        RunningJob.signal("KILL", ranks.get(3));
        job.finish();
    }

    /** Rank 1, alone on its node, has another setting. */
    @ParameterizedTest(name = "should_tell_both_sides_when_one_node_has {0}")
    @CsvSource({"HAYATE_NET=nonsense, ArgumentException", "HAYATE_LIBRARIES=/nowhere, "
            + "UnsupportedException", "HAYATE_NET_DEVICE=nosuch0, UnsupportedException"})
    void should_tell_both_sides_when_one_node_differs(String setting, String refusal)
            throws Exception {
        Outcome outcome = launch(Launch.of(ProbeMain.class, "join").ranks(2)
                .environment("HAYATE_NET", "ofi").program("sh", "-c",
                        "[ $PMI_RANK = 0 ] || export " + setting + "; exec \"$0\" \"$@\""),
                ClusterLauncher.HYDRA.needed().nodes(1, 1)).run();
        List<String> told = outcome.out().stream().filter(line -> line.startsWith("REFUSED "))
                .sorted().toList();
        assertEquals(2, told.size(), outcome::describe);
        assertTrue(told.stream().anyMatch(line -> line.startsWith("REFUSED LaunchException -8 no "
                + "network that this rank may use can be used by rank 1, or by a node of ")),
                outcome::describe);
        assertTrue(told.stream().anyMatch(line -> line.startsWith("REFUSED " + refusal)),
                outcome::describe);
    }

    @Test
    void should_join_nodes_whose_heaps_differ() throws Exception {
        Outcome outcome = launch(Launch.of(ProbeMain.class, "quiet").ranks(2).program("sh", "-c",
                "[ $PMI_RANK = 0 ] || export HAYATE_HEAP=128M; exec \"$0\" \"$@\""),
                ClusterLauncher.HYDRA.needed().nodes(1, 1)).run();
        assertEquals(0, outcome.exit(), outcome::describe);
    }
}
