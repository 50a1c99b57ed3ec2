// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SelfMessageTest extends OneRank {
    private static final int[] SIZES = {0, 1, 8, 56, 57, 4096, 4097, 32768, 100_001, 3 << 20};

    private static <T> FutureTask<T> start(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    /** Whole elements of up to 256 bytes are copied by another JNI function than all others. */
    @Test
    void should_move_a_few_elements_of_arrays_of_each_type() {
        byte[] sent = new byte[400];
        new Random(5).nextBytes(sent);
        List<Supplier<Span>> arrays = List.of(() -> Span.of(new byte[400]),
                () -> Span.of(new int[100]), () -> Span.of(new long[50]),
                () -> Span.of(new float[100]), () -> Span.of(new double[50]),
                () -> Span.ofRows(new double[10][7], 1, 5));
        int[][] parts = {{0, 8}, {8, 24}, {16, 256}, {16, 264}, {0, 400}, {3, 5}, {4, 12}, {8, 17}};
        for (Supplier<Span> array : arrays) {
            for (int[] part : parts) {
                Span from = array.get();
                Span to = array.get();
                boolean rows = from.toString().contains("blocks");
                int start = rows ? 0 : part[0];
                fmpl.send(Span.of(sent), 0, from.bytes(), 0, 1);
                fmpl.recv(from, 0, 1);
                fmpl.send(from, start, part[1], 0, 2);
                fmpl.recv(to, start, part[1], 0, 2);
                byte[] expected = new byte[400];
                System.arraycopy(sent, start, expected, start, part[1]);
                byte[] found = new byte[400];
                fmpl.send(to, 0, 3);
                fmpl.recv(Span.of(found), 0, 3);
                assertArrayEquals(expected, found, from + " from " + start + ", " + part[1]);
            }
        }
    }

    @Test
    void should_receive_into_what_was_posted_early() {
        for (int bytes : SIZES) {
            Request arrival = fmpl.irecv(job.allocate(bytes + 10), 0, 2);
            assertFalse(arrival.test());
            assertThrows(StateException.class, arrival::received);
            fmpl.send(Span.of(ByteBuffer.allocateDirect(bytes)), 0, 2);
            assertEquals(bytes, arrival.await());
            assertEquals(bytes, arrival.await());
            assertTrue(arrival.test());
            assertEquals(bytes, arrival.received());
        }
    }

    @Test
    void should_tell_the_length_of_a_receive_that_is_complete_at_once() {
        fmpl.send(Span.of(new byte[17]), 0, 2);
        Request arrival = fmpl.irecv(Span.of(new byte[40]), 0, 2);
        assertEquals(17, arrival.await());
    }

    @Test
    void should_use_one_request_for_each_lane_and_direction() {
        Request first = fmpl.irecv(Span.of(new byte[8]), 0, 4);
        fmpl.send(Span.of(new byte[8]), 0, 4);
        first.await();
        Request second = fmpl.irecv(Span.of(new byte[8]), 0, 4);
        assertSame(first, second);
        assertFalse(second.test());
        assertTrue(second.cancel());
        assertThrows(CancelledException.class, second::await);
    }

    @Test
    void should_give_a_cancelled_message_to_the_next_receive() {
        byte[] untouched = new byte[8];
        Request cancelled = fmpl.irecv(Span.of(untouched), 0, 0);
        assertTrue(cancelled.cancel());
        fmpl.send(Span.of(new byte[] {1, 2, 3}), 0, 0);
        byte[] got = new byte[3];
        assertEquals(3, fmpl.recv(Span.of(got), 0, 0));
        assertArrayEquals(new byte[] {1, 2, 3}, got);
        assertArrayEquals(new byte[8], untouched);
        assertFalse(cancelled.cancel());
    }

    @Test
    void should_keep_a_message_that_was_too_long() {
        for (int bytes : new int[] {9, 5000, 200_000}) {
            byte[] data = new byte[bytes];
            data[bytes - 1] = 5;
            Request sent = fmpl.isend(Span.of(data), 0, 0);
            TruncationException e = assertThrows(TruncationException.class,
                    () -> fmpl.recv(Span.of(new byte[8]), 0, 0));
            assertEquals(0, e.peer());
            byte[] got = new byte[bytes];
            assertEquals(bytes, fmpl.recv(Span.of(got), 0, 0));
            assertEquals(5, got[bytes - 1]);
            sent.await();
        }
    }

    @Test
    void should_refuse_a_second_operation_and_leave_the_first_alone() {
        byte[] got = new byte[4];
        Request first = fmpl.irecv(Span.of(got), 0, 0);
        assertThrows(BusyException.class, () -> fmpl.irecv(Span.of(new byte[4]), 0, 0));
        assertThrows(BusyException.class, () -> fmpl.recv(Span.of(new byte[4]), 0, 0));
        fmpl.send(Span.of(new byte[] {4, 3, 2, 1}), 0, 0);
        assertEquals(4, first.await());
        assertArrayEquals(new byte[] {4, 3, 2, 1}, got);
    }

    @Test
    void should_report_each_operation_once_to_wait_any() {
        Request[] all = new Request[4];
        for (int mai = 0; mai < 4; mai++) {
            all[mai] = fmpl.irecv(Span.of(new byte[8]), 0, mai);
        }
        for (int mai : new int[] {2, 0, 3, 1}) {
            fmpl.send(Span.of(new byte[mai]), 0, mai);
            assertEquals(mai, fmpl.waitAny(all));
            assertEquals(mai, all[mai].received());
        }
        assertEquals(-1, fmpl.waitAny(all));
        assertEquals(-1, fmpl.waitAny());
        fmpl.waitAll(all);
    }

    @Test
    void should_wait_for_all_even_if_one_fails() {
        Request small = fmpl.irecv(Span.of(new byte[1]), 0, 0);
        Request large = fmpl.irecv(Span.of(new byte[10]), 0, 1);
        fmpl.send(Span.of(new byte[5]), 0, 0);
        fmpl.send(Span.of(new byte[5]), 0, 1);
        assertThrows(TruncationException.class, () -> fmpl.waitAll(small, large));
        assertEquals(5, large.received());
        assertEquals(0, small.received());
        assertEquals(5, fmpl.recv(Span.of(new byte[5]), 0, 0));
    }

    @Test
    void should_put_a_send_without_receive_aside() {
        fmpl.setSendBuffer(job.allocate(1 << 20), Duration.ofMillis(1));
        byte[] data = new byte[100_000];
        data[99_999] = 3;
        fmpl.send(Span.of(data), 0, 0);
        assertEquals(1, fmpl.checkSendBuffer().waiting());
        assertThrows(BusyException.class, () -> fmpl.setSendBuffer(null, null));
        byte[] got = new byte[100_000];
        assertEquals(100_000, fmpl.recv(Span.of(got), 0, 0));
        assertEquals(3, got[99_999]);
        assertEquals(0, fmpl.checkSendBuffer().waiting());
        fmpl.setSendBuffer(null, null);
    }

    @Test
    void should_reduce_by_a_function_of_the_users() {
        try (Reduction product = Reduction.of(fmpl, 8, (inout, in, count) -> {
            for (int i = 0; i < count; i++) {
                inout.putDouble(8 * i, inout.getDouble(8 * i) * in.getDouble(8 * i));
            }
        })) {
            double[] values = {1, 2, 3};
            fmpl.allreduce(Span.of(values), product);
            assertArrayEquals(new double[] {1, 2, 3}, values);
        }
    }

    @Test
    void should_end_a_blocked_receive_when_another_thread_closes() throws Exception {
        FutureTask<Throwable> receiver = start(() -> assertThrows(HayateException.class,
                () -> fmpl.recv(Span.of(new byte[8]), 0, 0)));
        Request pending = fmpl.irecv(Span.of(new double[8]), 0, 1);
        fmpl.close();
        assertSame(ClosedException.class, receiver.get().getClass());
        assertThrows(ClosedException.class, pending::await);
        assertThrows(ClosedException.class, () -> fmpl.send(Span.of(new byte[1]), 0, 0));
    }
}
