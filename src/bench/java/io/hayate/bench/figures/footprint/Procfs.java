// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import io.hayate.bench.figures.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the memory statistics of the kernel.
 *
 * @param root "/proc"; another directory in tests
 */
public record Procfs(Path root) {
    /** Creates the reader for this machine. */
    public static final Procfs OWN = new Procfs(Path.of("/proc"));

    private static final String NUMBER = ":\\s+([0-9]{1,15}) kB$";

    /**
     * Returns the proportional set size of an address space, and its page tables of all levels.
     *
     * @param pid any process of the address space
     * @return its memory
     */
    public MemoryUse addressSpace(long pid) {
        Path process = root.resolve(Long.toString(pid));
        return new MemoryUse(number(process.resolve("smaps_rollup"), "Pss"),
                number(process.resolve("status"), "VmPTE"));
    }

    /**
     * Returns the memory of the whole machine.
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
            throw new Failure("cannot read " + file + ": " + e.getMessage()
                    + "; the measurement of memory needs this file");
        }
        Matcher matcher = Pattern.compile("^" + name + NUMBER, Pattern.MULTILINE).matcher(text);
        if (!matcher.find()) {
            throw new Failure(file + " has no line '" + name + ": NUMBER kB'");
        }
        return Long.parseLong(matcher.group(1));
    }
}
