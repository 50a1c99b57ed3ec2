// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.ProbeMain;
import io.hayate.conformance.RunningJob;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests jobs of several launchers whose ranks meet at a store. */
class StoreIT {
    @TempDir
    Path directory;
    private String secret;
    private String store;

    @BeforeAll
    static void build() {
        Launch.assumeBuilt();
    }

    @BeforeEach
    void open() throws IOException {
        Path file = Files.createFile(directory.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        secret = Files.writeString(file, "a secret of the tests\n").toString();
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            store = "127.0.0.1:" + any.getLocalPort();
        }
    }

    /** Two ranks of a node of two. */
    private Launch node(int number, String what) {
        return Launch.of(ProbeMain.class, what).ranks(2).unchecked()
                .limit(Duration.ofSeconds(120)).environment("HAYATE_HEAP", "64M")
                .options("--nodes", "2", "--node", "" + number, "--store", store, "--secret",
                        secret);
    }

    @Test
    void should_make_one_job_of_the_ranks_of_two_launchers() throws Exception {
        RunningJob second = node(1, "join").start();
        Outcome first = node(0, "join").run().good();
        List<String> all = Stream.of(first, second.finish().good())
                .flatMap(outcome -> outcome.out().stream()).sorted().toList();
        assertEquals(List.of("JOINED 0 of 4", "JOINED 1 of 4", "JOINED 2 of 4", "JOINED 3 of 4"),
                all);
    }

    @Test
    void should_communicate_and_leave_nothing_behind() throws Exception {
        RunningJob second = node(1, "quiet").start();
        Outcome first = node(0, "quiet").run().good();
        assertEquals(List.of(), first.left());
        assertEquals(List.of(), second.finish().good().left());
    }

    @Test
    void should_tell_who_is_missing_when_the_limit_is_over() throws Exception {
        Outcome outcome = node(0, "join").environment("HAYATE_STORE_LIMIT", "5s").run();
        String said = outcome.describe();
        assertTrue(said.contains("REFUSED LaunchException") && said.contains("limit of 5 s is over")
                && said.contains("of 4 ranks, these have not come: 2-3"), outcome::describe);
    }

    @Test
    void should_tell_all_that_a_rank_was_killed_while_they_joined() throws Exception {
        RunningJob job = node(0, "join").options("--grace", "20")
                .before("sh", "-c", "exec \"$@\" 2>&1", "sh").start();
        job.await("waits for these of 4 ranks: (2-3)$", 1); // in the log, after 10 s
        long victim = ProcessHandle.of(job.pid()).orElseThrow().children()
                .filter(child -> environment(child).contains("HAYATE_RANK=1")).findFirst()
                .orElseThrow().pid();
        RunningJob.signal("KILL", victim);
        Outcome outcome = job.finish();
        assertTrue(outcome.describe().contains("rank 1 (process " + victim), outcome::describe);
        assertTrue(outcome.describe().contains("ended, or its connection was lost"),
                outcome::describe);
        assertTrue(outcome.elapsed().toSeconds() < 60, outcome::describe);
    }

    @Test
    void should_end_with_the_code_of_the_rank_that_aborts() throws Exception {
        Outcome outcome = Launch.of(ProbeMain.class, "abort").ranks(2).unchecked()
                .limit(Duration.ofSeconds(120)).environment("HAYATE_HEAP", "64M")
                .options("--nodes", "1", "--node", "0", "--store", store, "--secret", secret)
                .run();
        assertEquals(7, outcome.exit(), outcome::describe);
    }

    private static List<String> environment(ProcessHandle process) {
        try {
            return List.of(Files.readString(Path.of("/proc/" + process.pid() + "/environ"))
                    .split("\0"));
        } catch (IOException e) {
            return List.of();
        }
    }

    @Test
    void should_refuse_a_store_under_a_launcher() throws Exception {
        Outcome outcome = Launch.of(ProbeMain.class, "join").ranks(2)
                .environment("HAYATE_STORE", store).unchecked().run();
        assertTrue(outcome.describe().contains("HAYATE_STORE is set, but hayate run has started"),
                outcome::describe);
    }

    @Test
    void should_not_run_alone_without_a_rank_or_a_secret() throws Exception {
        Launch alone = Launch.of(ProbeMain.class, "join").ranks(0).unchecked()
                .environment("HAYATE_STORE", store);
        assertTrue(alone.run().describe().contains("HAYATE_SIZE is not set"));
        alone.environment("HAYATE_SIZE", "2").environment("HAYATE_RANK", "0");
        assertTrue(alone.run().describe().contains("HAYATE_STORE_SECRET is not set"));
    }
}
