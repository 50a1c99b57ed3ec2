// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.cli.Finding.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
        Finding finding = JavaChecks.temporary(root.resolve("absent"));
        assertEquals(Level.WARN, finding.level());
        assertTrue(finding.found().contains("NoSuchFileException"), finding.found());
    }

    @Test
    void shouldWarnOfATemporaryDirectoryInWhichOthersCanRenameFiles() throws Exception {
        assertEquals(Level.OK, JavaChecks.temporary(root).level());
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxrwxrwx"));
        Finding finding = JavaChecks.temporary(root);
        assertEquals(Level.WARN, finding.level());
        assertTrue(finding.found().contains("mode 0777 without sticky bit"), finding.found());
    }
}
