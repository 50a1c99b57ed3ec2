// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.cli.Finding.Level;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaChecksTest {
    @TempDir
    private Path root;

    @Test
    void shouldWantTheNativeAccessOptionFromJdk24On() {
        assertEquals(Level.OK, JavaChecks.nativeAccess(17, false).level());
        assertEquals(Level.OK, JavaChecks.nativeAccess(25, true).level());
        Finding finding = JavaChecks.nativeAccess(25, false);
        assertEquals(Level.WARN, finding.level());
        assertTrue(finding.advice().contains("--enable-native-access"));
    }

    @Test
    void shouldWarnOfATemporaryDirectoryThatIsNotThere() {
        Finding finding = new JavaChecks(new Machine(root)).temporary(root.resolve("absent"));
        assertEquals(Level.WARN, finding.level());
        assertTrue(finding.found().contains("cannot be written"));
    }

    @Test
    void shouldFollowTheInnermostMount() {
        Machine noexec = new TreeMachine(root).with("/proc/self/mounts", "/dev/root / ext4 rw 0 0\n"
                + "tmpfs " + root + " tmpfs rw,nosuid,noexec 0 0\n").machine();
        assertTrue(new JavaChecks(noexec).temporary(root).found().contains("noexec"));
        Machine exec = new TreeMachine(root).with("/proc/self/mounts",
                "/dev/root / ext4 rw,noexec 0 0\ntmpfs " + root + " tmpfs rw 0 0\n").machine();
        assertEquals(Level.OK, new JavaChecks(exec).temporary(root).level());
    }
}
