// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.PvasSpawnerMain;
import io.hayate.conformance.RunningJob;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests separate JVMs that spawn tasks, under -Xcheck:jni. */
@Timeout(300)
class PvasLoadIT {
    private static final int TASKS = 8;

    private static Launch spawner(String... arguments) {
        PvasTasks.create().close(); // or this is skipped
        return Launch.of(PvasSpawnerMain.class, arguments).ranks(0).jvm("-Xmx128m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseSerialGC", "-XX:+UseG1GC"})
    void should_spawn_while_the_collector_runs(String collector) throws Exception {
        Outcome outcome = spawner("load", "200").jvm(collector).run().good();
        assertEquals(List.of("GOOD 200"), outcome.out().stream()
                .filter(line -> line.startsWith("GOOD")).toList(), outcome::describe);
    }

    private static void awaitGone(List<Long> pids) throws InterruptedException {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!pids.stream().allMatch(PvasTasks::isGone)) {
            assertTrue(System.nanoTime() < end, "tasks are still there");
            Thread.sleep(10);
        }
    }

    @Test
    void should_leave_no_task_when_the_spawner_is_killed() throws Exception {
        RunningJob job = spawner("sleep", Integer.toString(TASKS)).start();
        List<Long> pids = job.await("^TASK (\\d+)", TASKS).stream().map(Long::valueOf).toList();
        RunningJob.signal("KILL", job.pid());
        awaitGone(pids);
        job.finish();
    }

    @Test
    void should_end_tasks_with_the_spawner() throws Exception {
        RunningJob job = spawner("exit", Integer.toString(TASKS)).start();
        List<Long> pids = job.await("^TASK (\\d+)", TASKS).stream().map(Long::valueOf).toList();
        assertEquals(0, job.finish().good().exit());
        awaitGone(pids);
    }

    @ParameterizedTest(name = "should_survive_any_order_of_calls, seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void should_survive_any_order_of_calls(long seed) throws Exception {
        Outcome outcome = spawner("chaos", Long.toString(seed)).run().good();
        assertEquals(1, outcome.out().stream().filter(line -> line.startsWith("SURVIVED "))
                .count(), outcome::describe);
    }
}
