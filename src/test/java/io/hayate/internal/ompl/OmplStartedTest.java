// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.ompl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.BusyException;
import io.hayate.internal.job.HeapBlock;
import io.hayate.internal.job.Job;
import io.hayate.internal.job.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class OmplStartedTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 2000;
    private static final int TARGETS = 2;
    private static final Memory NOTHING = new Memory(new byte[0], 0, 0, false, null, null);

    private final OmplStarted started = new OmplStarted();
    private final Network network = new Network();
    private Job job;

    /** Operations, of which a flush completes those that had begun before it. */
    private static final class Network {
        private static final class Operation {
            private final int target;
            private volatile boolean over;

            Operation(int target) {
                this.target = target;
            }
        }

        private final Queue<Operation> underWay = new ConcurrentLinkedQueue<>();

        Operation begin(int target) {
            Operation operation = new Operation(target);
            underWay.add(operation);
            return operation;
        }

        void flush(int target, Runnable meanwhile) {
            List<Operation> seen = new ArrayList<>(underWay);
            seen.removeIf(operation -> target >= 0 && operation.target != target);
            meanwhile.run();
            seen.forEach(operation -> operation.over = true);
            underWay.removeAll(seen);
        }
    }

    @BeforeEach
    void open() {
        job = Job.open(Function.identity());
    }

    /** JUnit may keep this object, which must not keep the job for others to find. */
    @AfterEach
    void close() {
        job.close();
        job = null;
    }

    /** Some memory, and the hold on it. */
    private final class Some {
        final HeapBlock block = HeapBlock.allocate(job, 64, Function.identity());
        final OmplStarted.Held held;

        Some(int target) {
            held = started.hold(target, new Memory(block));
        }

        void assertHeld() {
            assertThrows(BusyException.class, block::close);
        }
    }

    private Some noted(int target) {
        Some some = new Some(target);
        some.held.note();
        return some;
    }

    @Test
    void should_hold_what_was_noted_until_its_flush() {
        Some some = noted(1);
        started.complete(started.underWay(0));
        some.assertHeld();
        started.complete(started.underWay(1));
        some.block.close();
    }

    @Test
    void should_hold_what_was_noted_behind_the_beginning_of_a_flush() {
        Some before = new Some(0);
        Some behind = new Some(0);
        before.held.note();
        Map<Integer, Long> underWay = started.underWay(-1);
        behind.held.note();
        started.complete(underWay);
        before.block.close();
        behind.assertHeld();
        started.complete(started.underWay(-1));
        behind.block.close();
    }

    @Test
    void should_hold_an_operation_that_is_not_noted_yet_during_the_flush_of_another() {
        Some some = new Some(0);
        started.complete(started.underWay(-1));
        some.assertHeld();
        some.held.release();
        some.block.close();
    }

    @Test
    void should_free_the_memory_of_whoever_flushes_first() {
        Some some = noted(0);
        Map<Integer, Long> slow = started.underWay(-1);
        started.complete(started.underWay(0));
        some.block.close();
        started.complete(slow);
        Some next = noted(0);
        started.complete(slow);
        next.assertHeld();
        started.complete(started.underWay(0));
        next.block.close();
    }

    @Test
    void should_ask_for_a_flush_when_many_are_under_way() {
        for (int i = 1; i < OmplStarted.MOST; i++) {
            assertTrue(!started.hold(0, NOTHING).note(), "at " + i);
        }
        assertTrue(started.hold(0, NOTHING).note());
        started.complete(started.underWay(0));
        assertTrue(!started.hold(0, NOTHING).note());
    }

    private static void pause(Random random) {
        for (int turns = random.nextInt(4) * random.nextInt(60); turns > 0; turns--) {
            Thread.onSpinWait();
        }
        if (random.nextInt(8) == 0) {
            Thread.yield();
        }
    }

    /** Others of the same thread, of which nobody asks anything back. */
    private void crowd(int target, Random random) {
        for (int others = random.nextInt(20); others > 0; others--) {
            started.hold(target, NOTHING).note();
        }
    }

    private void flush(int target, Random random) {
        Map<Integer, Long> underWay = started.underWay(target);
        network.flush(target, () -> pause(random));
        started.complete(underWay);
    }

    private static boolean closes(HeapBlock block) {
        try {
            block.close();
            return true;
        } catch (BusyException held) {
            return false;
        }
    }

    /** One operation, which may be refused; its memory is asked for back at any time. */
    private void operate(Random random) {
        int target = random.nextInt(TARGETS);
        Some some = new Some(target);
        pause(random);
        if (random.nextInt(4) == 0) {
            some.held.release();
            some.block.close();
            return;
        }
        Network.Operation operation = network.begin(target);
        pause(random);
        some.held.note();
        crowd(target, random);
        if (random.nextBoolean() && closes(some.block)) {
            assertTrue(operation.over, "the memory was given back under the operation");
        }
        flush(random.nextInt(4) == 0 ? -1 : target, random);
        assertTrue(operation.over);
        some.block.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void should_hold_memory_just_as_long_as_operations_of_many_threads_take(long seed)
            throws Exception {
        long free = job.heapFree();
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(seed * THREADS + i);
            all.add(pool.submit(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    operate(random);
                }
            }));
        }
        pool.shutdown();
        assertTrue(pool.awaitTermination(100, TimeUnit.SECONDS));
        for (Future<?> each : all) {
            each.get();
        }
        assertEquals(free, job.heapFree());
    }
}
