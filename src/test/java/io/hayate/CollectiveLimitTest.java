// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.function.Executable;

/** Limits of all waits of an FMPL, and what remains of collectives that are given up. */
@Timeout(300)
class CollectiveLimitTest {
    private static final Duration SHORT = Duration.ofMillis(60);

    /** A member may complete what another one has given up, if everything was sent, but no more. */
    private static int shouldBreak(Runnable collective) {
        return assertThrows(BrokenCommunicatorException.class, () -> {
            collective.run();
            collective.run();
        }).peer();
    }

    @Test
    void should_give_up_a_collective_at_the_limit_and_break_only_its_communicator()
            throws Exception {
        ThreadJob.run(2, (job, fmpl) -> {
            Communicator comm = fmpl.world().dup();
            HeapSpan span = job.allocate(8000);
            if (job.rank() == 0) {
                fmpl.timeout(SHORT);
                TimedOutException late = assertThrows(TimedOutException.class,
                        () -> comm.allreduce(span, Reduction.DOUBLE_SUM));
                assertEquals(1, late.peer());
                assertTrue(late.reason().contains("allreduce number"), late.reason());
                fmpl.timeout(Ompl.FOREVER);
                assertThrows(BrokenCommunicatorException.class, comm::barrier);
                assertThrows(BrokenCommunicatorException.class,
                        () -> comm.iallreduce(span, Reduction.DOUBLE_SUM));
                assertThrows(BrokenCommunicatorException.class, comm::dup);
                assertThrows(BusyException.class, span::close);
                fmpl.send(Span.of(new byte[3]), 1, 0);
            } else {
                assertEquals(3, fmpl.recv(Span.of(new byte[8]), 0, 0));
                assertEquals(0, shouldBreak(() -> comm.allreduce(span, Reduction.DOUBLE_SUM)));
                assertThrows(BrokenCommunicatorException.class, comm::barrier);
            }
            comm.close();
            fmpl.barrier();
        });
    }

    /** The other member is late: it may use this memory until it learns of the mismatch, too. */
    @Test
    void should_hold_the_memory_of_a_collective_that_failed_by_a_mismatch() throws Exception {
        ThreadJob.run(2, (job, outer) -> {
            Fmpl fmpl = Fmpl.init(job);
            Communicator blocking = fmpl.world().dup();
            Communicator apart = fmpl.world().dup();
            Communicator started = fmpl.world().dup();
            int bytes = 4000 * (1 + job.rank());
            HeapSpan first = job.allocate(bytes);
            HeapSpan in = job.allocate(bytes);
            HeapSpan out = job.allocate(2 * bytes);
            HeapSpan last = job.allocate(bytes);
            assertThrows(MismatchException.class,
                    () -> blocking.allreduce(first, Reduction.DOUBLE_SUM));
            assertThrows(MismatchException.class, () -> apart.allgather(in, out));
            assertThrows(MismatchException.class,
                    () -> started.iallreduce(last, Reduction.DOUBLE_SUM).await());
            for (HeapSpan span : List.of(first, in, out, last)) {
                assertThrows(BusyException.class, span::close);
            }
            HeapSpan refused = job.allocate(8);
            assertThrows(ArgumentException.class, () -> fmpl.world().bcast(refused, 7));
            assertThrows(MismatchException.class,
                    () -> blocking.allreduce(refused, Reduction.DOUBLE_SUM));
            refused.close();
            fmpl.barrier();
            fmpl.close();
            for (HeapSpan span : List.of(first, in, out, last)) {
                span.close();
            }
        });
    }

    @Test
    void should_hold_each_memory_of_a_collective_on_several_that_failed() throws Exception {
        ThreadJob.run(2, (job, outer) -> {
            Fmpl fmpl = Fmpl.init(job);
            Communicator apart = fmpl.world().dup();
            Communicator spans = fmpl.world().dup();
            HeapSpan[] held = new HeapSpan[5];
            Arrays.setAll(held, i -> job.allocate(4000 * (1 + job.rank())));
            assertThrows(MismatchException.class,
                    () -> apart.allreduce(held[0], held[1], Reduction.DOUBLE_SUM));
            assertThrows(MismatchException.class, () -> spans.alltoallw(
                    new Span[] {held[2], held[2]}, new Span[] {held[3], held[4]}));
            for (HeapSpan span : held) {
                assertThrows(BusyException.class, span::close);
            }
            fmpl.barrier();
            fmpl.close();
            for (HeapSpan span : held) {
                span.close();
            }
        });
    }

    /** It had begun, unlike one that was refused because there is no memory. */
    @Test
    void should_hold_the_memory_of_a_collective_that_ran_out_of_memory() throws Exception {
        ThreadJob.run(2, (job, outer) -> {
            Fmpl fmpl = Fmpl.init(job);
            Communicator comm = fmpl.world().dup();
            HeapSpan in = job.allocate(200);
            HeapSpan out = job.allocate(400);
            List<HeapSpan> ballast = job.rank() == 0 ? fill(job) : List.of();
            assertThrows(MemoryExhaustedException.class,
                    () -> comm.allgatherv(in, out, new long[] {200, 200}, null));
            for (HeapSpan span : List.of(in, out)) {
                assertThrows(BusyException.class, span::close);
            }
            ballast.forEach(HeapSpan::close);
            fmpl.barrier();
            fmpl.close();
            in.close();
            out.close();
        });
    }

    private static List<HeapSpan> fill(Hayate job) {
        List<HeapSpan> all = new ArrayList<>();
        for (long bytes = job.heapSize(); bytes > 0; ) {
            try {
                all.add(job.allocate(bytes));
            } catch (MemoryExhaustedException full) {
                bytes /= 2;
            }
        }
        return all;
    }

    @Test
    void should_tell_a_member_that_waits_in_a_non_blocking_collective() throws Exception {
        ThreadJob.run(2, (job, fmpl) -> {
            Communicator comm = fmpl.world().dup();
            double[] values = {1};
            if (job.rank() == 0) {
                fmpl.timeout(SHORT);
                assertThrows(TimedOutException.class, comm::barrier);
                assertArrayEquals(new double[] {1}, values);
                fmpl.timeout(Ompl.FOREVER);
                fmpl.send(Span.of(new byte[1]), 1, 0);
            } else {
                fmpl.recv(Span.of(new byte[1]), 0, 0);
                assertEquals(0, shouldBreak(() -> comm.ibarrier().await()));
            }
        });
    }

    /** Interrupts a thread that waits in the call; returns when it has ended as it should. */
    private static void interrupted(Threads.Starter starter, Executable call) throws Exception {
        CompletableFuture<Boolean> kept = new CompletableFuture<>();
        Thread thread = starter.start(() -> {
            try {
                assertThrows(InterruptedWaitException.class, call);
                kept.complete(Thread.currentThread().isInterrupted());
            } catch (Throwable failure) {
                kept.completeExceptionally(failure);
            }
        });
        thread.join(30); // most often it waits by now; it must end in any case
        thread.interrupt();
        assertTrue(kept.get(), "the status is kept");
    }

    private static void should_be_interruptible(Threads.Starter starter) throws Exception {
        ThreadJob.run(2, (job, fmpl) -> {
            Communicator blocking = fmpl.world().dup();
            Communicator gathering = fmpl.world().dup();
            Communicator started = fmpl.world().dup();
            PersistentOperation operation = PersistentColl.on(started).barrier();
            if (job.rank() == 0) {
                interrupted(starter, blocking::barrier);
                interrupted(starter, () -> gathering.allgather(
                        Span.of(new byte[8]), Span.of(new byte[16])));
                Request request = started.ibarrier();
                interrupted(starter, request::await);
                operation.start();
                interrupted(starter, operation::await);
                assertThrows(TimedOutException.class, () -> operation.await(Duration.ZERO));
                assertThrows(TimedOutException.class, () -> operation.await(SHORT));
                assertThrows(BrokenCommunicatorException.class, blocking::barrier);
                fmpl.send(Span.of(new byte[1]), 1, 0);
                request.await();
                operation.await();
            } else {
                fmpl.recv(Span.of(new byte[1]), 0, 0);
                shouldBreak(blocking::barrier);
                shouldBreak(() -> gathering.allgather(Span.of(new byte[8]), Span.of(new byte[16])));
                started.barrier();
                operation.start();
                operation.await();
            }
            operation.close();
        });
    }

    @Test
    void should_end_collectives_by_an_interrupt() throws Exception {
        should_be_interruptible(Threads::platform);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void should_end_collectives_of_virtual_threads_by_an_interrupt() throws Exception {
        should_be_interruptible(Threads::virtual);
    }

    @Test
    void should_limit_all_waits_of_messages_and_lose_nothing() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            assertEquals(Ompl.FOREVER, fmpl.timeout());
            fmpl.timeout(SHORT);
            assertEquals(SHORT, fmpl.timeout());
            byte[] in = new byte[200_000];
            Request first = fmpl.irecv(Span.of(in), 0, 1);
            Request second = fmpl.irecv(Span.of(in), 0, 2);
            AnySource any = fmpl.anySource(3);
            for (Executable call : new Executable[] {
                () -> fmpl.recv(Span.of(in), 0, 0), () -> fmpl.recvBytes(0, 0),
                () -> fmpl.probe(0, 0), first::await, () -> fmpl.waitAll(first, second),
                () -> fmpl.waitAny(first, second), () -> any.recv(Span.of(in)), any::await}) {
                assertThrows(TimedOutException.class, call);
            }
            byte[] out = new byte[200_000];
            out[7] = 7;
            TimedOutException late = assertThrows(TimedOutException.class,
                    () -> fmpl.send(Span.of(out), 0, 4));
            assertTrue(late.reason().contains("continues in the background"), late.reason());
            assertThrows(TimedOutException.class,
                    () -> fmpl.sendrecv(Span.of(out), 0, 5, Span.of(in), 0, 6));
            assertArrayEquals(out, fmpl.recvBytes(0, 4));
            fmpl.send(Span.of(new byte[1]), 0, 1);
            fmpl.send(Span.of(new byte[2]), 0, 2);
            fmpl.waitAll(first, second);
            assertEquals(2, second.received());
        }
    }

    @Test
    void should_refuse_a_limit_that_is_none() {
        try (Hayate job = Hayate.init()) {
            Fmpl fmpl = Fmpl.init(job);
            assertThrows(ArgumentException.class, () -> fmpl.timeout(null));
            assertThrows(ArgumentException.class, () -> fmpl.timeout(Duration.ZERO));
            assertThrows(ArgumentException.class, () -> fmpl.timeout(Duration.ofSeconds(-1)));
            fmpl.timeout(Duration.ofNanos(1));
            assertThrows(TimedOutException.class, () -> fmpl.probe(0, 0));
            fmpl.timeout(Ompl.FOREVER);
            assertEquals(Ompl.FOREVER, fmpl.timeout());
            fmpl.close();
            assertThrows(ClosedException.class, () -> fmpl.timeout(SHORT));
        }
    }
}
