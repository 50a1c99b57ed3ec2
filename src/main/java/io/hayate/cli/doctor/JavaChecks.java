// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import io.hayate.cli.command.CommandFailure;
import io.hayate.cli.run.Launcher;
import io.hayate.internal.natives.PrivateDirectory;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.List;

/** Checks of the JVM, its temporary directory and the launcher. */
final class JavaChecks {
    /** The first JDK that warns of native access that no option allows. */
    private static final int ASKS_FOR_NATIVE_ACCESS = 24;

    private JavaChecks() {
    }

    static List<Finding> all() {
        return List.of(nativeAccess(Runtime.version().feature(), isNativeAccessEnabled()),
                temporary(System.getProperty("java.io.tmpdir")), launcher());
    }

    static Finding nativeAccess(int feature, boolean enabled) {
        String found = "JDK " + feature;
        if (feature < ASKS_FOR_NATIVE_ACCESS) {
            return Finding.ok("java", found + ": native access needs no option");
        }
        return enabled ? Finding.ok("java", found + ": native access is allowed")
                : Finding.warn("java", found + ": no option allows native access; the JVM prints a"
                        + " warning, and future versions will refuse it",
                        "java --enable-native-access=ALL-UNNAMED (io.hayate,com.sun.jna on a"
                        + " module path)");
    }

    /** Module.isNativeAccessEnabled() exists since JDK 22. */
    private static boolean isNativeAccessEnabled() {
        try {
            Method method = Module.class.getMethod("isNativeAccessEnabled");
            return (Boolean) method.invoke(JavaChecks.class.getModule());
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    /** A warning only, because the library falls back to other directories. */
    static Finding temporary(String directory) {
        return PrivateDirectory.fault(directory)
                .map(fault -> Finding.warn("temp", directory + " cannot be used: " + fault,
                        "set -Djava.io.tmpdir to a writable directory that is not mounted noexec"
                                + " and in which other users cannot rename files; until then"
                                + " Hayate tries other directories"))
                .orElseGet(() -> Finding.ok("temp",
                        directory + " is writable, and programs may run from it"));
    }

    private static Finding launcher() {
        try {
            return found();
        } catch (CommandFailure e) {
            return Finding.problem("launcher", e.getMessage(), "set HAYATE_RUN to its path");
        }
    }

    private static Finding found() {
        return Launcher.isPresent() ? Finding.ok("launcher", Launcher.describe())
                : Finding.problem("launcher",
                        "hayate-run was not found or is not executable: " + Launcher.describe(),
                        "build it with scripts/build.sh, or set HAYATE_RUN to its path");
    }
}
