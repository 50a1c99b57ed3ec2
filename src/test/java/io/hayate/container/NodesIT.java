// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.cli.Main;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.RankMain;
import io.hayate.conformance.Suite;
import io.hayate.examples.ConjugateGradient;
import java.time.Duration;
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
    private static final Duration LIMIT = Duration.ofSeconds(480);
    private static Nodes nodes;

    @BeforeAll
    static void start() throws Exception {
        nodes = Nodes.start();
    }

    @AfterAll
    static void stop() {
        if (nodes != null) {
            nodes.close();
        }
    }

    private static Outcome ranks(List<String> program) throws Exception {
        return nodes.run(0, LIMIT, Nodes.launch(program));
    }

    /** Seccomp 2 is a filter; the user has no capability, and could not get one. */
    @Test
    void should_start_ranks_by_ssh_on_nodes_that_are_as_docker_makes_them() throws Exception {
        Outcome outcome = ranks(List.of("sh", "-c", "echo $PMI_RANK of $PMI_SIZE on $(hostname),"
                + " shm $(df --output=size /dev/shm | tail -n 1),"
                + " $(grep -E '^(CapEff|Seccomp):' /proc/self/status | tr -s '\\t\\n' ' ')"))
                .good();
        List<String> expected = Stream.iterate(0, rank -> rank + 1).limit(Nodes.RANKS)
                .map(rank -> rank + " of 6 on " + Nodes.name(rank / Nodes.RANKS_EACH)
                        + ", shm 65536, CapEff: 0000000000000000 Seccomp: 2").toList();
        assertEquals(expected, outcome.out().stream().map(String::strip).sorted().toList());
    }

    /** By files, as lines of this length would mix on their way. */
    @Test
    void should_use_shared_memory_within_a_node_and_the_network_between() throws Exception {
        String info = "'" + String.join("' '", Nodes.java(Main.class, "info", "--json")) + "'";
        ranks(List.of("sh", "-c", info + " >info.$PMI_RANK")).good();
        for (int rank = 0; rank < Nodes.RANKS; rank++) {
            int node = rank / Nodes.RANKS_EACH;
            String line = nodes.shell(node, "cat info." + rank).out().get(0);
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
    void should_solve_by_conjugate_gradients_as_one_rank_does(String sums) throws Exception {
        String[] problem = sums.equals("plain") ? new String[] {"--grid", "20", "--json"}
                : new String[] {"--grid", "20", "--persistent", "--json"};
        List<String> program = Nodes.java(ConjugateGradient.class, problem);
        JsonObject alone = good(nodes.run(0, LIMIT, program));
        JsonObject all = good(ranks(program));
        assertEquals(Nodes.RANKS, all.get("ranks").getAsInt());
        assertEquals(number(alone, "iterations"), number(all, "iterations"), 2);
        double norm = number(alone, "solution_norm");
        assertEquals(norm, number(all, "solution_norm"), 1e-9 * norm);
        assertTrue(number(all, "error") < 1e-7, all::toString);
    }

    private static JsonObject good(Outcome outcome) {
        List<String> lines = outcome.good().out();
        assertEquals(1, lines.size(), outcome::describe);
        JsonObject json = JsonParser.parseString(lines.get(0)).getAsJsonObject();
        assertTrue(json.get("good").getAsBoolean(), outcome::describe);
        return json;
    }

    private static double number(JsonObject json, String name) {
        return json.get(name).getAsDouble();
    }

    @Tag("long")
    @TestFactory
    Stream<DynamicTest> conformance() {
        return Suite.by("3 nodes", Nodes.RANKS,
                scenarios -> ranks(Nodes.java(RankMain.class, scenarios)))
                .betweenNodes().tests();
    }
}
