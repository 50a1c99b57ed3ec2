// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Several threads make random calls on objects that others open, use and close at the same time,
 * while the garbage collector runs. Every call must return or throw an exception of Hayate, and the
 * JVM must survive.
 */
@Timeout(300)
class LifecycleTest {
    private static final int THREADS = 4;
    private static final int CALLS = 4000;
    private static final int MAIS = 4;

    private final AtomicReference<Hayate> job = new AtomicReference<>();
    private final AtomicReference<Fmpl> fmpl = new AtomicReference<>();
    private final AtomicReference<HeapSpan> heap = new AtomicReference<>();
    private final AtomicReference<Communicator> comm = new AtomicReference<>();
    private final AtomicReference<Reduction> reduction = new AtomicReference<>();
    private final AtomicReference<Request> request = new AtomicReference<>();
    private final AtomicReference<ByteBuffer> buffer = new AtomicReference<>();
    private final ConcurrentLinkedQueue<Throwable> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger succeeded = new AtomicInteger();

    private interface Action {
        void run(Random random) throws Exception;
    }

    private final List<Action> actions = List.of(
            random -> job.set(Hayate.init()),
            random -> fmpl.set(Fmpl.init(job.get(), MAIS)),
            random -> heap.set(job.get().allocate(1 + random.nextInt(100_000))),
            random -> comm.set(fmpl.get().create(random.nextInt(4) > 0)),
            random -> reduction.set(Reduction.of(fmpl.get(), 8, (inout, in, n) -> { })),
            random -> buffer.set(heap.get().buffer()),
            random -> fmpl.get().isend(span(random), rank(random), mai(random)),
            random -> request.set(fmpl.get().irecv(span(random), rank(random), mai(random))),
            random -> request.get().test(),
            random -> request.get().cancel(),
            random -> request.get().await(),
            random -> fmpl.get().waitAny(request.get()),
            random -> fmpl.get().send(small(random), rank(random), mai(random)),
            random -> fmpl.get().recv(span(random), rank(random), mai(random)),
            random -> fmpl.get().bcast(span(random), 0, comm.get()),
            random -> fmpl.get().allreduce(Span.of(new double[5]), reduction.get(), comm.get()),
            random -> fmpl.get().barrier(comm.get()),
            random -> fmpl.get().setSendBuffer(
                    random.nextBoolean() ? heap.get() : null, Duration.ofMillis(1)),
            random -> fmpl.get().checkSendBuffer(),
            random -> fmpl.get().breakdown(random.nextBoolean()),
            random -> touch(buffer.get(), random));

    private final List<Action> closes = List.of(
            random -> heap.get().close(),
            random -> comm.get().close(),
            random -> reduction.get().close(),
            random -> fmpl.get().close(),
            random -> job.get().close(),
            random -> forget(),
            random -> System.gc());

    private void forget() {
        fmpl.set(null);
        heap.set(null);
        comm.set(null);
        reduction.set(null);
        request.set(null);
    }

    private static int rank(Random random) {
        return random.nextInt(20) == 0 ? 1 : 0;
    }

    private static int mai(Random random) {
        return random.nextInt(MAIS + 1);
    }

    private Span span(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> heap.get();
            case 1 -> Span.of(ByteBuffer.allocateDirect(random.nextInt(100_000)));
            case 2 -> Span.of(new double[random.nextInt(5_000)]);
            default -> small(random);
        };
    }

    private static Span small(Random random) {
        return Span.of(new byte[random.nextInt(4097)]);
    }

    private static void touch(ByteBuffer memory, Random random) {
        if (memory.capacity() > 0) {
            memory.put(random.nextInt(memory.capacity()), (byte) 1);
        }
    }

    private void call(Action action, Random random) {
        try {
            action.run(random);
            succeeded.incrementAndGet();
        } catch (HayateException | NullPointerException expected) {
            // NullPointerException: of this test, whose objects come and go
        } catch (Throwable e) {
            wrong.add(e);
        }
    }

    private void play(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < CALLS && wrong.isEmpty(); i++) {
            List<Action> list = random.nextInt(40) == 0 ? closes : actions;
            call(list.get(random.nextInt(list.size())), random);
        }
    }

    /** Ends what blocks: a receive of a message that never comes is no fault. */
    private void shake(List<Thread> threads) throws InterruptedException {
        Random random = new Random(7);
        for (Thread thread : threads) {
            for (thread.join(50); thread.isAlive(); thread.join(50)) {
                call(r -> job.get().close(), random);
                call(r -> job.set(Hayate.init()), random);
                call(r -> fmpl.set(Fmpl.init(job.get(), MAIS)), random);
            }
        }
    }

    private static LongStream seeds() {
        return Level.seeds(2, 6);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void should_survive_any_calls_in_any_order(long seed) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            long own = seed * 100 + i;
            Thread thread = new Thread(() -> play(own), "player-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        shake(threads);
        Hayate last = job.get();
        if (last != null) {
            last.close();
        }
        assertEquals(List.of(), List.copyOf(wrong));
        assertTrue(succeeded.get() > CALLS / 10, "only " + succeeded + " calls did anything");
        forget(); // the engine keeps this object
        job.set(null);
        buffer.set(null);
    }
}
