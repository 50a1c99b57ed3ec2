// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.cli.command.CommandFailure;
import io.hayate.cli.doctor.Finding.Level;
import io.hayate.cli.observe.FlightFiles;
import io.hayate.cli.run.Launcher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaChecksTest {
    /** As with an umlaut where LC_ALL=C says that names are ASCII. */
    @Test
    void should_name_what_is_no_path() {
        String launcher = System.getProperty(Launcher.PROPERTY, "");
        System.setProperty(Launcher.PROPERTY, "/no\0path");
        try {
            Finding last = JavaChecks.all().get(2);
            assertEquals(Level.PROBLEM, last.level());
            assertTrue(last.toString().contains("/no\0path"), last.toString());
        } finally {
            System.setProperty(Launcher.PROPERTY, launcher);
        }
        assertEquals(Level.WARN, JavaChecks.temporary("no\0path").level());
        assertThrows(CommandFailure.class, () -> FlightFiles.of("no\0path"));
    }

    @TempDir
    private Path root;

    @Test
    void should_want_the_native_access_option_from_jdk24_on() {
        assertEquals(Level.OK, JavaChecks.nativeAccess(17, false).level());
        assertEquals(Level.OK, JavaChecks.nativeAccess(25, true).level());
        Finding finding = JavaChecks.nativeAccess(25, false);
        assertEquals(Level.WARN, finding.level());
        assertTrue(finding.advice().contains("--enable-native-access"));
    }

    @Test
    void should_warn_of_a_temporary_directory_that_is_not_there() {
        Finding finding = JavaChecks.temporary(root.resolve("absent").toString());
        assertEquals(Level.WARN, finding.level());
        assertTrue(finding.found().contains("NoSuchFileException"), finding.found());
    }

    @Test
    void should_warn_of_a_temporary_directory_in_which_others_can_rename_files() throws Exception {
        assertEquals(Level.OK, JavaChecks.temporary(root.toString()).level());
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxrwxrwx"));
        Finding finding = JavaChecks.temporary(root.toString());
        assertEquals(Level.WARN, finding.level());
        assertTrue(finding.found().contains("mode 0777 without sticky bit"), finding.found());
    }
}
