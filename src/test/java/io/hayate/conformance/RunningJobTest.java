// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunningJobTest {
    private static Outcome hang(String traps) throws Exception {
        Path scratch = Files.createTempDirectory("hayate-job");
        ProcessBuilder builder = new ProcessBuilder("sh", "-c",
                "trap '' QUIT; " + traps + "; echo up; while :; do sleep 0.1; done");
        RunningJob job = new RunningJob(builder, scratch, Duration.ofSeconds(1));
        return job.finish();
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
