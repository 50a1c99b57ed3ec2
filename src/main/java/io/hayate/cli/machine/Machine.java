// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads /proc and /sys. Tests use other trees of files. */
public final class Machine {
    /** The value of {@link #limit} for "unlimited". */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private final Path root;

    public Machine(Path root) {
        this.root = root;
    }

    public static Machine here() {
        return new Machine(Path.of("/"));
    }

    Path path(String path) {
        return root.resolve(path.substring(1));
    }

    public boolean exists(String path) {
        return Files.exists(path(path));
    }

    public List<String> lines(String path) {
        try {
            return Files.readAllLines(path(path));
        } catch (IOException e) {
            return List.of();
        }
    }

    public Optional<String> text(String path) {
        List<String> lines = lines(path);
        return lines.isEmpty() ? Optional.empty() : Optional.of(lines.get(0).trim());
    }

    public OptionalLong number(String path) {
        return text(path).map(Machine::parse).orElse(OptionalLong.empty());
    }

    /** Returns the value after "name:" in a file such as /proc/self/status. */
    public Optional<String> field(String path, String name) {
        return lines(path).stream().filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).trim()).findFirst();
    }

    /**
     * Returns a soft limit of this process by its name in /proc/self/limits; empty if it is not
     * listed.
     */
    public OptionalLong limit(String name) {
        for (String line : lines("/proc/self/limits")) {
            if (line.startsWith(name + " ")) {
                String soft = line.substring(name.length()).trim().split("\\s+")[0];
                return soft.equals("unlimited") ? OptionalLong.of(UNLIMITED) : parse(soft);
            }
        }
        return OptionalLong.empty();
    }

    /** Returns the sorted names in a directory; none if it does not exist. */
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
