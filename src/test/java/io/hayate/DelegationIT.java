// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.cli.Main;
import io.hayate.conformance.ClusterLauncher;
import io.hayate.conformance.DelegatedMain;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.PausedMain;
import io.hayate.conformance.RunningJob;
import io.hayate.conformance.VictimMain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What ranks and commands see of delegatees, on two nodes: each {@code hayate run --delegate} that
 * Hydra starts is one, although both are this machine.
 */
@Tag("cluster")
class DelegationIT {
    private static final String HEAP = "64M";

    /** Two nodes of two ranks. */
    private static Launch delegated(Launch launch) throws Exception {
        return delegated(launch, 2);
    }

    /** Two nodes of so many ranks. */
    private static Launch delegated(Launch launch, int ranks) throws Exception {
        return launch.by(ClusterLauncher.HYDRA.needed().here()).ranks(2).jvm("-XX:+UseSerialGC")
                .program(Launch.launcher(), "--delegate", "-n", String.valueOf(ranks), "--heap",
                        HEAP, "--bind", "none", "--");
    }

    private static List<String> lines(Outcome outcome, String word) {
        return outcome.out().stream().filter(line -> line.startsWith(word + " "))
                .map(line -> line.substring(word.length() + 1)).sorted().toList();
    }

    @ParameterizedTest(name = "should_tell_each_rank_of_the_delegatee_of_its_node, waiting: {0}")
    @ValueSource(strings = {"adaptive", "poll", "interrupt"})
    void should_tell_each_rank_of_the_delegatee_of_its_node(String waiting) throws Exception {
        Outcome outcome = delegated(Launch.of(DelegatedMain.class))
                .environment("HAYATE_DELEGATE_WAIT", waiting).run().good();
        List<String> told = lines(outcome, "DELEGATED");
        assertEquals(4, told.size(), outcome::describe);
        String[] pids = new String[4];
        for (int rank = 0; rank < 4; rank++) {
            String[] words = told.get(rank).split(" ", 8);
            pids[rank] = words[1];
            assertEquals(List.of(String.valueOf(rank / 2), "2", waiting, "true", "true"),
                    List.of(words).subList(2, 7), outcome::describe);
            assertTrue(words[7].startsWith("libfabric tcp"), words[7]);
        }
        assertEquals(pids[0], pids[1]);
        assertEquals(pids[2], pids[3]);
        assertNotEquals(pids[0], pids[2]);
    }

    /** The receivers, ranks 2 and 3, fetch a long message: its bytes are theirs. */
    @Test
    void should_count_the_commands_of_each_rank() throws Exception {
        Outcome outcome = delegated(Launch.of(DelegatedMain.class)).run().good();
        List<String> counted = lines(outcome, "COUNTED");
        assertEquals(4, counted.size(), outcome::describe);
        for (String line : counted) {
            String[] words = line.split(" ");
            long commands = Long.parseLong(words[1]);
            assertTrue(commands > 0 && Long.parseLong(words[3]) > commands, line);
            assertEquals("1", words[4], line);
            assertEquals("true", words[5], line);
            long bytes = Long.parseLong(words[2]);
            assertEquals(Integer.parseInt(words[0]) >= 2, bytes >= 1 << 20, line);
        }
    }

    /** Predefined reductions run in the delegatee, functions of the program in the program. */
    @Test
    void should_run_collectives_in_the_delegatee_but_reducers_in_the_rank() throws Exception {
        Outcome outcome = delegated(Launch.of(DelegatedMain.class, "reduce")).run().good();
        List<String> reduced = lines(outcome, "REDUCED");
        assertEquals(8, reduced.size(), outcome::describe);
        for (String line : reduced) {
            boolean sum = line.split(" ")[1].equals("46"); // 10 + 11 + 12 + 13
            assertTrue(sum || line.split(" ")[1].equals("13"), line);
            assertTrue(line.contains(sum ? "progress delegated"
                    : "not delegated: its reduction is a function of the program"), line);
        }
    }

    /** The send returns while the receiver's JVM collects garbage, or its process stands still. */
    @ParameterizedTest(name = "should_deliver_a_long_message_while_its_receiver_is_paused: {0}")
    @ValueSource(strings = {"collect", "stopped"})
    void should_deliver_a_long_message_while_its_receiver_is_paused(String how,
            @TempDir Path directory) throws Exception {
        Outcome outcome = delegated(
                Launch.of(PausedMain.class, how, directory.resolve("sent").toString()), 1)
                .run().good();
        assertEquals(List.of("true"), lines(outcome, "PAUSED"), outcome::describe);
        assertEquals(List.of("true"), lines(outcome, "ARRIVED"), outcome::describe);
    }

    /** Ranks 0 and 1 learn it; those of the other node have a delegatee that lives. */
    @Test
    void should_tell_that_the_delegatee_has_ended() throws Exception {
        RunningJob job = delegated(Launch.of(DelegatedMain.class, "watch")).start();
        String first = job.await("^WATCHES (\\d+ \\d+)", 4).stream()
                .filter(line -> line.startsWith("0 ")).findFirst().orElseThrow();
        RunningJob.signal("KILL", Long.parseLong(first.split(" ")[1]));
        assertEquals(List.of("0", "1"),
                job.await("^ENDED (\\d+)", 2).stream().sorted().limit(2).toList());
        job.finish();
    }

    @Test
    void should_show_the_delegatee_in_info() throws Exception {
        Outcome outcome = delegated(Launch.of(Main.class, "info", "--json").unchecked()).run()
                .good();
        assertEquals(4, outcome.out().size(), outcome::describe);
        for (String line : outcome.out()) {
            JsonObject job = JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("job");
            JsonObject delegatee = job.getAsJsonObject("delegatee");
            assertTrue(delegatee.get("pid").getAsInt() > 1, line);
            assertEquals("serves", delegatee.get("state").getAsString(), line);
            assertTrue(delegatee.get("network").getAsString().startsWith("libfabric"), line);
        }
    }

    private static Outcome stat(long pid) throws Exception {
        return Launch.of(Main.class, "stat", String.valueOf(pid)).ranks(0).unchecked().run();
    }

    @Test
    void should_show_the_delegatee_in_stat() throws Exception {
        RunningJob job = delegated(Launch.of(VictimMain.class, "ompl wait", "sleep"))
                .options(ClusterLauncher.HYDRA.lenient()).start();
        List<Long> ranks = new ArrayList<>();
        for (String line : job.await("^READY (\\d+ \\d+)", 4)) {
            ranks.add(Long.valueOf(line.split(" ")[1]));
        }
        Outcome byRank = stat(ranks.get(0));
        List<String> out = byRank.out();
        String last = out.get(out.size() - 1);
        Outcome byDelegatee = stat(Long.parseLong(last.replaceAll("\\D*(\\d+).*", "$1")));
        for (long pid : ranks) { // before any check fails
            RunningJob.signal("KILL", pid);
        }
        job.finish();
        assertTrue(out.stream().anyMatch(line -> line.matches(".* commands +command_bytes.*")),
                byRank::describe);
        assertTrue(last.matches("delegatee \\d+ serves, commands [1-9]\\d*, bytes [1-9].*,"
                + " connections 1, registered_bytes [1-9]\\d*"), byRank::describe);
        assertTrue(byDelegatee.out().stream().anyMatch(line -> line.startsWith("delegatee ")),
                byDelegatee::describe);
    }
}
