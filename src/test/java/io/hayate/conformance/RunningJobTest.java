// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunningJobTest {
    private static Outcome run(String script, int seconds, boolean checked) throws Exception {
        Path scratch = Files.createTempDirectory("hayate-job");
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script, scratch.toString());
        return new RunningJob(builder, scratch, Duration.ofSeconds(seconds), checked).finish();
    }

    private static Outcome hang(String traps) throws Exception {
        return run("trap '' QUIT; " + traps + "; echo up; while :; do sleep 0.1; done", 3, false);
    }

    /** Where the options of the virtual machine are lost nothing is checked. */
    @Test
    void should_miss_the_log_of_a_job_that_was_checked_and_ended_well() throws Exception {
        assertEquals(List.of("no virtual machine has kept a log of -Xcheck:jni"),
                run("exit 0", 60, true).left());
        assertEquals(List.of(), run("echo >$0/vm_1.log", 60, true).left());
        assertEquals(List.of(), run("exit 1", 60, true).left());
        assertEquals(List.of(), run("exit 0", 60, false).left());
    }

    @Test
    void should_let_a_job_that_hangs_clean_up() throws Exception {
        Outcome outcome = hang("trap 'echo cleaned; exit' TERM");
        assertEquals(Outcome.HUNG, outcome.exit());
        assertEquals(List.of("up", "cleaned"), outcome.out());
    }

    @Test
    void should_kill_a_job_that_does_not_end_when_asked() throws Exception {
        Outcome outcome = hang("trap '' TERM");
        assertEquals(Outcome.HUNG, outcome.exit());
        assertEquals(List.of("up"), outcome.out());
    }
}
