// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmScriptIT {
    @TempDir
    private Path folder;

    private int script(String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("scripts/lab/slurm.sh").inheritIO();
        builder.command().addAll(List.of(arguments));
        builder.environment().put("TMPDIR", folder.toString());
        return builder.start().waitFor();
    }

    private Path leftBy(long pid) throws Exception {
        Path left = Files.createDirectory(folder.resolve("hayate-slurm-" + pid + "-left"));
        return Files.writeString(left.resolve("slurm.conf"), "");
    }

    @Test
    void should_remove_what_a_killed_script_has_left() throws Exception {
        assumeTrue(script("--probe") == 0, "no Slurm");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Path stale = leftBy(ended.pid());
        Path used = leftBy(ProcessHandle.current().pid());
        assertEquals(0, script("--nodes", "1", "true"));
        assertFalse(Files.exists(stale.getParent()));
        assertTrue(Files.exists(used));
    }
}
