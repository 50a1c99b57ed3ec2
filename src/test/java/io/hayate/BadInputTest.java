// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

@Timeout(300)
class BadInputTest {
    private final Span span = Span.of(new double[8]);
    private Hayate job;
    private Fmpl fmpl;

    @BeforeEach
    void open() {
        job = Hayate.init();
        fmpl = Fmpl.init(job, 4);
    }

    @AfterEach
    void close() {
        fmpl.close();
        job.close();
    }

    private static void refused(Executable call) {
        ArgumentException e = assertThrows(ArgumentException.class, call);
        assertTrue(e.reason().length() > 10, e.reason());
        assertEquals(-1, e.code());
    }

    @Test
    void should_refuse_ranks_and_entries_out_of_range() {
        for (int bad : new int[] {-1, 1, 4, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            refused(() -> fmpl.send(span, bad, 0));
            refused(() -> fmpl.recv(span, bad, 0));
            refused(() -> fmpl.isend(span, bad, 0));
            refused(() -> fmpl.irecv(span, bad, 0));
            refused(() -> fmpl.bcast(span, bad));
            refused(() -> fmpl.hbcast(span, bad));
            refused(() -> fmpl.reduce(span, Reduction.DOUBLE_SUM, bad));
        }
        for (int bad : new int[] {-1, 4, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            refused(() -> fmpl.send(span, 0, bad));
            refused(() -> fmpl.irecv(span, 0, bad));
        }
    }

    @Test
    void should_refuse_ranges_outside_of_the_span() {
        long[][] ranges = {{-1, 1}, {0, -1}, {0, 65}, {64, 1}, {65, 0}, {Long.MAX_VALUE, 1},
                {1, Long.MAX_VALUE}, {Long.MAX_VALUE, Long.MAX_VALUE}, {Long.MIN_VALUE, 1}};
        for (long[] range : ranges) {
            refused(() -> fmpl.send(span, range[0], range[1], 0, 0));
            refused(() -> fmpl.recv(span, range[0], range[1], 0, 0));
            refused(() -> fmpl.isend(span, range[0], range[1], 0, 0));
            refused(() -> fmpl.irecv(span, range[0], range[1], 0, 0));
            refused(() -> fmpl.bcast(span, range[0], range[1], 0, fmpl.world()));
            refused(() -> fmpl.allreduce(
                    span, range[0], range[1], Reduction.DOUBLE_SUM, fmpl.world()));
        }
    }

    @Test
    void should_refuse_null_everywhere() {
        refused(() -> fmpl.send(null, 0, 0));
        refused(() -> fmpl.recv(null, 0, 0));
        refused(() -> fmpl.isend(null, 0, 0));
        refused(() -> fmpl.irecv(null, 0, 0, 0, 0));
        refused(() -> fmpl.bcast(null, 0));
        refused(() -> fmpl.bcast(span, 0, null));
        refused(() -> fmpl.allreduce(span, null));
        refused(() -> fmpl.barrier(null));
        refused(() -> fmpl.waitAll((Request) null));
        refused(() -> fmpl.waitAny((Request[]) null));
        refused(() -> Fmpl.init(null));
        refused(() -> Reduction.of(null, 8, (a, b, n) -> { }));
        refused(() -> Reduction.of(fmpl, 8, null));
        refused(() -> fmpl.setSendBuffer(job.allocate(64), null));
    }

    @Test
    void should_refuse_elements_that_do_not_fit_the_memory() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        Span odd = Span.of(buffer.position(1).limit(33));
        refused(() -> fmpl.allreduce(odd, Reduction.DOUBLE_SUM));
        refused(() -> fmpl.allreduce(Span.of(new byte[12]), Reduction.DOUBLE_SUM));
        refused(() -> fmpl.allreduce(span, 0, -1, Reduction.DOUBLE_SUM, fmpl.world()));
        refused(() -> fmpl.allreduce(span, 0, 9, Reduction.DOUBLE_SUM, fmpl.world()));
        refused(() -> Reduction.of(fmpl, 0, (a, b, n) -> { }));
        refused(() -> Reduction.of(fmpl, 4097, (a, b, n) -> { }));
    }

    @Test
    void should_refuse_counts_and_sizes_out_of_range() {
        for (int bad : new int[] {0, -1, 65537, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            refused(() -> Fmpl.init(job, bad));
        }
        refused(() -> job.allocate(0));
        refused(() -> job.allocate(Long.MIN_VALUE));
        assertThrows(MemoryExhaustedException.class, () -> job.allocate(Long.MAX_VALUE));
        refused(() -> fmpl.setSendBuffer(Span.of(new byte[64]), Duration.ZERO));
        refused(() -> fmpl.setSendBuffer(job.allocate(64), Duration.ofMillis(-1)));
        refused(() -> fmpl.setSendBuffer(job.allocate(64), Duration.ofDays(1)));
    }

    @Test
    void should_refuse_things_of_another_fmpl() {
        try (Fmpl other = Fmpl.init(job)) {
            refused(() -> fmpl.barrier(other.world()));
            Request request = other.irecv(span, 0, 0);
            refused(() -> fmpl.waitAny(request));
            assertTrue(request.cancel());
            try (Reduction reduction = Reduction.of(other, 8, (a, b, n) -> { })) {
                refused(() -> fmpl.allreduce(span, reduction));
            }
        }
    }

    @Test
    void should_refuse_to_cancel_a_send_and_to_wait_twice_at_once() {
        Request sent = fmpl.isend(Span.of(new byte[100_000]), 0, 0);
        refused(sent::cancel);
        Request arrival = fmpl.irecv(Span.of(new byte[8]), 0, 1);
        assertThrows(BusyException.class, () -> fmpl.waitAny(arrival, arrival));
        assertTrue(arrival.cancel());
        fmpl.recv(Span.of(new byte[100_000]), 0, 0);
        sent.await();
    }

    @Test
    void should_run_out_of_heap_and_recover() {
        HeapSpan most = job.allocate(job.heapFree() / 4 * 3);
        assertThrows(MemoryExhaustedException.class, () -> job.allocate(most.bytes()));
        most.close();
        job.allocate(most.bytes()).close();
    }

    @Test
    void should_end_every_call_after_close_with_the_same_exception() {
        Communicator world = fmpl.world();
        HeapSpan heap = job.allocate(64);
        Reduction reduction = Reduction.of(fmpl, 8, (a, b, n) -> { });
        fmpl.close();
        job.close();
        Executable[] calls = {
            () -> fmpl.send(span, 0, 0), () -> fmpl.recv(span, 0, 0),
            () -> fmpl.isend(span, 0, 0), () -> fmpl.irecv(heap, 0, 0),
            () -> fmpl.barrier(), () -> fmpl.barrier(world), () -> fmpl.bcast(heap, 0),
            () -> fmpl.allreduce(span, reduction), () -> fmpl.create(true),
            () -> world.split(0, 0),
            () -> fmpl.setSendBuffer(null, null), fmpl::checkSendBuffer, fmpl::breakdown,
            () -> fmpl.breakdown(true), () -> job.allocate(64), job::heapFree,
            () -> Fmpl.init(job), () -> Reduction.of(fmpl, 8, (a, b, n) -> { }),
        };
        for (Executable call : calls) {
            assertSame(ClosedException.class,
                    assertThrows(HayateException.class, call).getClass());
        }
        reduction.close();
        heap.close();
        fmpl.close();
        job.close();
    }
}
