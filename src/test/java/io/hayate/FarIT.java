// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.BreakMain;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.RankMain;
import io.hayate.conformance.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the suite with peers that are not mapped, over the network of src/test/c/net/fault, which
 * delivers late, out of order, and breaks. The network is linked into a separate library; the
 * library of users does not contain it.
 */
@Tag("once")
class FarIT {
    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final Path LIBRARY = TARGET.resolve("fault/libhayate.so");

    @BeforeAll
    static void link() throws Exception {
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
        command.addAll(List.of("-o", LIBRARY.toString(), "-lpthread", "-ldl", "-lm"));
        assertEquals(0, run(command), "the library with the fault path cannot be linked");
    }

    private static int run(List<String> command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT).start().waitFor();
        } catch (IOException e) {
            return -1;
        }
    }

    private static Launch far(Launch launch, String plan) {
        return launch.environment("HAYATE_NET_LOCAL", "fault")
                .environment("HAYATE_TEST_FAULT", plan)
                .jvm("-XX:+UseSerialGC", "-Dhayate.library.path=" + LIBRARY);
    }

    private static Suite suite(int ranks, String plan, String rendezvous, String wait) {
        return new Suite(ranks + " ranks, " + plan + ", " + rendezvous, ranks,
                scenarios -> far(Launch.of(RankMain.class, scenarios), plan)
                        .options("--heap", "4G", "--grace", "1")
                        .environment("HAYATE_RENDEZVOUS", rendezvous)
                        .environment("HAYATE_WAIT", wait).limit(Duration.ofSeconds(480)));
    }

    /** All ranks far from each other; and of two nodes, some near and some far. */
    @TestFactory
    Stream<DynamicTest> farPeers() {
        return Suite.tests(Suite.sharing(suite(2, "seed=1,delay=40", "auto", "adaptive"),
                suite(3, "seed=2,delay=60", "pipeline", "block"),
                suite(4, "seed=3,delay=40,nodes=2", "auto", "adaptive")));
    }

    @ParameterizedTest(name = "should_tell_both_sides_when_operation {0} breaks the connection")
    @ValueSource(ints = {3, 40, 41, 42, 43, 44, 45, 500, 2000})
    void should_tell_both_sides_of_a_break(int operation) throws Exception {
        Outcome outcome = far(Launch.of(BreakMain.class).ranks(2),
                "delay=30,seed=" + operation + ",rank=" + operation % 2 + ",fail=" + operation)
                .run();
        List<String> told = outcome.out().stream().filter(line -> line.startsWith("FAILED "))
                .sorted().toList();
        assertEquals(0, outcome.exit(), outcome::describe);
        assertEquals(2, told.size(), outcome::describe);
        assertTrue(told.get(0).startsWith("FAILED 0 1 "), outcome::describe);
        assertTrue(told.get(1).startsWith("FAILED 1 0 "), outcome::describe);
        assertTrue(told.stream().anyMatch(line -> line.contains("connection")), outcome::describe);
    }
}
