// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WaitsTest extends PairOfRanks {
    /** The waits of a rank, as soon as there are as many. */
    private List<Wait> seen(int rank, int count) {
        List<Wait> waits;
        do {
            waits = jobs.get(rank).waits();
        } while (waits.size() != count);
        return waits;
    }

    @Test
    void should_tell_a_receive_until_its_message_comes() throws Exception {
        FutureTask<Void> zero = start(() -> fmpl[0].recv(Span.of(new byte[80]), 1, 3));
        Wait wait = seen(0, 1).get(0);
        assertEquals("receive", wait.operation());
        assertEquals(1, wait.peer());
        assertTrue(wait.text().startsWith("rank 0, thread solver ("), wait.text());
        assertTrue(wait.text().contains("waits for rank 1, receive with mai 3, 80 bytes, since"),
                wait.text());
        assertEquals(wait.text(), wait.toString());
        assertTrue(jobs.get(1).waits().isEmpty(), "the wait of another rank");
        while (jobs.get(0).waits().get(0).duration().compareTo(Duration.ofMillis(100)) < 0) {
            Thread.onSpinWait();
        }
        fmpl[1].send(Span.of(new byte[80]), 0, 3);
        zero.get(120, TimeUnit.SECONDS);
        assertTrue(jobs.get(0).waits().isEmpty(), "the wait is over");
    }

    @Test
    void should_tell_each_thread() throws Exception {
        FutureTask<Void> first = start(() -> fmpl[0].recv(Span.of(new byte[8]), 1, 1));
        FutureTask<Void> second = start(() -> fmpl[0].barrier());
        assertEquals(List.of("barrier", "receive"),
                seen(0, 2).stream().map(Wait::operation).sorted().toList());
        fmpl[1].send(Span.of(new byte[8]), 0, 1);
        fmpl[1].barrier();
        first.get(120, TimeUnit.SECONDS);
        second.get(120, TimeUnit.SECONDS);
    }

    @Test
    void should_tell_nothing_after_close() {
        FutureTask<Void> zero = start(() -> fmpl[0].recv(Span.of(new byte[8]), 1, 1));
        seen(0, 1);
        closeJobs();
        assertThrows(Exception.class, () -> zero.get(120, TimeUnit.SECONDS));
        assertTrue(jobs.get(0).waits().isEmpty());
        assertTrue(jobs.get(1).waits().isEmpty());
        Hayate alone = Hayate.init();
        alone.close();
        assertTrue(alone.waits().isEmpty());
    }
}
