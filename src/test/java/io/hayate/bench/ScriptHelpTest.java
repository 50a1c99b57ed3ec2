// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each script does when it is asked for help, or called wrongly: it says how it is called, and
 * touches nothing. The scripts run in a copy of the checkout, where nothing can be built.
 */
final class ScriptHelpTest {
    /** What these do not know goes to Maven, to the example, to JMH. */
    private static final Set<String> PASS_ON = Set.of("scripts/build.sh", "scripts/demo.sh",
            "scripts/bench/jmh.sh", "scripts/lab/docker-check.sh");

    @TempDir
    Path checkout;

    static Stream<String> scripts() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("scripts"))) {
            return files.filter(file -> Files.isExecutable(file) && file.toString().endsWith(".sh"))
                    .map(Path::toString).filter(file -> !file.startsWith("scripts/lib"))
                    .sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void should_say_how_it_is_called_and_touch_nothing(String script) throws Exception {
        copy();
        var before = state();
        for (String help : List.of("--help", "-h")) {
            String text = run(0, script, help);
            assertTrue(text.toLowerCase().contains("usage:"), text);
            assertEquals(before, state());
        }
        if (!PASS_ON.contains(script)) {
            String text = run(2, script, "--no-such-option");
            assertTrue(text.toLowerCase().contains("usage:"), text);
            assertEquals(before, state());
        }
    }

    private void copy() throws Exception {
        Process copy = new ProcessBuilder("cp", "-r", "--parents", "scripts", "src/bench", "docs",
                "Dockerfile", "src/main/resources/io/hayate/testcontainers", "pom.xml",
                checkout.toString()).inheritIO().start();
        assertEquals(0, copy.waitFor());
        Files.createDirectories(checkout.resolve("target"));
        Files.writeString(checkout.resolve("target/built"), "before");
        Path programs = Files.createDirectory(checkout.resolve("programs"));
        for (String name : List.of("mvn", "apt-get", "docker", "make", "java")) {
            Path program = programs.resolve(name);
            Files.writeString(program, "#!/bin/sh\nexit 1\n");
            program.toFile().setExecutable(true);
        }
    }

    private TreeMap<String, Long> state() throws IOException {
        var state = new TreeMap<String, Long>();
        try (Stream<Path> files = Files.walk(checkout)) {
            for (Path file : files.toList()) {
                state.put(checkout.relativize(file).toString(),
                        Files.getLastModifiedTime(file).toMillis());
            }
        }
        return state;
    }

    private String run(int code, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).directory(checkout.toFile())
                .redirectErrorStream(true);
        builder.environment().merge("PATH", checkout.resolve("programs").toString(),
                (path, ours) -> ours + ":" + path);
        Process process = builder.start();
        process.getOutputStream().close();
        boolean ended = process.waitFor(120, TimeUnit.SECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertTrue(ended, String.join(" ", command) + " has begun to work");
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(code, process.exitValue(), text);
        return text;
    }
}
