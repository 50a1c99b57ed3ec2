// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.cli.doctor.Finding.Level;
import io.hayate.cli.machine.TreeMachine;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskChecksTest {
    private static final String MAP_COUNT = "/proc/sys/vm/max_map_count";

    @TempDir
    private Path root;

    private TaskChecks with(String mapCount) {
        return new TaskChecks(new TreeMachine(root).with(MAP_COUNT, mapCount).machine());
    }

    @ParameterizedTest
    @CsvSource({"65530, 2, OK", "65530, 160, OK", "65530, 256, WARN", "1000, 2, WARN",
        "1200, 2, OK"})
    void should_want_mappings_for_a_jvm_on_each_cpu(long most, int cpus, Level level) {
        Finding finding = with(most + "\n").mappings(cpus);
        assertEquals(level, finding.level());
        assertTrue(finding.found().contains(" " + most + ":"), finding.found());
    }

    @Test
    void should_advise_a_number_that_is_enough() {
        Finding finding = with("65530\n").mappings(1000);
        String number = finding.advice().replaceAll("sysctl vm.max_map_count=([0-9]+),.*", "$1");
        assertEquals(Level.OK, with(number + "\n").mappings(1000).level(), finding.advice());
    }

    @Test
    void should_be_content_where_nobody_knows_the_limit() {
        assertEquals(Level.OK, new TaskChecks(new TreeMachine(root).machine()).mappings(4).level());
    }

    @Test
    void should_give_the_reason_why_there_can_be_no_tasks() {
        Finding none = with("65530\n").tasks(Optional.of("this is Linux 5.4"));
        assertEquals(Level.WARN, none.level());
        assertTrue(none.found().contains("this is Linux 5.4"));
        assertTrue(none.advice().contains("5.16"));
        assertEquals(Level.OK, with("65530\n").tasks(Optional.empty()).level());
    }
}
