// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.internal.PrivateDirectory;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The virtual machine, its temporary directory and the launcher. */
final class JavaChecks {
    /** From here on a virtual machine warns of native access that was not allowed by an option. */
    private static final int ASKS_FOR_NATIVE_ACCESS = 24;

    private JavaChecks() {
    }

    static List<Finding> all() {
        return List.of(nativeAccess(Runtime.version().feature(), isNativeAccessEnabled()),
                temporary(Path.of(System.getProperty("java.io.tmpdir"))), launcher());
    }

    static Finding nativeAccess(int feature, boolean enabled) {
        String found = "JDK " + feature;
        if (feature < ASKS_FOR_NATIVE_ACCESS) {
            return Finding.ok("java", found + ": native access needs no option");
        }
        return enabled ? Finding.ok("java", found + ": native access is allowed")
                : Finding.warn("java", found + ": native access is not allowed by an option; the"
                        + " virtual machine warns, and will refuse it one day",
                        "java --enable-native-access=ALL-UNNAMED (io.hayate,com.sun.jna on a"
                        + " module path)");
    }

    /** Module.isNativeAccessEnabled() came with JDK 22. */
    private static boolean isNativeAccessEnabled() {
        try {
            Method method = Module.class.getMethod("isNativeAccessEnabled");
            return (Boolean) method.invoke(JavaChecks.class.getModule());
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    /** The library falls back to other places, so that this alone is no problem. */
    static Finding temporary(Path directory) {
        return PrivateDirectory.fault(directory)
                .map(fault -> Finding.warn("temp", directory + " cannot be used: " + fault,
                        "set -Djava.io.tmpdir to a directory that can be written, that is not"
                        + " mounted noexec, and in which other users cannot rename files; Hayate"
                        + " tries others meanwhile"))
                .orElseGet(() -> Finding.ok("temp",
                        directory + " can be written, and programs may run from it"));
    }

    private static Finding launcher() {
        return Launcher.isPresent() ? Finding.ok("launcher", Launcher.describe())
                : Finding.problem("launcher",
                        "hayate-run is not to be found or not executable: " + Launcher.describe(),
                        "build with scripts/build.sh, or set HAYATE_RUN to it");
    }
}
