// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class TrimTest extends OneRank {
    private static final int EAGER = 4096;
    private static final int DEPTH = 16;

    TrimTest() {
        super(4);
    }

    private void send(int mai) {
        int[] data = new int[250];
        for (int i = 0; i < DEPTH; i++) {
            data[249] = i;
            fmpl.send(Span.of(data), 0, mai);
        }
    }

    private void receive(int mai) {
        int[] data = new int[250];
        for (int i = 0; i < DEPTH; i++) {
            assertEquals(1000, fmpl.recv(Span.of(data), 0, mai));
            assertEquals(i, data[249]);
        }
    }

    @Test
    void should_give_back_all_buffers_of_messages_that_were_received() {
        long free = job.heapFree();
        for (int mai = 0; mai < 4; mai++) {
            send(mai);
            receive(mai);
        }
        assertEquals(free - 4 * DEPTH * EAGER, job.heapFree());
        assertEquals(4 * DEPTH * EAGER, fmpl.trim());
        assertEquals(free, job.heapFree());
        assertEquals(0, fmpl.trim());
    }

    @Test
    void should_leave_the_buffers_of_messages_that_wait() {
        long free = job.heapFree();
        send(1);
        assertEquals(0, fmpl.trim());
        assertEquals(free - DEPTH * EAGER, job.heapFree());
        receive(1);
        assertEquals(DEPTH * EAGER, fmpl.trim());
    }

    @Test
    void should_give_back_idle_buffers_before_the_heap_is_exhausted() {
        long free = job.heapFree();
        send(0);
        receive(0);
        try (HeapSpan most = job.allocate(free - EAGER)) {
            assertEquals(free - most.bytes(), job.heapFree());
            assertThrows(MemoryExhaustedException.class, () -> job.allocate(2 * EAGER));
            assertEquals(0, fmpl.trim());
        }
        send(0);
        receive(0);
    }

    @Test
    void should_not_trim_after_close() {
        fmpl.close();
        assertThrows(ClosedException.class, fmpl::trim);
    }
}
