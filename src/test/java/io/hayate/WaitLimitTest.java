// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits that end before their operation: by a time limit, or by an interrupt. */
class WaitLimitTest extends OneRank {
    private static final Duration SHORT = Duration.ofMillis(30);
    private static final Duration LONG = Duration.ofSeconds(60);

    private static byte[] message(int bytes) {
        byte[] message = new byte[bytes];
        Arrays.fill(message, (byte) 7);
        return message;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 4096, 200_000})
    void should_withdraw_a_receive_at_its_limit_and_lose_nothing(int bytes) {
        byte[] late = new byte[bytes];
        long begun = System.nanoTime();
        TimedOutException thrown = assertThrows(TimedOutException.class,
                () -> fmpl.recv(Span.of(late), 0, 1, SHORT));
        assertTrue(System.nanoTime() - begun >= SHORT.toNanos() / 2, "it has waited");
        assertEquals(0, thrown.peer());
        assertTrue(thrown.reason().contains("limit of 0.03 s is over"), thrown.reason());
        assertThrows(TimedOutException.class, () -> fmpl.recv(Span.of(late), 0, 1, Duration.ZERO));
        Request sent = fmpl.isend(Span.of(message(bytes)), 0, 1);
        byte[] in = new byte[bytes];
        assertEquals(bytes, fmpl.recv(Span.of(in), 0, 1, LONG));
        sent.await();
        assertArrayEquals(message(bytes), in);
        assertArrayEquals(new byte[bytes], late, "nothing was written there");
    }

    @Test
    void should_keep_a_request_in_progress_after_its_limit() {
        HeapSpan in = job.allocate(100_000);
        Request request = fmpl.irecv(in, 0, 0);
        for (int i = 0; i < 2; i++) {
            assertThrows(TimedOutException.class, () -> request.await(SHORT));
            assertThrows(TimedOutException.class, () -> request.await(Duration.ZERO));
        }
        assertThrows(StateException.class, request::received);
        assertThrows(BusyException.class, () -> fmpl.recv(in, 0, 0, SHORT));
        fmpl.isend(Span.of(message(100_000)), 0, 0);
        assertEquals(100_000, request.await(LONG));
        assertEquals(100_000, request.await(Duration.ZERO), "complete is complete");
        in.close();
    }

    @Test
    void should_refuse_a_limit_that_is_none() {
        refused(() -> fmpl.recv(Span.of(new byte[8]), 0, 0, Duration.ofNanos(-1)));
        refused(() -> fmpl.recv(Span.of(new byte[8]), 0, 0, null));
        Request request = fmpl.irecv(Span.of(new byte[8]), 0, 0);
        refused(() -> request.await(null));
        fmpl.send(Span.of(new byte[8]), 0, 0);
        assertEquals(8, request.await(Duration.ofSeconds(Long.MAX_VALUE)));
    }

    /** Interrupts a thread that waits in the call; returns when it has ended as it should. */
    private void interrupted(Executable call) throws Exception {
        FutureTask<Boolean> waits = new FutureTask<>(() -> {
            assertThrows(InterruptedWaitException.class, call);
            return Thread.currentThread().isInterrupted();
        });
        Thread thread = new Thread(waits);
        thread.start();
        thread.join(30); // most often it waits by now; it must end in any case
        thread.interrupt();
        assertTrue(waits.get(), "the status is kept");
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 4096, 200_000})
    void should_end_a_receive_by_an_interrupt_and_lose_nothing(int bytes) throws Exception {
        byte[] late = new byte[bytes];
        interrupted(() -> fmpl.recv(Span.of(late), 0, 1));
        interrupted(() -> fmpl.recv(Span.of(late), 0, 1, LONG));
        Request sent = fmpl.isend(Span.of(message(bytes)), 0, 1);
        assertArrayEquals(message(bytes), fmpl.recvBytes(0, 1));
        sent.await();
        assertArrayEquals(new byte[bytes], late, "nothing was written there");
    }

    @Test
    void should_end_waits_for_requests_by_an_interrupt_and_keep_them() throws Exception {
        Request first = fmpl.irecv(Span.of(new byte[8]), 0, 1);
        Request second = fmpl.irecv(Span.of(new byte[8]), 0, 2);
        interrupted(first::await);
        interrupted(() -> first.await(LONG));
        interrupted(() -> fmpl.waitAny(first, second));
        interrupted(() -> fmpl.waitAll(first, second));
        interrupted(() -> fmpl.probe(0, 3));
        fmpl.send(Span.of(new byte[5]), 0, 2);
        fmpl.send(Span.of(new byte[6]), 0, 1);
        fmpl.waitAll(first, second);
        assertEquals(6, first.received());
        assertEquals(5, second.received());
    }

    @Test
    void should_continue_an_interrupted_send_as_a_request() throws Exception {
        byte[] out = message(200_000);
        interrupted(() -> fmpl.send(Span.of(out), 0, 1));
        assertThrows(BusyException.class, () -> fmpl.send(Span.of(out), 0, 1));
        assertThrows(BusyException.class, () -> fmpl.isend(Span.of(out), 0, 1));
        assertArrayEquals(out, fmpl.recvBytes(0, 1));
        fmpl.isend(Span.of(new byte[] {3}), 0, 1).await();
        assertArrayEquals(new byte[] {3}, fmpl.recvBytes(0, 1));
        interrupted(() -> fmpl.send(Span.of(out), 0, 1));
        assertArrayEquals(out, fmpl.recvBytes(0, 1));
        fmpl.send(Span.of(new byte[] {4}), 0, 1);
        assertArrayEquals(new byte[] {4}, fmpl.recvBytes(0, 1));
    }

    @Test
    void should_complete_what_need_not_wait_in_an_interrupted_thread() throws Exception {
        FutureTask<Void> all = new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            fmpl.send(Span.of(message(8)), 0, 0);
            assertEquals(8, fmpl.probe(0, 0));
            assertEquals(8, fmpl.recv(Span.of(new byte[8]), 0, 0));
            Request received = fmpl.irecv(Span.of(new byte[8]), 0, 1);
            fmpl.send(Span.of(message(8)), 0, 1);
            assertEquals(8, received.await());
            return null;
        });
        Thread thread = new Thread(all);
        thread.start();
        assertNull(all.get());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 30})
    void should_continue_a_send_as_a_request_after_its_limit(long millis) {
        byte[] out = message(200_000);
        Duration limit = Duration.ofMillis(millis);
        fmpl.send(Span.of(message(8)), 0, 1, limit); // short ones do not wait
        assertEquals(8, fmpl.recvBytes(0, 1).length);
        TimedOutException thrown = assertThrows(TimedOutException.class,
                () -> fmpl.send(Span.of(out), 0, 1, limit));
        assertEquals(0, thrown.peer());
        assertTrue(thrown.reason().contains("continues in the background"), thrown.reason());
        assertThrows(BusyException.class, () -> fmpl.send(Span.of(out), 0, 1, limit));
        assertArrayEquals(out, fmpl.recvBytes(0, 1));
        fmpl.send(Span.of(new byte[] {4}), 0, 1, LONG);
        assertArrayEquals(new byte[] {4}, fmpl.recvBytes(0, 1));
        fmpl.send(Span.of(out), Fmpl.NO_RANK, 1, limit);
        refused(() -> fmpl.send(Span.of(out), 0, 1, null));
        refused(() -> fmpl.send(Span.of(out), 0, 1, Duration.ofNanos(-1)));
    }

    @Test
    void should_look_at_messages_and_leave_them() {
        assertFalse(fmpl.iprobe(0, 0).isPresent());
        refused(() -> fmpl.iprobe(1, 0));
        refused(() -> fmpl.probe(0, 64));
        fmpl.send(Span.of(message(100)), 0, 0);
        assertEquals(100, fmpl.iprobe(0, 0).getAsLong());
        TruncationException thrown = assertThrows(TruncationException.class,
                () -> fmpl.recv(Span.of(new byte[99]), 0, 0));
        assertEquals(100, thrown.bytes());
        thrown = assertThrows(TruncationException.class,
                () -> fmpl.irecv(Span.of(new byte[99]), 0, 0));
        assertEquals(100, thrown.bytes());
        assertArrayEquals(message(100), fmpl.recvBytes(0, 0));
        Request request = fmpl.irecv(Span.of(new byte[8]), 0, 0);
        assertThrows(BusyException.class, () -> fmpl.iprobe(0, 0));
        fmpl.isend(Span.of(message(50_000)), 0, 0);
        thrown = assertThrows(TruncationException.class, request::await);
        assertEquals(50_000, thrown.bytes());
        assertArrayEquals(message(50_000), fmpl.recvBytes(0, 0));
    }

    @Test
    void should_receive_from_any_source() throws Exception {
        AnySource any = fmpl.anySource(5);
        Span in = Span.of(new byte[1000]);
        assertEquals(-1, any.poll(in));
        assertThrows(TimedOutException.class, () -> any.recv(in, SHORT));
        interrupted(() -> any.recv(in));
        interrupted(any::await);
        fmpl.send(Span.of(message(9)), 0, 5);
        assertEquals(0, any.await());
        assertEquals(0, any.recv(in));
        assertEquals(9, any.received());
        Request sent = fmpl.isend(Span.of(message(5000)), 0, 5);
        TruncationException thrown = assertThrows(TruncationException.class, () -> any.recv(in));
        assertEquals(5000, thrown.bytes());
        assertEquals(0, thrown.peer());
        assertEquals(0, any.poll(Span.of(new byte[5000])));
        assertEquals(5000, any.received());
        sent.await();
        refused(() -> any.recv(null));
        refused(() -> fmpl.anySource(64));
        fmpl.close();
        assertThrows(ClosedException.class, () -> any.poll(in));
        assertThrows(ClosedException.class, () -> any.recv(in));
    }
}
