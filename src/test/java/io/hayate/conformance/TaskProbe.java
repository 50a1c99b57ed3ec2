// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/**
 * Finds out without the library whether this machine supports tasks: if it does, a refusal by the
 * library is a failure.
 */
public final class TaskProbe {
    private static final Path ACTIONS = Path.of("/proc/sys/kernel/seccomp/actions_avail");
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");
    /** The oldest Linux that they run on, hayate-pvas(7): 5.16. */
    private static final int MAJOR = 5;
    private static final int MINOR = 16;

    /** Skips the test, with the reason, where there are none. */
    public static void need() {
        String reason = reason(System.getProperty("os.arch"), System.getProperty("os.version"),
                filters());
        Assumptions.assumeTrue(reason == null, () -> reason);
    }

    private static String filters() {
        try {
            return Files.readString(ACTIONS);
        } catch (IOException none) {
            return "";
        }
    }

    /** Why there are none; null: there are. */
    static String reason(String machine, String kernel, String filters) {
        if (!machine.equals("amd64")) {
            return "there are no tasks on " + machine;
        }
        Matcher version = VERSION.matcher(kernel);
        if (!version.matches()) {
            return "the kernel does not tell its version";
        }
        int major = Integer.parseInt(version.group(1));
        int minor = Integer.parseInt(version.group(2));
        if (major < MAJOR || major == MAJOR && minor < MINOR) {
            return "tasks need Linux " + MAJOR + "." + MINOR + ", this is " + kernel;
        }
        return filters.contains("trap") ? null : "tasks need seccomp filters, there are none here";
    }
}
