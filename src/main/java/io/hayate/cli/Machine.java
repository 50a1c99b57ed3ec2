// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What the system tells about itself under /proc and /sys. Tests have trees of their own. */
final class Machine {
    /** What {@link #limit} gives for "unlimited". */
    static final long UNLIMITED = Long.MAX_VALUE;

    private final Path root;

    Machine(Path root) {
        this.root = root;
    }

    static Machine here() {
        return new Machine(Path.of("/"));
    }

    Path path(String path) {
        return root.resolve(path.substring(1));
    }

    boolean exists(String path) {
        return Files.exists(path(path));
    }

    List<String> lines(String path) {
        try {
            return Files.readAllLines(path(path));
        } catch (IOException e) {
            return List.of();
        }
    }

    Optional<String> text(String path) {
        List<String> lines = lines(path);
        return lines.isEmpty() ? Optional.empty() : Optional.of(lines.get(0).trim());
    }

    OptionalLong number(String path) {
        return text(path).map(Machine::parse).orElse(OptionalLong.empty());
    }

    /** The value behind "name:" in a file such as /proc/self/status. */
    Optional<String> field(String path, String name) {
        return lines(path).stream().filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).trim()).findFirst();
    }

    /** The soft limit of this process that /proc/self/limits calls so; empty when not listed. */
    OptionalLong limit(String name) {
        for (String line : lines("/proc/self/limits")) {
            if (line.startsWith(name + " ")) {
                String soft = line.substring(name.length()).trim().split("\\s+")[0];
                return soft.equals("unlimited") ? OptionalLong.of(UNLIMITED) : parse(soft);
            }
        }
        return OptionalLong.empty();
    }

    /** Names in a directory, sorted; none when it is not there. */
    List<String> names(String directory) {
        try (var entries = Files.list(path(directory))) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static OptionalLong parse(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
