// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hayate.Hayate;
import io.hayate.conformance.Launch;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A rank on JDK 25, whose warnings of native code hayate run prevents. */
class NativeAccessIT {
    /** Joins and leaves. */
    static final class JoinMain {
        public static void main(String... arguments) {
            try (Hayate job = Hayate.init()) {
                job.rank();
            }
        }
    }

    private static Optional<Path> jdk25() throws IOException {
        String named = System.getenv("JAVA25_HOME");
        if (named != null) {
            return Optional.of(Path.of(named));
        }
        Path all = Path.of("/usr/lib/jvm");
        if (Files.isDirectory(all)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(all, "*25*")) {
                for (Path jdk : found) {
                    return Optional.of(jdk);
                }
            }
        }
        return Optional.empty();
    }

    @Test
    void should_let_a_rank_print_nothing() throws Exception {
        Optional<Path> jdk = jdk25();
        assumeTrue(jdk.isPresent(), "no JDK 25");
        Process job = new ProcessBuilder(Launch.launcher(), "-n", "2",
                jdk.get().resolve("bin/java").toString(), "-cp",
                System.getProperty("java.class.path"), JoinMain.class.getName())
                .redirectErrorStream(true).start();
        assertEquals("", new String(job.getInputStream().readAllBytes()));
        assertEquals(0, job.waitFor());
    }
}
