// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.cli.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DoctorCommandTest {
    @Test
    void should_check_every_thing_and_exit_with_its_worst_level() {
        Command command = Command.run("doctor", "--json");
        List<String> checks = new ArrayList<>();
        boolean problem = false;
        for (String line : command.out().split("\n")) {
            JsonObject finding = JsonParser.parseString(line).getAsJsonObject();
            checks.add(finding.get("check").getAsString());
            problem |= finding.get("level").getAsString().equals("problem");
        }
        assertEquals(problem ? 1 : 0, command.code(), command.out());
        assertTrue(checks.containsAll(List.of("library", "java", "temp", "launcher", "memlock",
                "/dev/shm", "cma", "ptrace", "seccomp", "huge pages", "pid namespace", "cpus",
                "module",
                "network", "tasks", "task mappings", "hwloc")), checks.toString());
    }

    @Test
    void should_call_a_missing_library_and_launcher_problems() {
        Command command = Command.run(List.of("-Dhayate.library.path=/nowhere",
                "-Dhayate.run=/nowhere/hayate-run"), Map.of(), "doctor");
        assertEquals(1, command.code());
        assertTrue(command.out().contains("problem  library        -Dhayate.library.path=/nowhere"),
                command.out());
        assertTrue(command.out().contains("problem  launcher"), command.out());
    }
}
