// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.cli.Main;
import io.hayate.conformance.DeadlockMain;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.RunningJob;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a deadlock of processes tells, in the log and in {@code hayate stat --waits}. */
class WatchdogIT {
    private static final String CYCLE = "deadlock: rank 0 -> rank 1 -> rank 2 -> rank 0";

    @Test
    void should_name_a_deadlock_of_processes() throws Exception {
        RunningJob job = Launch.of(DeadlockMain.class).ranks(3).unchecked()
                .environment("HAYATE_WATCHDOG", "1s")
                .program("sh", "-c", "exec \"$0\" \"$@\" 2>&1").start();
        String receive = "watchdog: (rank \\d, .*, receive with .*)"; // before, some wait in init
        List<String> waits = job.await(receive, 3);
        List<String> cycles = job.await("watchdog: (deadlock: .*)", 1);
        Outcome stat = Launch.of(Main.class, "stat", Long.toString(job.pid()), "--waits").ranks(0)
                .unchecked().run();
        RunningJob.signal("TERM", job.pid());
        job.finish();
        assertEquals(List.of(CYCLE), cycles);
        for (int rank = 0; rank < 3; rank++) {
            String told = "waits for rank " + (rank + 1) % 3 + ", receive with mai 0, 8000 bytes";
            String begin = "rank " + rank + ", thread ";
            assertTrue(waits.stream().anyMatch(line -> line.startsWith(begin)
                    && line.contains(told)), () -> String.join("\n", waits));
            assertTrue(stat.out().stream().anyMatch(line -> line.startsWith(begin)
                    && line.contains(told)), stat::describe);
        }
        assertTrue(stat.out().contains(CYCLE), stat::describe);
    }
}
