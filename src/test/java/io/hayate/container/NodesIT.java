// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.cli.Main;
import io.hayate.conformance.RankMain;
import io.hayate.conformance.Suite;
import io.hayate.examples.ConjugateGradient;
import io.hayate.testcontainers.ClusterJob;
import io.hayate.testcontainers.HayateCluster;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of several nodes: libfabric's tcp between them, shared memory within. */
@InContainers
class NodesIT {
    private static HayateCluster nodes;

    @BeforeAll
    static void start() {
        nodes = Nodes.cluster();
        nodes.start();
    }

    @AfterAll
    static void stop() {
        if (nodes != null) {
            nodes.close();
        }
    }

    /** Seccomp 2 is a filter; the user has no capability, and could not get one. */
    @Test
    void should_start_ranks_by_ssh_on_nodes_that_are_as_docker_makes_them() {
        ClusterJob job = nodes.run(List.of("sh", "-c", "echo $PMI_RANK of $PMI_SIZE on $(hostname),"
                + " shm $(df --output=size /dev/shm | tail -n 1),"
                + " $(grep -E '^(CapEff|Seccomp):' /proc/self/status | tr -s '\\t\\n' ' ')"))
                .good();
        List<String> expected = Stream.iterate(0, rank -> rank + 1).limit(Nodes.RANKS)
                .map(rank -> rank + " of 6 on " + HayateCluster.name(rank / Nodes.RANKS_EACH)
                        + ", shm 65536, CapEff: 0000000000000000 Seccomp: 2").toList();
        assertEquals(expected, Nodes.lines(job::out).stream().map(String::strip).toList());
    }

    @Test
    void should_use_shared_memory_within_a_node_and_the_network_between() {
        ClusterJob info = nodes.run(Main.class, "info", "--json").good();
        for (int rank = 0; rank < Nodes.RANKS; rank++) {
            int node = rank / Nodes.RANKS_EACH;
            String line = info.out(rank).get(0);
            JsonObject job = JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("job");
            assertEquals("pmi1", job.get("launcher").getAsString());
            assertEquals(node, job.get("node").getAsInt());
            for (JsonElement element : job.getAsJsonArray("peers")) {
                JsonObject peer = element.getAsJsonObject();
                int its = peer.get("rank").getAsInt() / Nodes.RANKS_EACH;
                assertEquals(its, peer.get("node").getAsInt(), peer::toString);
                assertEquals(its == node ? "shm" : "ofi", peer.get("path").getAsString(),
                        peer::toString);
            }
            assertEquals(Nodes.RANKS - 1, job.getAsJsonArray("peers").size());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "persistent"})
    void should_solve_by_conjugate_gradients_as_one_rank_does(String sums) {
        String[] problem = sums.equals("plain") ? new String[] {"--grid", "20", "--json"}
                : new String[] {"--grid", "20", "--persistent", "--json"};
        List<String> program = nodes.java(ConjugateGradient.class, problem);
        JsonObject alone = good(nodes.shell(0, String.join(" ", program)).lines().toList());
        JsonObject all = good(nodes.run(program).good().out(0));
        assertEquals(Nodes.RANKS, all.get("ranks").getAsInt());
        assertEquals(number(alone, "iterations"), number(all, "iterations"), 2);
        double norm = number(alone, "solution_norm");
        assertEquals(norm, number(all, "solution_norm"), 1e-9 * norm);
        assertTrue(number(all, "error") < 1e-7, all::toString);
    }

    private static JsonObject good(List<String> lines) {
        assertEquals(1, lines.size(), lines::toString);
        JsonObject json = JsonParser.parseString(lines.get(0)).getAsJsonObject();
        assertTrue(json.get("good").getAsBoolean(), lines::toString);
        return json;
    }

    private static double number(JsonObject json, String name) {
        return json.get(name).getAsDouble();
    }

    @Test
    void should_use_a_node_again_that_was_cut_off() {
        nodes.disconnect(1);
        nodes.reconnect(1);
        ClusterJob job = nodes.run(ConjugateGradient.class, "--grid", "6", "--json").good();
        assertEquals(Nodes.RANKS, good(job.out(0)).get("ranks").getAsInt());
    }

    @Test
    void should_tell_the_exit_code_and_keep_the_output_of_each_rank() {
        ClusterJob job = nodes.run(List.of("sh", "-c",
                "echo I am $PMI_RANK; echo not well >&2; exit 7"));
        assertEquals(7, job.exit());
        assertEquals(List.of("I am 3"), job.out(3));
        assertEquals(List.of("not well"), job.err(3));
        assertTrue(assertThrows(AssertionError.class, job::good).getMessage()
                .contains("\n[3] I am 3\n[3] error: not well"), job::toString);
    }

    @Tag("long")
    @TestFactory
    Stream<DynamicTest> conformance() {
        return Suite.by("3 nodes", Nodes.RANKS,
                scenarios -> Nodes.outcome(nodes.run(RankMain.class, scenarios)))
                .betweenNodes().tests();
    }
}
