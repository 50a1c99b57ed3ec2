// SPDX-License-Identifier: Apache-2.0
package io.hayate.testcontainers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a job says of itself when its launcher, or a node, cannot be asked. */
@Timeout(60)
class ClusterJobTest {
    @Test
    void should_describe_a_job_whose_launcher_failed() throws InterruptedException {
        ClusterJob job = new ClusterJob(() -> {
            throw new IllegalStateException("no engine");
        }, Collections.singletonList(null), "/nowhere");
        while (!job.hasEnded()) {
            Thread.sleep(1);
        }
        String text = job.toString();
        assertTrue(text.contains("the launcher failed") && text.contains("no engine"), text);
        assertTrue(text.contains("[0] its output cannot be read"), text);
        assertThrows(IllegalStateException.class, job::exit);
    }

    @Test
    void should_describe_a_job_that_runs() throws InterruptedException {
        Object hold = new Object();
        synchronized (hold) {
            ClusterJob job = new ClusterJob(() -> {
                synchronized (hold) {
                    return null;
                }
            }, List.of(), "/nowhere");
            assertEquals("running", job.toString());
        }
    }
}
