// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hayate.conformance.TeamMain;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests ranks that are threads, under the thread limit of the system. */
class TeamIT {
    /** For a virtual machine, and some of the ranks. */
    private static final int THREADS = 100;
    private static final int RANKS = 400;
    /** Somebody who runs nothing else: the limit is one of all that a user runs. */
    private static final int USER = 54_321;
    private static final int LIMIT_SECONDS = 180;

    @TempDir private Path directory;

    /** The limit does not hold for root, and only root can become somebody else. */
    private static void needOtherUsers() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can be others");
        for (String tool : new String[] {"setpriv", "prlimit"}) {
            boolean there = Stream.of(System.getenv("PATH").split(":"))
                    .anyMatch(bin -> Files.isExecutable(Path.of(bin, tool)));
            assumeTrue(there, () -> "there is no " + tool);
        }
    }

    /** Where that user can read it: the directories, and the jars of this program and of JNA. */
    private String readableClassPath() throws IOException {
        List<String> copies = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path from = Path.of(entry);
            String name = from.getFileName().toString();
            if (Files.isDirectory(from) || name.startsWith("hayate") || name.startsWith("jna")) {
                Path to = directory.resolve(copies.size() + "-" + name);
                copy(from, to);
                copies.add(to.toString());
            }
        }
        return String.join(File.pathSeparator, copies);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.copy(file, copy);
                Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString(
                        Files.isDirectory(file) ? "rwxr-xr-x" : "rw-r--r--"));
            }
        }
    }

    private ProcessBuilder limited() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        ProcessBuilder builder = new ProcessBuilder("prlimit", "--nproc=" + THREADS, "setpriv",
                "--reuid=" + USER, "--regid=" + USER, "--clear-groups",
                System.getProperty("java.home") + "/bin/java", "-Xmx64m", "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + directory, "-cp", readableClassPath(),
                TeamMain.class.getName(), Integer.toString(RANKS));
        builder.environment().keySet().removeIf(name -> name.startsWith("HAYATE_"));
        builder.environment().put("HAYATE_HEAP", "64K");
        return builder.directory(directory.toFile()).redirectErrorStream(true);
    }

    @Test
    @Timeout(value = 2 * LIMIT_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void should_fail_with_the_reason_where_threads_are_limited() throws Exception {
        needOtherUsers();
        Path said = directory.resolve("said");
        Process program = limited().redirectOutput(said.toFile()).start();
        boolean ended = program.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        program.destroyForcibly().waitFor();
        String text = Files.readString(said, StandardCharsets.UTF_8);
        assertTrue(ended, () -> "it hangs: " + text);
        assertEquals(0, program.exitValue(), text);
        assertTrue(text.contains("REFUSED -10 java.lang.OutOfMemoryError: the thread of rank "),
                text);
        assertTrue(text.contains(" of " + RANKS + " could not be started"), text);
        assertTrue(text.contains("THEN 4"), text);
    }
}
