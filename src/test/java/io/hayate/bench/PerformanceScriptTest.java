// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures in docs/figures are those of commits, or say that they are not. Nothing is measured. */
final class PerformanceScriptTest {
    private static final String MARK = "**To be measured again**";
    private static final String OF_NO_COMMIT = "    commit   0123456789-dirty\n";

    @TempDir
    Path checkout;

    @Test
    void should_have_a_file_for_each_figure_and_no_other() throws Exception {
        var named = run(Path.of(""), 0, "scripts/performance.sh", "--list").lines()
                .map(line -> line.split(" ")[0] + ".md").collect(Collectors.toSet());
        try (Stream<Path> files = Files.list(Path.of("docs/figures"))) {
            assertEquals(new TreeSet<>(named),
                    files.map(file -> file.getFileName().toString())
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
    }

    @Test
    void should_mark_figures_that_are_of_no_commit() throws Exception {
        try (Stream<Path> files = Files.list(Path.of("docs/figures"))) {
            for (Path file : files.toList()) {
                String text = Files.readString(file);
                assertEquals(text.contains("-dirty\n"), text.contains(MARK), file.toString());
            }
        }
    }

    @Test
    void should_not_measure_changes_that_no_commit_has() throws Exception {
        copy();
        for (List<String> words : List.of(List.of("init", "-q"), List.of("add", "."),
                List.of("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"))) {
            run(checkout, 0, Stream.concat(Stream.of("git"), words.stream())
                    .toArray(String[]::new));
        }
        Files.writeString(checkout.resolve("pom.xml"), "<!-- changed -->",
                StandardOpenOption.APPEND);
        String said = run(checkout, 1, "scripts/performance.sh", "farm");
        assertTrue(said.contains("commit first"), said);
    }

    @Test
    void should_write_figures_of_no_commit_only_if_asked_and_mark_them() throws Exception {
        copy();
        Path results = Files.createDirectories(checkout.resolve("target/performance/farm"));
        Files.writeString(results.resolve("circumstances.txt"), OF_NO_COMMIT);
        Files.writeString(results.resolve("farm.md"), "# Title\n\n| a table |\n");
        Path figure = checkout.resolve("docs/figures/farm.md");
        run(checkout, 1, "scripts/performance.sh", "--again", "farm");
        assertTrue(!Files.exists(figure));
        run(checkout, 0, "scripts/performance.sh", "--again", "--dirty", "farm");
        String text = Files.readString(figure);
        assertTrue(text.contains(OF_NO_COMMIT) && text.contains(MARK)
                && text.endsWith("\n\n| a table |\n"), text);
    }

    private void copy() throws Exception {
        run(Path.of(""), 0, "cp", "-r", "scripts", "pom.xml", checkout.toString());
    }

    private static String run(Path directory, int code, String... command)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).directory(directory.toAbsolutePath().toFile())
                .redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(code, process.waitFor(), text);
        return text;
    }
}
