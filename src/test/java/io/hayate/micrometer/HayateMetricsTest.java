// SPDX-License-Identifier: Apache-2.0
package io.hayate.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.ArgumentException;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class HayateMetricsTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();

    private static void sendToItself(Hayate job, int messages) {
        try (Fmpl fmpl = Fmpl.init(job); HeapSpan span = job.allocate(64)) {
            for (int i = 0; i < messages; i++) {
                fmpl.send(span, 0, 1);
                fmpl.recv(span, 0, 1);
            }
        }
    }

    private double count(String name) {
        return registry.get(name).functionCounter().count();
    }

    @Test
    void should_count_what_the_rank_does() {
        try (Hayate job = Hayate.init()) {
            new HayateMetrics(job).bindTo(registry);
            assertEquals(0, count("hayate.messages.sent"));
            sendToItself(job, 3);
            assertEquals(3, count("hayate.messages.sent"));
            assertEquals(3 * 64, count("hayate.data.received"));
            assertEquals("bytes", registry.get("hayate.data.sent").meter().getId().getBaseUnit());
        }
    }

    @Test
    void should_have_a_metric_for_each_counter() {
        try (Hayate job = Hayate.init()) {
            new HayateMetrics(job).bindTo(registry);
            assertEquals(job.counters().size(), registry.getMeters().size());
            for (Meter meter : registry.getMeters()) {
                String name = meter.getId().getName();
                assertTrue(name.matches("hayate(\\.[a-z]+)+"), name);
                assertEquals("0", meter.getId().getTag("rank"), name);
                assertEquals(name.equals("hayate.memory.held"), !(meter instanceof FunctionCounter),
                        name);
            }
        }
    }

    @Test
    void should_tell_memory_in_use() {
        try (Hayate job = Hayate.init()) {
            new HayateMetrics(job).bindTo(registry);
            assertEquals(0,
                    registry.get("hayate.memory.held").tag("area", "eager").gauge().value());
        }
    }

    @Test
    void should_keep_ranks_of_one_process_apart() {
        List<Hayate> jobs = Hayate.initThreads(2);
        jobs.forEach(job -> new HayateMetrics(job, Tags.of("job", "test")).bindTo(registry));
        assertEquals(2, registry.get("hayate.collectives").tag("job", "test").meters().size());
        assertEquals(0, registry.get("hayate.collectives").tag("rank", "1").functionCounter()
                .count());
        jobs.forEach(Hayate::close);
    }

    @Test
    void should_stay_after_close() {
        Hayate job = Hayate.init();
        new HayateMetrics(job).bindTo(registry);
        sendToItself(job, 2);
        job.close();
        assertEquals(2, count("hayate.messages.sent"));
    }

    @Test
    void should_refuse_null() {
        assertThrows(ArgumentException.class, () -> new HayateMetrics(null));
        try (Hayate job = Hayate.init()) {
            assertThrows(ArgumentException.class, () -> new HayateMetrics(job, null));
        }
    }
}
