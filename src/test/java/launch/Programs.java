// SPDX-License-Identifier: Apache-2.0
package launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hayate.conformance.Launch;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Programs for MPI, compiled in a folder against jars of hayate-mpi, and started from there. They
 * are on no class path of these tests: of package mpi that has the classes, not the jars.
 */
final class Programs {
    private static final Path SOURCES = Path.of("src/test/resources/mpi/programs");
    private static final Path BUILD = Path.of(Launch.launcher()).toAbsolutePath().getParent();
    private static final int SECONDS = 120;

    private final Path folder;

    /** What a command has printed, and its exit code. */
    record Said(int code, String out, String err) {
        Said good(String expected) {
            assertEquals("", err);
            assertEquals(expected, out);
            assertEquals(0, code);
            return this;
        }
    }

    Programs(Path folder) {
        this.folder = folder;
    }

    /** A jar of this build: "hayate-mpi", "-mpijava" is hayate-mpi-VERSION-mpijava.jar. */
    static Path jar(String name, String classifier) throws IOException {
        String pattern = name + "-[0-9][^-]*" + classifier + "\\.jar";
        try (var files = Files.list(BUILD)) {
            Path jar = files.filter(file -> file.getFileName().toString().matches(pattern))
                    .findFirst().orElse(null);
            assumeTrue(jar != null, "not built: " + pattern + " in " + BUILD);
            return jar;
        }
    }

    /** Compiles a source of the test resources into a folder below this one. */
    String compile(String into, Path jar, String... names) throws IOException {
        List<String> files = new ArrayList<>();
        for (String name : names) {
            files.add(SOURCES.resolve(name).toString());
        }
        return compile(into, jar.toString(), files);
    }

    /** Compiles a text into a folder below this one. */
    String compileText(String into, String name, String text) throws IOException {
        Path file = folder.resolve("sources").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return compile(into, "", List.of(file.toString()));
    }

    private String compile(String into, String jar, List<String> files) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assumeTrue(compiler != null, "this JVM is of a JRE, without a compiler");
        StringWriter said = new StringWriter();
        List<String> options = List.of("-d", folder.resolve(into).toString(), "-proc:none",
                "-classpath", jar + ":" + folder.resolve(into), "-Xlint:all", "--release", "17");
        boolean compiled;
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            compiled = compiler.getTask(said, manager, null, options, null,
                    manager.getJavaFileObjectsFromStrings(files)).call();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        assertEquals(said.toString().isEmpty(), compiled, said.toString());
        return said.toString();
    }

    /** A jar of a folder below this one, with a main class. */
    void pack(String name, String from, String main) {
        var tool = java.util.spi.ToolProvider.findFirst("jar");
        assumeTrue(tool.isPresent(), "this JVM is of a JRE");
        assertEquals(0, tool.get().run(System.out, System.err, "--create", "--file",
                folder.resolve(name).toString(), "--main-class", main, "-C",
                folder.resolve(from).toString(), "."));
    }

    /** Runs ranks: "java" is that of these tests. */
    Said run(List<String> options, String... command) throws Exception {
        List<String> words = new ArrayList<>(List.of(Launch.launcher()));
        words.set(0, Path.of(words.get(0)).toAbsolutePath().toString());
        words.addAll(options);
        words.add("--");
        words.addAll(List.of(command));
        return start(Map.of(), words);
    }

    Said start(Map<String, String> environment, List<String> words) throws Exception {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile())
                .redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HAYATE_"));
        builder.environment().put("PATH", Path.of(System.getProperty("java.home"), "bin") + ":"
                + System.getenv("PATH"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        assertTrue(ended, () -> words + " does not end");
        return new Said(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
