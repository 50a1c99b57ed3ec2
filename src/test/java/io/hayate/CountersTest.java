// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hayate.cli.job.JobCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CountersTest {
    private static void exchange(Hayate job, Fmpl fmpl, int messages) {
        HeapSpan span = job.allocate(64);
        for (int i = 0; i < messages; i++) {
            fmpl.isend(span, 0, 1);
            fmpl.recv(span, 0, 1);
        }
    }

    @Test
    void should_count_what_this_rank_has_done() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            Map<String, Long> before = job.counters();
            exchange(job, fmpl, 3);
            Map<String, Long> after = job.counters();
            assertEquals(0, before.get("sent"));
            assertEquals(3, after.get("sent"));
            assertEquals(3 * 64, after.get("bytes_received"));
            assertThrows(UnsupportedOperationException.class, () -> after.put("sent", 0L));
        }
    }

    @Test
    void should_have_the_names_and_numbers_of_hayate_stat() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            exchange(job, fmpl, 2);
            try (JobCounters outside = JobCounters.of(ProcessHandle.current().pid())) {
                Map<String, Long> seen = outside.read(0).counters();
                assertEquals(seen, job.counters());
                assertEquals(new ArrayList<>(seen.keySet()),
                        new ArrayList<>(job.counters().keySet()));
            }
        }
    }

    @Test
    void should_keep_ranks_of_one_process_apart() throws Exception {
        List<Hayate> jobs = Hayate.initThreads(2);
        Thread other = new Thread(() -> Fmpl.init(jobs.get(1)));
        other.start();
        Fmpl fmpl = Fmpl.init(jobs.get(0));
        other.join();
        fmpl.isend(jobs.get(0).allocate(8), 1, 1);
        assertEquals(1, jobs.get(0).counters().get("sent"));
        assertEquals(0, jobs.get(1).counters().get("sent"));
        jobs.forEach(Hayate::close);
    }

    @Test
    void should_stay_valid_after_close() {
        Hayate job = Hayate.init();
        try (job; Fmpl fmpl = Fmpl.init(job)) {
            exchange(job, fmpl, 4);
        }
        assertEquals(4, job.counters().get("sent"));
    }
}
