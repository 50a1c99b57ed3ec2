// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.PvasTasks;
import io.hayate.conformance.FaultNetwork;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Level;
import io.hayate.conformance.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs by chance over the package mpi, checked against MPI's rules, and over Open MPI. A
 * failure says how to run its round alone; HAYATE_TEST_SEED is another seed.
 */
class RandomProgramIT {
    private static final String SOME = "3000";
    private static final String MANY = "100000";

    private static String seed() {
        String given = System.getenv("HAYATE_TEST_SEED");
        return given != null ? given
                : Long.toString(Level.isLong() ? System.currentTimeMillis() / 1000 : 1);
    }

    private static Launch launch(int ranks, String seed, String operations) {
        return Launch.of(RandomProgram.class, seed, operations).ranks(ranks)
                .limit(Duration.ofSeconds(900));
    }

    private static Outcome done(Launch launch) throws Exception {
        Outcome outcome = launch.run();
        List<String> done = lines(outcome, "DONE ");
        assertEquals(1, done.size(), outcome::describe);
        System.out.println(done.get(0) + " in " + outcome.elapsed().toMillis() + " ms");
        return outcome;
    }

    private static List<String> lines(Outcome outcome, String begin) {
        return outcome.out().stream().filter(line -> line.startsWith(begin)).sorted().toList();
    }

    @ParameterizedTest
    @CsvSource({"1, adaptive, auto, 4096", "2, adaptive, auto, 4096", "3, block, cma, 56",
        "4, adaptive, pipeline, 4096"})
    void should_match_messages_as_the_rules_say(int ranks, String wait, String way, String limit)
            throws Exception {
        done(shared(launch(ranks, seed(), SOME), wait, way, limit)).good();
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"2, adaptive, auto, 4096", "3, block, cma, 56", "4, adaptive, pipeline, 4096"})
    void should_match_many_messages_as_the_rules_say(int ranks, String wait, String way,
            String limit) throws Exception {
        done(shared(launch(ranks, seed(), MANY), wait, way, limit)).good();
    }

    private static Launch shared(Launch launch, String wait, String way, String limit) {
        return launch.environment("HAYATE_WAIT", wait).environment("HAYATE_RENDEZVOUS", way)
                .environment("HAYATE_EAGER_LIMIT", limit);
    }

    /** All ranks far from each other; and of two nodes. */
    @Tag("once")
    @ParameterizedTest
    @CsvSource({"3, 'seed=1,delay=50', " + SOME, "4, 'seed=2,delay=50,nodes=2', " + SOME})
    void should_match_messages_between_nodes(int ranks, String plan, String operations)
            throws Exception {
        FaultNetwork.link();
        done(FaultNetwork.on(launch(ranks, seed(), operations), plan)
                .environment("HAYATE_HEAP", "128M")).good();
    }

    @Tag("once")
    @Tag("long")
    @ParameterizedTest
    @CsvSource({"3, 'seed=3,delay=50', " + MANY, "4, 'seed=4,delay=50,nodes=2', " + MANY})
    void should_match_many_messages_between_nodes(int ranks, String plan, String operations)
            throws Exception {
        should_match_messages_between_nodes(ranks, plan, operations);
    }

    @Test
    void should_match_messages_between_tasks() throws Exception {
        PvasTasks.create().close();
        done(launch(3, seed(), SOME).options("--pvas")).good();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void should_get_what_open_mpi_gets(int ranks, @TempDir Path folder) throws Exception {
        compare(ranks, SOME, folder);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void should_get_what_open_mpi_gets_of_many(int ranks, @TempDir Path folder)
            throws Exception {
        compare(ranks, MANY, folder);
    }

    private static void compare(int ranks, String operations, Path folder) throws Exception {
        String seed = seed();
        Path theirs = Files.createDirectory(folder.resolve("theirs"));
        Path ours = Files.createDirectory(folder.resolve("ours"));
        Outcome outcome = done(OpenMpiJava.launch(launch(ranks, seed, operations)
                .jvm("-Ddigests=" + theirs)));
        assertEquals(0, outcome.exit(), outcome::describe);
        done(launch(ranks, seed, operations).jvm("-Ddigests=" + ours)).good();
        for (int rank = 0; rank < ranks; rank++) {
            List<String> digests = Files.readAllLines(ours.resolve("" + rank));
            assertTrue(digests.size() >= 2, digests::toString);
            assertIterableEquals(Files.readAllLines(theirs.resolve("" + rank)), digests,
                    "seed " + seed);
        }
    }
}
