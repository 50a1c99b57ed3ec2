// SPDX-License-Identifier: Apache-2.0
package io.hayate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.docs.Document.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first program of the README, as a reader copies it and runs it. */
class FirstProgramIT {
    private static final Document README = Document.load(Path.of("README.md"));
    private static final String BUILD = "scripts/build.sh\n"; // has been done

    /** The number of the block that begins so. */
    private static int find(List<Block> blocks, String start) {
        for (int i = 0; i < blocks.size(); i++) {
            if (blocks.get(i).code().strip().startsWith(start)) {
                return i;
            }
        }
        throw new AssertionError("README.md: no block of code that begins with " + start);
    }

    private static List<String> sorted(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).sorted()
                .collect(Collectors.toList());
    }

    /** A directory that looks like the checkout. */
    private static void link(Path directory, String name) throws IOException {
        Files.createSymbolicLink(directory.resolve(name), Document.ROOT.resolve(name));
    }

    private static void run(Path directory, String commands, Path out, Path err) throws Exception {
        ProcessBuilder shell = new ProcessBuilder("bash", "-euc", commands)
                .directory(directory.toFile()).redirectOutput(out.toFile())
                .redirectError(err.toFile());
        shell.environment().merge("PATH", System.getProperty("java.home") + "/bin",
                (path, java) -> java + ":" + path);
        Process process = shell.start();
        try {
            assertTrue(process.waitFor(120, TimeUnit.SECONDS), () -> read(err));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertEquals(0, process.exitValue(), () -> read(err));
    }

    private static String read(Path file) {
        return String.join("\n", Document.lines(file));
    }

    @Test
    void should_compile_and_run_as_the_readme_says(@TempDir Path directory) throws Exception {
        Block program = README.blocks("java").get(0);
        List<Block> blocks = README.blocks("indented");
        int at = find(blocks, BUILD);
        String commands = blocks.get(at).code().replaceAll("(?m)^ {4}", "");
        link(directory, "scripts");
        link(directory, "target");
        Files.writeString(directory.resolve("Ring.java"), program.code());
        Path out = directory.resolve("out");
        run(directory, commands.substring(BUILD.length()), out, directory.resolve("err"));
        assertEquals(sorted(blocks.get(at + 1).code()), sorted(Files.readString(out)));
    }
}
