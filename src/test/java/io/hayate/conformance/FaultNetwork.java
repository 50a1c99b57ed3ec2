// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The network of src/test/c/net/fault between the ranks of a job, which delivers late, out of
 * order, and breaks. It is linked into a separate library; the library of users does not contain
 * it.
 */
public final class FaultNetwork {
    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final Path LIBRARY = TARGET.resolve("fault/libhayate.so");

    private FaultNetwork() {
    }

    /** Links the library; skips the tests of a class where that is not possible. */
    public static void link() throws IOException, InterruptedException {
        Path objects = TARGET.resolve("objs");
        Assumptions.assumeTrue(Files.isDirectory(objects), "no object files of the library");
        Assumptions.assumeTrue(run(List.of("gcc", "--version")) == 0, "no gcc");
        Files.createDirectories(LIBRARY.getParent());
        List<String> command = new ArrayList<>(List.of("gcc", "-std=gnu11", "-D_GNU_SOURCE=", "-O2",
                "-g", "-fvisibility=hidden", "-fPIC", "-shared", "-Isrc/main/c",
                "-Isrc/main/c/include", "-Isrc/test/c",
                "-Wl,--version-script=src/main/c/exports.map", "-Wl,-z,nodelete",
                "src/test/c/net/fault/fault_wall.c", "src/test/c/net/fault/fault_path.c",
                "src/test/c/net/fault/fault_job.c"));
        try (Stream<Path> files = Files.walk(objects)) {
            files.filter(file -> file.toString().endsWith(".o")).sorted()
                    .forEach(file -> command.add(file.toString()));
        }
        Path linked = Files.createTempFile(LIBRARY.getParent(), "libhayate", ".so");
        command.addAll(List.of("-o", linked.toString(), "-lpthread", "-ldl", "-lm"));
        assertEquals(0, run(command), "the library with the fault path cannot be linked");
        // Another JVM of the tests may be using it.
        Files.move(linked, LIBRARY, StandardCopyOption.ATOMIC_MOVE);
    }

    private static int run(List<String> command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT).start().waitFor();
        } catch (IOException e) {
            return -1;
        }
    }

    /** A job whose ranks are not mapped, and the plan of what the network does. */
    public static Launch on(Launch launch, String plan) {
        return launch.environment("HAYATE_NET_LOCAL", "fault")
                .environment("HAYATE_TEST_FAULT", plan)
                .jvm("-XX:+UseSerialGC", "-Dhayate.library.path=" + LIBRARY);
    }
}
