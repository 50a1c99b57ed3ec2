// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.RunningJob;
import io.hayate.conformance.TaskProbe;
import io.hayate.conformance.VictimMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what the remaining ranks learn, and how soon, when a rank dies, is stopped or leaves. */
class FailureIT {
    /** That is promised. The load of the machine may delay some of the ranks, but not most. */
    private static final long USUAL_MS = 1000;
    private static final long MOST_MS = 30_000;
    private static final List<Long> TOLD_AFTER_MS = new ArrayList<>();
    private static final int RANKS = 3;
    private static final int VICTIM = RANKS - 1;

    private static Launch launch(String operation, String act) {
        return Launch.of(VictimMain.class, operation, act).ranks(RANKS).jvm("-XX:+UseSerialGC");
    }

    /** Pids of all ranks, in their order. */
    private static List<Long> ready(RunningJob job) throws Exception {
        List<String> lines = new ArrayList<>(job.await("^READY (\\d+ \\d+)", RANKS));
        lines.sort(null);
        List<Long> pids = lines.stream().map(line -> Long.valueOf(line.split(" ")[1])).toList();
        Thread.sleep(200); // that they are inside of the operation; if not, it is no less correct
        return pids;
    }

    /** Every survivor named the victim within the time, which is printed. */
    private static void assertTold(Outcome outcome, String what, long since, int survivors) {
        List<String[]> told = outcome.out().stream().filter(line -> line.startsWith("FAILED "))
                .map(line -> line.split(" ")).toList();
        assertEquals(survivors, told.size(), outcome::describe);
        long last = 0;
        for (String[] words : told) {
            assertEquals(VICTIM, Integer.parseInt(words[2]), outcome::describe);
            last = Math.max(last, Long.parseLong(words[3]) - since);
        }
        System.out.println(what + ": told after " + last / 1_000_000 + " ms");
        TOLD_AFTER_MS.add(last / 1_000_000);
        assertTrue(last / 1_000_000 <= MOST_MS, "told after " + last / 1_000_000 + " ms");
    }

    @AfterAll
    static void mostAreToldSoon() {
        TOLD_AFTER_MS.sort(null);
        long median = TOLD_AFTER_MS.isEmpty() ? 0 : TOLD_AFTER_MS.get(TOLD_AFTER_MS.size() / 2);
        assertTrue(median <= USUAL_MS, "told after, in ms: " + TOLD_AFTER_MS);
    }

    @Tag("once")
    @ParameterizedTest(name = "should_name_a_rank_killed_during {0}, {1}, {2}")
    @CsvSource({"recv, sleep, auto", "limited recv, sleep, auto", "probe, sleep, auto",
        "any source, sleep, auto", "irecv, sleep, auto", "waitAny, sleep, auto",
        "send, sleep, cma", "send, sleep, pipeline", "array, sleep, auto", "sends, stream, cma",
        "sends, stream, pipeline", "small sends, sleep, auto", "allreduce, sleep, auto",
        "bcast, sleep, auto", "barrier, sleep, auto", "init, sleep, auto", "create, sleep, auto",
        "split, sleep, auto", "ompl wait, sleep, auto", "ompl tasks, sleep, auto",
        "blacs sum, sleep, auto", "blacs receive, sleep, auto", "blacs bcast, sleep, auto",
        "persistent allreduce, sleep, auto", "persistent bcast, sleep, auto",
        "persistent bcast, sleep, pipeline", "persistent alltoall, sleep, auto",
        "persistent barrier, sleep, auto", "persistent allreduce progress=thread, sleep, auto",
        "persistent barrier progress=thread, sleep, auto",
        "persistent bcast progress=caller, sleep, auto"})
    void should_name_a_rank_killed_during(String operation, String act, String rendezvous)
            throws Exception {
        assertKillIsTold(launch(operation, act), operation, rendezvous);
    }

    private static void assertKillIsTold(Launch launch, String operation, String rendezvous)
            throws Exception {
        RunningJob job = launch.environment("HAYATE_RENDEZVOUS", rendezvous).start();
        long victim = ready(job).get(VICTIM);
        long now = System.nanoTime();
        RunningJob.signal("KILL", victim);
        Outcome outcome = job.finish();
        assertTold(outcome, operation + ", " + rendezvous, now, VICTIM);
        assertEquals(137, outcome.exit(), outcome::describe);
        assertReported(outcome, "rank 2 (pid " + victim + ") was killed by signal 9");
        assertEquals(List.of(), outcome.faults());
    }

    /**
     * The survivors read and write memory that was the victim's, which stays where it is. Tasks
     * they are although programs are between that end in exec: direct is forced.
     */
    @Tag("once")
    @ParameterizedTest(name = "should_name_a_task_killed_during {0}, {1}, {2}")
    @CsvSource({"recv, sleep, auto", "send, sleep, direct", "sends, stream, direct",
        "sends, stream, pipeline", "small sends, sleep, auto", "allreduce, sleep, auto",
        "barrier, sleep, auto", "ompl wait, sleep, auto", "persistent allreduce, sleep, auto",
        "persistent barrier progress=thread, sleep, auto"})
    void should_name_a_task_killed_during(String operation, String act, String rendezvous)
            throws Exception {
        TaskProbe.need();
        assertKillIsTold(launch(operation, act).options("--pvas").unchecked()
                .program("sh", "-c", "exec env \"$@\"", "sh"), operation + " as tasks", rendezvous);
    }

    private static void assertReported(Outcome outcome, String text) {
        assertTrue(outcome.err().stream().anyMatch(line -> line.contains(text)), outcome::describe);
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "spin"})
    void should_name_a_killed_rank_however_the_others_wait(String wait) throws Exception {
        RunningJob job = launch("recv", "sleep").environment("HAYATE_WAIT", wait).start();
        long victim = ready(job).get(VICTIM);
        long now = System.nanoTime();
        RunningJob.signal("KILL", victim);
        assertTold(job.finish(), "recv, " + wait, now, VICTIM);
    }

    @Tag("once")
    @ParameterizedTest
    @ValueSource(strings = {"recv", "sends", "allreduce", "persistent allreduce"})
    void should_name_a_rank_that_is_stopped_for_too_long(String operation) throws Exception {
        RunningJob job = launch(operation, "sleep").options("--stop-timeout", "1").start();
        long victim = ready(job).get(VICTIM);
        long now = System.nanoTime();
        RunningJob.signal("STOP", victim);
        Outcome outcome = job.finish();
        assertTold(outcome, operation + ", stopped", now, VICTIM);
        assertEquals(1, outcome.exit(), outcome::describe);
        assertReported(outcome, "rank 2 (pid " + victim + ") has been stopped for longer than 1 s");
        assertFalse(isAlive(victim), "the stopped rank is still there");
    }

    @Test
    void should_go_on_when_a_rank_was_stopped_for_a_moment() throws Exception {
        RunningJob job = launch("sends", "stream").options("--stop-timeout", "5").start();
        long victim = ready(job).get(VICTIM);
        RunningJob.signal("STOP", victim);
        Thread.sleep(300);
        RunningJob.signal("CONT", victim);
        Thread.sleep(300);
        assertTrue(isAlive(job.pid()) && isAlive(victim), "the job did not go on");
        long now = System.nanoTime();
        RunningJob.signal("KILL", victim);
        assertTold(job.finish(), "after a moment's stop", now, VICTIM);
    }

    @ParameterizedTest
    @ValueSource(strings = {"recv", "barrier"})
    void should_end_all_ranks_when_the_launcher_is_killed(String operation) throws Exception {
        RunningJob job = launch(operation, "sleep").start();
        List<Long> pids = ready(job);
        long now = System.nanoTime();
        RunningJob.signal("KILL", job.pid());
        while (pids.stream().anyMatch(FailureIT::isAlive)) {
            assertTrue((System.nanoTime() - now) / 1_000_000 < MOST_MS, "ranks are still there");
            Thread.sleep(10);
        }
        System.out.println("launcher killed during " + operation + ": all ended after "
                + (System.nanoTime() - now) / 1_000_000 + " ms");
        job.finish();
    }

    /** When the victim did it. */
    private static long act(Outcome outcome) {
        return outcome.out().stream().filter(line -> line.startsWith("ACT "))
                .mapToLong(line -> Long.parseLong(line.substring(4))).findFirst().orElseThrow();
    }

    /** A zombie is not alive. */
    private static boolean isAlive(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return !stat.substring(stat.lastIndexOf(')')).startsWith(") Z");
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void should_pass_on_the_status_of_a_rank_that_exits() throws Exception {
        Outcome outcome = launch("recv", "exit").run();
        assertTold(outcome, "System.exit(3)", act(outcome), VICTIM);
        assertEquals(3, outcome.exit(), outcome::describe);
        assertReported(outcome, "exited with status 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--pvas"})
    void should_end_the_job_of_a_rank_that_aborts(String option) throws Exception {
        if (!option.isEmpty()) {
            TaskProbe.need();
        }
        Launch launch = launch("recv", "abort");
        Outcome outcome = (option.isEmpty() ? launch : launch.options(option)).run();
        assertEquals(5, outcome.exit(), outcome::describe);
        assertReported(outcome, "ends the job with code 5: the matrix is singular");
    }

    @ParameterizedTest
    @ValueSource(strings = {"recv", "allreduce", "persistent allreduce",
        "persistent bcast progress=thread"})
    void should_name_a_rank_that_has_left(String operation) throws Exception {
        Outcome outcome = launch(operation, "leave").run();
        assertTold(outcome, operation + ", left early", act(outcome), VICTIM);
        assertEquals(0, outcome.exit(), outcome::describe);
    }
}
