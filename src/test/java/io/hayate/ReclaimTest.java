// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a program has closed does not pile up, also if nothing causes a garbage collection. */
@Timeout(300)
class ReclaimTest {
    private static final int MIB = 1 << 20;

    /** Segments, each of which may be mapped in several pieces. */
    private static long segments() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("memfd:hayate"))
                    .map(line -> line.split(" +")[4]).distinct().count();
        }
    }

    /** In kB. */
    private static long status(String name) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith(name))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).sum();
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }

    @Test
    void should_open_and_close_an_fmpl_any_number_of_times() {
        Hayate.runThreads(2, job -> {
            for (int i = 0; i < 500; i++) {
                try (Fmpl fmpl = Fmpl.init(job)) {
                    fmpl.barrier();
                }
            }
        });
    }

    @Test
    void should_open_and_close_a_global_space_any_number_of_times() {
        try (Hayate job = Hayate.init()) {
            for (int i = 0; i < 20; i++) {
                try (Ompl ompl = Ompl.open(job, job.heapSize() / 4)) {
                    ompl.flush();
                }
            }
        }
    }

    @Test
    void should_keep_no_descriptors_addresses_or_pages_of_jobs_that_have_ended()
            throws IOException {
        long files = descriptors();
        long mapped = segments();
        long pages = status("RssShmem:");
        for (int i = 0; i < 300; i++) {
            Hayate.runThreads(2, job -> {
                try (HeapSpan span = job.allocate(4 * MIB)) {
                    for (long at = 0; at < span.bytes(); at += 4096) {
                        span.putLong(at, at);
                    }
                }
            });
        }
        assertTrue(descriptors() < files + 20, "descriptors: " + descriptors());
        assertTrue(segments() < mapped + 150, "segments: " + mapped + " then " + segments());
        assertTrue(status("RssShmem:") < pages + 600 * 1024, "kB of pages: " + status("RssShmem:"));
    }
}
