// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.bench.figures.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcfsTest {
    @TempDir
    private Path root;

    private void write(String file, String text) throws IOException {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text);
    }

    @Test
    void should_read_an_address_space() throws IOException {
        write("47/smaps_rollup", "559d70c00000-7ffdc [rollup]\nRss:    9000 kB\nPss:    5003 kB\n"
                + "Pss_Dirty:   1 kB\n");
        write("47/status", "Name:\tx\nVmRSS:\t    9000 kB\nVmPTE:\t     476 kB\nThreads:\t1\n");
        assertEquals(new MemoryUse(5003, 476), new Procfs(root).addressSpace(47));
    }

    @Test
    void should_read_the_machine() throws IOException {
        write("meminfo", "MemTotal:       1000 kB\nMemFree:     200 kB\nMemAvailable:    300 kB\n"
                + "SecPageTables:      7 kB\nPageTables:      50 kB\n");
        assertEquals(new MemoryUse(700, 50), new Procfs(root).machine());
    }

    @Test
    void should_name_the_line_that_is_missing() throws IOException {
        write("meminfo", "MemTotal:       1000 kB\nMemAvailable:    300 pages\n");
        Failure e = assertThrows(Failure.class, () -> new Procfs(root).machine());
        assertEquals(root.resolve("meminfo") + " has no line 'MemAvailable: NUMBER kB'",
                e.getMessage());
    }

    @Test
    void should_name_the_process_that_has_ended() {
        Failure e = assertThrows(Failure.class, () -> new Procfs(root).addressSpace(4711));
        assertTrue(e.getMessage().startsWith("cannot read " + root.resolve("4711/smaps_rollup")),
                e.getMessage());
    }
}
