// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hayate.cli.run.Launcher;
import io.hayate.internal.natives.NativeLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Hayate unpacks and then loads or executes, under umask 000: src/test/c/jni/auditor_library.c
 * checks each file at the moment in which it is mapped.
 */
class PrivateFilesIT {
    private static final String DELETED = " (deleted)";

    @TempDir
    private Path scratch;

    /** A file, then the directories around it, as they were. */
    private record Mapped(Path file, List<Status> statuses) {
        static Mapped of(String line) {
            String[] words = line.split(" ");
            return new Mapped(Path.of(words[0]),
                    Arrays.stream(words).skip(1).map(Status::of).toList());
        }

        String name() {
            return file.getFileName().toString();
        }

        boolean isPrivate(int uid) {
            return statuses.get(0).uid() == uid && (statuses.get(0).mode() & 0077) == 0
                    && statuses.stream().skip(1).allMatch(directory -> directory.isSafe(uid));
        }
    }

    private record Status(int uid, int mode, long changed) {
        static Status of(String words) {
            String[] parts = words.split(":");
            return new Status(Integer.parseInt(parts[0]), Integer.parseInt(parts[1], 8),
                    Long.parseLong(parts[2]));
        }

        @Override
        public String toString() {
            return uid + ":" + Integer.toOctalString(mode);
        }

        /** Of a directory: others cannot rename what is in it. */
        boolean isSafe(int own) {
            return (uid == own || uid == 0) && ((mode & 0022) == 0 || (mode & 01000) != 0);
        }
    }

    /** Loads libraries, tells what is mapped of deleted files, and then runs programs. */
    static final class Everything {
        public static void main(String[] args) throws IOException {
            NativeLoader.load();
            try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
                maps.filter(line -> line.contains(" r-xp ") && line.endsWith(DELETED))
                        .forEach(System.out::println);
            }
            Main.main(new String[] {"run", "--delegate", "-n", "1", "--", "true"});
        }
    }

    @Test
    void should_map_no_file_that_others_could_have_written_or_replaced() throws Exception {
        Path temporary = Files.createDirectory(scratch.resolve("tmp"));
        assertEquals(0, run(Map.of(), "chmod", "1777", temporary.toString()));
        long before = Files.getLastModifiedTime(temporary).to(TimeUnit.SECONDS);
        Path audit = Files.createFile(scratch.resolve("audit"));
        List<String> command = new ArrayList<>(List.of("sh", "-c", "umask 000; exec \"$@\"", "sh"));
        command.addAll(everything(temporary));
        assertEquals(0, run(Map.of("LD_AUDIT", auditor().toString(), "HAYATE_TEST_AUDIT",
                audit.toString()), command.toArray(String[]::new)), this::output);
        List<Mapped> fresh = Files.readAllLines(audit).stream().map(Mapped::of)
                .filter(mapped -> mapped.statuses().get(0).changed() >= before).toList();
        int uid = (Integer) Files.getAttribute(temporary, "unix:uid");
        assertEquals(List.of(), fresh.stream().filter(mapped -> !mapped.isPrivate(uid)).toList());
        assertEquals(Set.of("hayate-delegatee", "hayate-run", "libhayate.so", "libjnidispatch.so"),
                fresh.stream().map(Mapped::name).collect(Collectors.toSet()));
        Set<Path> seen = fresh.stream().map(Mapped::file).collect(Collectors.toSet());
        List<Path> deleted = output().lines().filter(line -> line.endsWith(DELETED))
                .map(line -> Path.of(line.substring(line.indexOf('/')).replace(DELETED, "")))
                .toList();
        assertTrue(deleted.size() >= 2 && seen.containsAll(deleted), deleted + " of " + seen);
        assertEquals(List.of(), left(temporary));
    }

    /** From a jar beside which there is no launcher: that inside of it is taken. */
    private List<String> everything(Path temporary) throws IOException {
        List<String> words = new ArrayList<>();
        for (String word : Command.words(List.of("-Djava.io.tmpdir=" + temporary))) {
            if (!word.startsWith("-D" + Launcher.PROPERTY)) {
                words.add(word);
            }
        }
        int classPath = words.indexOf("-cp") + 1;
        List<String> entries = new ArrayList<>();
        for (String entry : words.get(classPath).split(":")) {
            boolean isHayate = Path.of(entry).getFileName().toString().matches("hayate-.*\\.jar");
            entries.add(isHayate ? Files.copy(Path.of(entry), scratch.resolve("copy.jar"))
                    .toString() : entry);
        }
        words.set(classPath, String.join(":", entries));
        words.set(words.size() - 1, Everything.class.getName());
        return words;
    }

    private Path auditor() throws Exception {
        Path library = scratch.resolve("auditor.so");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "no gcc");
        assertEquals(0, run(Map.of(), "gcc", "-std=gnu11", "-D_GNU_SOURCE=", "-O2", "-Wall",
                "-Wextra", "-Werror", "-fPIC", "-shared", "src/test/c/jni/auditor_library.c", "-o",
                library.toString()), this::output);
        return library;
    }

    private int run(Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(scratch.resolve("output").toFile());
        builder.environment().remove(Launcher.VARIABLE);
        builder.environment().putAll(environment);
        return builder.start().waitFor();
    }

    private String output() {
        try {
            return Files.readString(scratch.resolve("output"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static List<Path> left(Path place) throws IOException {
        try (Stream<Path> all = Files.list(place)) {
            return all.filter(file -> !file.getFileName().toString().startsWith("hsperfdata"))
                    .toList();
        }
    }
}
