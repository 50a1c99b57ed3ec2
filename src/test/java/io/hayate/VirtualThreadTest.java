// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@Timeout(60)
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadTest {
    /** Far more than there are carriers: if blocking held those, nothing would go on. */
    private static final int MANY = 200;

    private Hayate job;
    private Fmpl fmpl;

    @BeforeEach
    void open() {
        job = Hayate.init();
        fmpl = Fmpl.init(job, MANY);
    }

    @AfterEach
    void close() {
        fmpl.close();
        job.close();
    }

    private record Started<T>(Thread thread, FutureTask<T> task) {
        T get() throws Exception {
            return task.get(30, TimeUnit.SECONDS);
        }
    }

    private static <T> Started<T> start(Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class)
                .invoke(null, task);
        return new Started<>(thread, task);
    }

    private static void awaitParked(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void should_let_others_run_while_receives_wait() throws Exception {
        List<Started<Long>> receivers = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            int mai = i;
            Span span = i % 2 == 0 ? Span.of(new byte[9000])
                    : Span.of(ByteBuffer.allocateDirect(9000));
            receivers.add(start(() -> fmpl.recv(span, 0, mai)));
        }
        for (Started<Long> receiver : receivers) {
            awaitParked(receiver.thread());
        }
        for (int i = 0; i < MANY; i++) {
            int mai = i;
            start(() -> {
                fmpl.send(Span.of(new byte[8000 + mai]), 0, mai);
                return null;
            });
        }
        for (int i = 0; i < MANY; i++) {
            assertEquals(8000 + i, receivers.get(i).get());
        }
    }

    @Test
    void should_pass_messages_on_from_thread_to_thread() throws Exception {
        int rounds = 500;
        Started<Long> echo = start(() -> {
            long[] value = new long[1];
            Span span = Span.of(value);
            for (int i = 0; i < rounds; i++) {
                fmpl.recv(span, 0, 0);
                value[0]++;
                fmpl.send(span, 0, 1);
            }
            return value[0];
        });
        long[] value = new long[1];
        Span span = Span.of(value);
        for (int i = 0; i < rounds; i++) {
            fmpl.send(span, 0, 0);
            fmpl.recv(span, 0, 1);
        }
        assertEquals(rounds, value[0]);
        assertEquals(rounds, echo.get());
    }

    @Test
    void should_wait_for_requests_without_a_carrier() throws Exception {
        Started<Integer> waiter = start(() -> {
            Request first = fmpl.irecv(Span.of(new byte[8]), 0, 0);
            Request second = fmpl.irecv(Span.of(new byte[8]), 0, 1);
            int index = fmpl.waitAny(first, second);
            first.await();
            return index;
        });
        awaitParked(waiter.thread());
        fmpl.send(Span.of(new byte[5]), 0, 1);
        fmpl.send(Span.of(new byte[6]), 0, 0);
        int index = waiter.get();
        assertTrue(index == 1 || index == 0, "index " + index);
    }

    @Test
    void should_go_on_after_an_interrupt_and_keep_the_flag() throws Exception {
        Started<Boolean> receiver = start(() -> {
            assertEquals(3, fmpl.recv(Span.of(new byte[8]), 0, 0));
            return Thread.currentThread().isInterrupted();
        });
        awaitParked(receiver.thread());
        receiver.thread().interrupt();
        fmpl.send(Span.of(new byte[3]), 0, 0);
        assertTrue(receiver.get());
    }

    @Test
    void should_wake_parked_threads_when_the_job_is_closed() throws Exception {
        Started<HayateException> receiver = start(() -> assertThrows(HayateException.class,
                () -> fmpl.recv(Span.of(new byte[8]), 0, 0)));
        awaitParked(receiver.thread());
        job.close();
        assertSame(ClosedException.class, receiver.get().getClass());
    }

    @Test
    void should_run_collectives() throws Exception {
        Started<Double> member = start(() -> {
            double[] values = {1.5};
            fmpl.barrier();
            fmpl.allreduce(Span.of(values), Reduction.DSUM);
            return values[0];
        });
        assertEquals(1.5, member.get());
    }
}
