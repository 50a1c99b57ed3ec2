// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.internal.job.Waker;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadTest extends OneRank {
    /** Far more than there are carriers: if blocking held those, nothing would go on. */
    private static final int MANY = 200;

    VirtualThreadTest() {
        super(MANY);
    }

    private record Started<T>(Thread thread, FutureTask<T> task) {
        T get() throws Exception {
            return task.get(120, TimeUnit.SECONDS);
        }
    }

    private static <T> Started<T> start(Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class)
                .invoke(null, task);
        return new Started<>(thread, task);
    }

    private static void awaitParked(Thread thread) {
        awaitState(thread, Thread.State.WAITING);
    }

    private static void awaitState(Thread thread, Thread.State state) {
        while (thread.getState() != state) {
            assertTrue(thread.isAlive(), "the thread has ended, and was never " + state);
            Thread.onSpinWait();
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
    void should_end_the_wait_by_an_interrupt_and_keep_flag_and_message() throws Exception {
        Started<Boolean> receiver = start(() -> {
            assertThrows(InterruptedWaitException.class,
                    () -> fmpl.recv(Span.of(new byte[8]), 0, 0));
            return Thread.currentThread().isInterrupted();
        });
        awaitParked(receiver.thread());
        receiver.thread().interrupt();
        assertTrue(receiver.get());
        fmpl.send(Span.of(new byte[3]), 0, 0);
        assertEquals(3, fmpl.recv(Span.of(new byte[8]), 0, 0));
    }

    @Test
    void should_wake_parked_threads_when_the_job_is_closed() throws Exception {
        Started<HayateException> receiver = start(() -> assertThrows(HayateException.class,
                () -> fmpl.recv(Span.of(new byte[8]), 0, 0)));
        awaitParked(receiver.thread());
        job.close();
        assertSame(ClosedException.class, receiver.get().getClass());
    }

    /** As good as the thread, for a map. */
    private static final class Twin extends Thread {
        private final int hash;

        Twin(Thread thread) {
            hash = thread.hashCode();
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /** Holds the lock of the bin of the waker's set in which the thread is. */
    private static Started<Boolean> holdInWaker(Waker waker, Thread thread, CountDownLatch until)
            throws Exception {
        Field set = Waker.class.getDeclaredField("parked");
        set.setAccessible(true);
        var parked = (ConcurrentHashMap.KeySetView<?, ?>) set.get(waker);
        @SuppressWarnings("unchecked")
        var map = (ConcurrentHashMap<Thread, Boolean>) parked.getMap();
        Twin twin = new Twin(thread);
        CountDownLatch held = new CountDownLatch(1);
        FutureTask<Boolean> holding = new FutureTask<>(() -> {
            map.put(twin, true);
            map.computeIfPresent(twin, (key, value) -> {
                held.countDown();
                try {
                    until.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                return value;
            });
            return map.remove(twin);
        });
        Thread holder = new Thread(holding);
        holder.start();
        held.await();
        return new Started<>(holder, holding);
    }

    /** On all carriers the last failure is another one then. */
    private void failElsewhere() throws Exception {
        List<Started<Integer>> others = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            others.add(start(() -> {
                for (int j = 0; j < 20; j++) {
                    assertThrows(MemoryExhaustedException.class, () -> job.allocate(1L << 60));
                    Thread.yield();
                }
                return 0;
            }));
        }
        for (Started<Integer> other : others) {
            other.get();
        }
    }

    /** Something that waits for rank 1, and ends with that, or with the end of the space. */
    private interface Wait {
        void run(Opened mine) throws Exception;
    }

    private record Opened(Fmpl fmpl, PersistentOperation barrier, Ompl ompl)
            implements AutoCloseable {
        @Override
        public void close() {
            ompl.close();
            fmpl.close();
        }

        static Opened of(Hayate job) {
            Fmpl fmpl = Fmpl.init(job, 1);
            return new Opened(fmpl, PersistentColl.on(fmpl.create(true)).barrier(),
                    Ompl.open(job, 4096));
        }
    }

    private static final Map<String, Wait> WAITS = Map.of(
            "recv", mine -> mine.fmpl.recv(Span.of(new byte[8]), 1, 0),
            "send", mine -> mine.fmpl.send(Span.of(new byte[100_000]), 1, 0),
            "await", mine -> mine.fmpl.irecv(Span.of(new byte[8]), 1, 0).await(),
            "waitAny", mine -> {
                Request request = mine.fmpl.irecv(Span.of(new byte[8]), 1, 0);
                assertEquals(0, mine.fmpl.waitAny(request));
                request.await();
            },
            "barrier", mine -> mine.fmpl.barrier(),
            "persistent", mine -> {
                mine.barrier.start();
                mine.barrier.await();
            },
            "waitUntil", mine -> mine.ompl.waitUntil(0, Ompl.Comparison.NE, 0));

    /**
     * From JDK 24 on a contended monitor lets go of the carrier: the wait has failed, and does not
     * get out of the waker's set before others have failed on its carrier.
     */
    @ParameterizedTest
    @ValueSource(strings = {"recv", "send", "await", "waitAny", "barrier", "persistent",
        "waitUntil"})
    @EnabledForJreRange(min = JRE.JAVA_24)
    void should_tell_the_reason_of_its_own_failure_wherever_it_goes_on(String what)
            throws Exception {
        List<Hayate> pair = Hayate.initThreads(2);
        FutureTask<Opened> second = new FutureTask<>(() -> Opened.of(pair.get(1)));
        new Thread(second).start();
        Opened mine = Opened.of(pair.get(0));
        second.get();
        Started<HayateException> wait = start(() -> assertThrows(HayateException.class,
                () -> WAITS.get(what).run(mine)));
        awaitParked(wait.thread());
        CountDownLatch until = new CountDownLatch(1);
        Started<Boolean> holder = holdInWaker(pair.get(0).job.waker(), wait.thread(), until);
        pair.get(1).close();
        mine.ompl.close();
        awaitState(wait.thread(), Thread.State.BLOCKED);
        failElsewhere();
        until.countDown();
        HayateException failure = wait.get();
        if ("waitUntil".equals(what)) {
            assertEquals("the global space is closed", failure.reason());
        } else {
            assertEquals("rank 1 left the job", failure.reason());
            assertEquals(1, failure.peer());
        }
        assertTrue(holder.get());
        pair.get(0).close();
    }

    @Test
    void should_put_sends_aside_that_nobody_receives() throws Exception {
        byte[] out = new byte[9000];
        Arrays.fill(out, (byte) 7);
        fmpl.setSendBuffer(Span.of(ByteBuffer.allocateDirect(20_000)), Duration.ofMillis(1));
        start(() -> {
            fmpl.send(Span.of(out), 0, 0);
            return null;
        }).get();
        byte[] sent = out.clone();
        Arrays.fill(out, (byte) 0);
        byte[] in = new byte[9000];
        fmpl.recv(Span.of(in), 0, 0);
        assertArrayEquals(sent, in);
    }

    /** Of a rank that is a virtual thread: sets everything up, which waits for the others. */
    private static double setUpAndAdd(Hayate mine) throws Exception {
        double[] values = {1.5};
        try (Opened opened = Opened.of(mine)) {
            opened.barrier.start();
            opened.barrier.await();
            opened.fmpl.allreduce(Span.of(values), Reduction.DOUBLE_SUM);
        }
        return values[0];
    }

    private static void sendEach(Hayate mine, int messages) {
        try (Hayate joined = mine; Fmpl opened = Fmpl.init(joined)) {
            for (int i = 0; i < messages; i++) {
                opened.send(Span.of(new byte[1_000_000]), 1 - joined.rank(), 0);
            }
        }
    }

    /** Limits of microseconds: now and then one is over while the message arrives. */
    private static int receiveEach(Hayate mine, int messages) {
        try (Hayate joined = mine; Fmpl opened = Fmpl.init(joined)) {
            Span memory = Span.of(new byte[1_000_000]);
            int received = 0;
            for (int tries = 0; received < messages; tries++) {
                try {
                    opened.recv(memory, 1 - joined.rank(), 0,
                            Duration.ofNanos(1 + tries % 300 * 1000L));
                    received++;
                } catch (TimedOutException early) {
                    Thread.yield();
                }
            }
            return received;
        }
    }

    /** All carriers at once would be pinned, and no sender would run again. */
    @Test
    void should_not_pin_carriers_while_a_late_receive_ends() throws Exception {
        List<Started<Integer>> receivers = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            List<Hayate> pair = Hayate.initThreads(2);
            start(() -> {
                sendEach(pair.get(0), 500);
                return null;
            });
            receivers.add(start(() -> receiveEach(pair.get(1), 500)));
        }
        for (Started<Integer> receiver : receivers) {
            assertEquals(500, receiver.get());
        }
    }

    @Test
    void should_set_up_more_ranks_than_there_are_carriers() throws Exception {
        int ranks = 2 * Runtime.getRuntime().availableProcessors() + 1;
        List<Hayate> jobs = Hayate.initThreads(ranks);
        List<Started<Double>> all = new ArrayList<>();
        for (Hayate each : jobs) {
            all.add(start(() -> setUpAndAdd(each)));
        }
        for (Started<Double> each : all) {
            assertEquals(1.5 * ranks, each.get());
        }
        jobs.forEach(Hayate::close);
    }

    @Test
    void should_tell_who_called_a_set_up_that_failed() throws Exception {
        Started<ArgumentException> failed = start(() -> assertThrows(ArgumentException.class,
                () -> Ompl.open(job, -1)));
        ArgumentException failure = failed.get();
        assertTrue(failure.reason().contains("-1"), failure.reason());
        assertTrue(Arrays.stream(failure.getStackTrace()).anyMatch(
                frame -> frame.getClassName().equals(VirtualThreadTest.class.getName())));
    }
}
