// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TaskProbeTest {
    private static final String FILTERS = "kill_process kill_thread trap errno log allow\n";

    private static void impossible(String part, String machine, String kernel, String filters) {
        String reason = TaskProbe.reason(machine, kernel, filters);
        assertTrue(reason != null && reason.contains(part), reason);
    }

    @Test
    void should_find_tasks_possible_from_linux_5_16_on() {
        for (String kernel : new String[] {"5.16.0", "5.16", "5.19.0-46-generic", "6.1.0-13-amd64",
            "10.0.1"}) {
            assertNull(TaskProbe.reason("amd64", kernel, FILTERS), kernel);
        }
        for (String kernel : new String[] {"5.15.0-91-generic", "5.4.0", "4.19.0", "3.10.0-1160"}) {
            impossible("need Linux 5.16, this is " + kernel, "amd64", kernel, FILTERS);
        }
    }

    @Test
    void should_say_what_else_is_missing() {
        impossible("aarch64", "aarch64", "6.1.0", FILTERS);
        impossible("version", "amd64", "unknown", FILTERS);
        impossible("seccomp", "amd64", "6.1.0", "");
        impossible("seccomp", "amd64", "6.1.0", "kill_process errno allow");
    }
}
