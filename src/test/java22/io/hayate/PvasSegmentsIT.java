// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@Timeout(300)
@EnabledForJreRange(min = JRE.JAVA_22)
class PvasSegmentsIT {
    /** No method of a test may have a type that JDK 17 lacks in its signature. */
    private static ByteBuffer buffer(Object segment) {
        return ((MemorySegment) segment).asByteBuffer().order(ByteOrder.nativeOrder());
    }

    @Test
    void should_end_segments_with_their_memory() {
        try (Pvas space = PvasTasks.create();
                PvasTask task = space.spawn(PvasTasks.java("values"))) {
            PvasMemory memory = task.memory("values");
            Object segment = PvasSegments.of(memory);
            assertEquals(memory.bytes(), ((MemorySegment) segment).byteSize());
            assertFalse(((MemorySegment) segment).isReadOnly());
            ByteBuffer buffer = buffer(segment);
            assertEquals(PvasTaskMain.value(9), buffer.getLong(72));
            ByteBuffer other = buffer(PvasSegments.of(memory));
            other.putLong(72, 1);
            assertEquals(1, memory.getLongAcquire(72));
            memory.close();
            assertThrows(IllegalStateException.class, () -> buffer.getLong(72));
            assertThrows(IllegalStateException.class, () -> other.putLong(72, 1));
            assertThrows(IllegalStateException.class,
                    () -> ((MemorySegment) segment).fill((byte) 1));
            assertThrows(ClosedException.class, () -> PvasSegments.of(memory));
            assertThrows(ArgumentException.class, () -> PvasSegments.of(null));
        }
    }

    @Test
    void should_give_the_partition_back_at_once_whoever_has_segments() {
        try (Pvas space = PvasTasks.create(1)) {
            for (int i = 0; i < 3; i++) {
                ByteBuffer buffer;
                try (PvasTask task = space.spawn(PvasTasks.java("values"))) {
                    buffer = buffer(PvasSegments.of(task.memory("values")));
                    assertEquals(PvasTaskMain.value(1), buffer.getLong(8));
                }
                ByteBuffer dead = buffer;
                assertThrows(IllegalStateException.class, () -> dead.getLong(8));
            }
        }
    }

    @Test
    void should_stop_a_thread_that_reads_when_the_space_is_closed() throws Exception {
        Pvas space = PvasTasks.create();
        PvasTask task = space.spawn(PvasTasks.java("counter"));
        ByteBuffer count = buffer(PvasSegments.of(task.memory("count")));
        CountDownLatch reading = new CountDownLatch(1);
        FutureTask<Long> reader = new FutureTask<>(() -> {
            for (long rounds = 0; true; rounds++) {
                try {
                    count.getLong(0);
                } catch (IllegalStateException closed) {
                    return rounds;
                }
                reading.countDown();
            }
        });
        new Thread(reader).start();
        assertTrue(reading.await(120, TimeUnit.SECONDS));
        space.close();
        assertTrue(reader.get(120, TimeUnit.SECONDS) > 0);
    }

    @Test
    void should_keep_memory_that_only_a_segment_reaches() throws Exception {
        try (Pvas space = PvasTasks.create();
                PvasTask task = space.spawn(PvasTasks.java("values"))) {
            ByteBuffer buffer = buffer(PvasSegments.of(task.memory("values")));
            for (int i = 0; i < 10; i++) {
                System.gc();
                Thread.sleep(5);
                assertEquals(PvasTaskMain.value(2), buffer.getLong(16));
            }
        }
    }

    @Test
    void should_give_read_only_segments_of_read_only_memory() {
        try (Pvas space = PvasTasks.create();
                PvasTask task = space.spawn(PvasTasks.java("odd"))) {
            assertTrue(PvasSegments.of(task.memory("code")).isReadOnly());
        }
    }
}
