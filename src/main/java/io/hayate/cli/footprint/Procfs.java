// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.footprint;

import io.hayate.cli.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the kernel's books.
 *
 * @param root "/proc"; another directory in tests
 */
public record Procfs(Path root) {
    /** Of this machine. */
    public static final Procfs OWN = new Procfs(Path.of("/proc"));

    private static final String NUMBER = ":\\s+([0-9]{1,15}) kB$";

    /**
     * An address space: its proportional set size, and its page tables of all levels.
     *
     * @param pid of any process that lives in it
     * @return what it takes
     */
    public MemoryUse addressSpace(long pid) {
        Path process = root.resolve(Long.toString(pid));
        return new MemoryUse(number(process.resolve("smaps_rollup"), "Pss"),
                number(process.resolve("status"), "VmPTE"));
    }

    /**
     * The whole machine.
     *
     * @return memory that is not available, and the page tables of all processes
     */
    public MemoryUse machine() {
        Path file = root.resolve("meminfo");
        return new MemoryUse(number(file, "MemTotal") - number(file, "MemAvailable"),
                number(file, "PageTables"));
    }

    private static long number(Path file, String name) {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new CommandFailure("cannot read " + file + ": " + e.getMessage()
                    + "; memory is measured by what the kernel tells there");
        }
        Matcher matcher = Pattern.compile("^" + name + NUMBER, Pattern.MULTILINE).matcher(text);
        if (!matcher.find()) {
            throw new CommandFailure(file + " has no line '" + name + ": NUMBER kB'");
        }
        return Long.parseLong(matcher.group(1));
    }
}
