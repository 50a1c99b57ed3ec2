// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests JVMs as tasks of this JVM, which access each other's memory. */
@Timeout(300)
class PvasMemoryIT {
    private static final int VALUES = PvasTaskMain.VALUES;
    private static final long BYTES = (long) VALUES * Long.BYTES;

    private Pvas space;

    @BeforeEach
    void open() {
        space = PvasTasks.create();
    }

    @AfterEach
    void close() {
        if (space != null) {
            space.close();
        }
    }

    private static void assertValues(ByteBuffer memory) {
        LongBuffer longs = memory.asLongBuffer();
        assertEquals(VALUES, longs.remaining());
        for (int i = 0; i < VALUES; i++) {
            assertEquals(PvasTaskMain.value(i), longs.get(i), "value " + i);
        }
    }

    @Test
    void should_see_what_a_task_exports() throws Exception {
        try (PvasTask task = space.spawn(PvasTasks.java("values"))) {
            PvasMemory memory = task.memory("values");
            assertEquals("values", memory.name());
            assertEquals(BYTES, memory.bytes());
            assertFalse(memory.isReadOnly());
            assertValues(memory.buffer());
            assertValues(memory.readOnlyBuffer());
            ByteBuffer readOnly = memory.readOnlyBuffer();
            assertThrows(ReadOnlyBufferException.class, () -> readOnly.put(0, (byte) 1));
            assertEquals(PvasTaskMain.value(5), memory.buffer(40, 8).getLong(0));
            assertEquals(PvasTaskMain.value(7), memory.getLongAcquire(56));
            task.stdin().close();
            assertTrue(task.await().good(), task::toString);
        }
    }

    @Test
    void should_read_and_write_parts() {
        try (PvasTask task = space.spawn(PvasTasks.java("values"))) {
            PvasMemory memory = task.memory("values");
            PvasMemory same = task.memory("values");
            ByteBuffer part = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
            memory.read(8, part);
            assertEquals(PvasTaskMain.value(2), part.getLong(8));
            same.write(BYTES - 16, part.flip());
            assertEquals(PvasTaskMain.value(1), memory.getLongAcquire(BYTES - 16));
            same.putLongRelease(0, -1);
            same.putIntRelease(12, 77);
            assertEquals(-1, memory.getIntAcquire(4));
            assertEquals(77, memory.buffer().getInt(12));
            assertOutside(memory);
        }
    }

    private static void assertOutside(PvasMemory memory) {
        long[] outside = {-8, BYTES, BYTES - 4, Long.MAX_VALUE, Long.MIN_VALUE};
        for (long offset : outside) {
            assertThrows(ArgumentException.class, () -> memory.getLongAcquire(offset));
            assertThrows(ArgumentException.class, () -> memory.putLongRelease(offset, 1));
            assertThrows(ArgumentException.class, () -> memory.buffer(offset, 8));
            assertThrows(ArgumentException.class,
                    () -> memory.read(offset, ByteBuffer.allocate(8)));
            assertThrows(ArgumentException.class,
                    () -> memory.write(offset, ByteBuffer.allocate(8)));
        }
        assertThrows(ArgumentException.class, () -> memory.buffer(0, -1));
        assertThrows(ArgumentException.class, () -> memory.getLongAcquire(4));
        assertThrows(ArgumentException.class, () -> memory.putIntRelease(2, 1));
        assertThrows(ArgumentException.class, () -> memory.read(0, null));
        assertThrows(ArgumentException.class, () -> memory.write(0, null));
        assertThrows(ArgumentException.class,
                () -> memory.read(0, ByteBuffer.allocate(8).asReadOnlyBuffer()));
        assertEquals(0, memory.buffer(BYTES, 0).remaining());
    }

    @Test
    void should_read_the_last_state_after_death_and_after_close() {
        PvasTask task = space.spawn(PvasTasks.java("values"));
        PvasMemory memory = task.memory("values");
        ByteBuffer buffer = memory.buffer();
        task.kill();
        assertEquals(9, task.await().code());
        assertValues(buffer);
        assertValues(memory.buffer());
        PvasMemory afterDeath = task.memory("values");
        assertValues(afterDeath.buffer());
        task.close();
        assertThrows(ClosedException.class, memory::buffer);
        assertThrows(ClosedException.class, () -> memory.getLongAcquire(0));
        assertThrows(ClosedException.class, () -> afterDeath.read(0, ByteBuffer.allocate(8)));
        assertThrows(ClosedException.class, () -> afterDeath.putLongRelease(0, 1));
        memory.close();
        assertEquals(BYTES, memory.bytes());
        assertValues(buffer);
        space.close();
        System.gc();
        assertValues(buffer.duplicate().order(ByteOrder.nativeOrder()));
        buffer.putLong(0, 5);
        assertEquals(5, buffer.getLong(0));
    }

    @Test
    void should_close_memory_with_its_task_or_before_it() {
        try (PvasTask task = space.spawn(PvasTasks.java("values"))) {
            PvasMemory memory = task.memory("values");
            memory.close();
            memory.close();
            assertThrows(ClosedException.class, memory::buffer);
            assertValues(task.memory("values").buffer());
        }
    }

    @Test
    void should_give_the_partition_back_when_no_buffer_can_be_reached() {
        try (Pvas small = PvasTasks.create(1)) {
            ByteBuffer[] kept = {bufferOfClosedTask(small)};
            assertThrows(MemoryExhaustedException.class, () -> small.spawn(PvasTasks.sh("exit 3")));
            assertValues(kept[0]);
            kept[0] = null;
            assertEquals(3, small.spawn(PvasTasks.sh("exit 3")).await().code());
        }
    }

    private static ByteBuffer bufferOfClosedTask(Pvas small) {
        try (PvasTask task = small.spawn(PvasTasks.java("values"))) {
            ByteBuffer whole = task.memory("values").buffer();
            return whole.slice().order(whole.order());
        }
    }

    @Test
    void should_give_the_partition_back_at_once_when_no_buffer_was_taken() {
        try (Pvas small = PvasTasks.create(1)) {
            for (int i = 0; i < 3; i++) {
                try (PvasTask task = small.spawn(PvasTasks.java("values"))) {
                    PvasMemory memory = task.memory("values");
                    ByteBuffer copy = ByteBuffer.allocate((int) BYTES)
                            .order(ByteOrder.nativeOrder());
                    memory.read(0, copy);
                    assertValues(copy.flip());
                    assertEquals(PvasTaskMain.value(3), memory.getLongAcquire(24));
                }
            }
        }
    }

    @Test
    void should_stop_those_who_read_and_write_when_the_space_is_closed() throws Exception {
        for (int round = 0; round < 3; round++) {
            PvasTask task = space.spawn(PvasTasks.java("values"));
            PvasMemory memory = task.memory("values");
            CountDownLatch working = new CountDownLatch(4);
            List<FutureTask<Long>> workers = List.of(
                    worker(working, () -> memory.read(0, ByteBuffer.allocate((int) BYTES))),
                    worker(working, () -> memory.write(0, ByteBuffer.allocateDirect((int) BYTES))),
                    worker(working, () -> memory.putLongRelease(8, memory.getLongAcquire(16))),
                    worker(working, () -> memory.buffer().putLong(0, 7)));
            working.await();
            space.close();
            for (FutureTask<Long> worker : workers) {
                assertTrue(worker.get(120, TimeUnit.SECONDS) > 0);
            }
            assertThrows(ClosedException.class, memory::buffer);
            space = PvasTasks.create();
        }
    }

    /** Works until the memory is closed; how often it did. */
    private static FutureTask<Long> worker(CountDownLatch working, Runnable work) {
        FutureTask<Long> task = new FutureTask<>(() -> {
            for (long times = 0; true; times++) {
                try {
                    work.run();
                } catch (ClosedException closed) {
                    return times;
                }
                if (times == 0) {
                    working.countDown();
                }
            }
        });
        new Thread(task).start();
        return task;
    }

    @Test
    void should_let_tasks_use_memory_of_their_creator() {
        ByteBuffer question = ByteBuffer.allocateDirect(800).order(ByteOrder.nativeOrder());
        for (int i = 1; i < 100; i++) {
            question.putLong(8 * i, i);
        }
        space.export("question", question);
        assertAnswered(question);
        try (Hayate job = Hayate.init(); HeapSpan heap = job.allocate(800)) {
            for (int i = 0; i < 100; i++) {
                heap.putLong(8 * i, i);
            }
            space.export("question", heap);
            assertAnswered(heap.buffer());
            space.close();
        }
    }

    private void assertAnswered(ByteBuffer question) {
        try (PvasTask task = space.spawn(PvasTasks.java("answer"))) {
            while (question.getLong(0) == 0) {
                assertTrue(task.isAlive(), task::toString);
                Thread.onSpinWait();
            }
            assertEquals(task.number() + 1, question.getLong(0));
            for (int i = 1; i < 100; i++) {
                assertEquals(3L * i, question.getLong(8 * i));
            }
        }
    }

    @Test
    void should_let_tasks_see_each_other() {
        List<PvasTask> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            tasks.add(space.spawn(PvasTasks.java("next", Integer.toString(i))));
            assertEquals(i, tasks.get(i).number());
        }
        assertEquals(1 + 2 + 3 + 4, tasks.get(3).memory("sum").getLongAcquire(0));
    }

    @Test
    void should_not_fault_on_what_a_task_exports_wrongly() {
        try (PvasTask task = space.spawn(PvasTasks.java("odd"))) {
            task.memory("last");
            PvasMemory code = task.memory("code");
            assertTrue(code.isReadOnly());
            assertTrue(code.buffer().isReadOnly());
            assertEquals(code.getLongAcquire(0), code.buffer().getLong(0));
            assertThrows(ArgumentException.class, () -> code.putLongRelease(0, 1));
            assertThrows(ArgumentException.class, () -> code.write(0, ByteBuffer.allocate(8)));
            assertThrows(CorruptionException.class, () -> task.memory("hole"));
        }
    }

    @Test
    void should_look_at_every_page_of_what_a_task_exports() {
        try (PvasTask task = space.spawn(PvasTasks.java("pages"))) {
            task.memory("last");
            PvasMemory sealed = task.memory("sealed");
            assertEquals(3 * PvasTaskMain.PAGE, sealed.bytes());
            assertTrue(sealed.isReadOnly() && sealed.buffer().isReadOnly());
            assertThrows(ArgumentException.class, () -> sealed.putLongRelease(0, 1));
            assertEquals(PvasTaskMain.SEVEN, sealed.buffer().get((int) PvasTaskMain.PAGE));
            assertFalse(task.memory("sealed, its first page").isReadOnly());
            assertThrows(CorruptionException.class, () -> task.memory("hidden"));
            PvasMemory behind = task.memory("hidden, its last page");
            behind.putLongRelease(0, 5);
            assertEquals(5, behind.buffer().getLong(0));
        }
    }

    @Test
    void should_limit_the_names_of_a_task() throws Exception {
        try (PvasTask task = space.spawn(PvasTasks.java("many", "200").stdout(Redirect.PIPE))) {
            assertEquals("128",
                    new BufferedReader(new InputStreamReader(task.stdout())).readLine());
        }
    }

    @Test
    void should_give_a_task_errors_for_what_it_cannot_do() throws Exception {
        try (PvasTask task = space.spawn(PvasTasks.java("nested").stdout(Redirect.PIPE))) {
            task.stdin().close();
            assertEquals("UnsupportedException\nArgumentException\nOptional.empty\n",
                    PvasTasks.output(task));
            assertTrue(task.await().good());
        }
    }

    @Test
    void should_keep_what_is_exported_from_the_collector() {
        try (PvasTask task = space.spawn(PvasTasks.java("garbage"))) {
            task.memory("collected");
            assertValues(task.memory("values").buffer());
        }
    }

    @Test
    void should_see_a_task_work_and_stop() {
        PvasTask task = space.spawn(PvasTasks.java("counter"));
        PvasMemory count = task.memory("count");
        long last = 0;
        for (int i = 0; i < 1000; i++) {
            long now = count.getLongAcquire(0);
            assertTrue(now >= last, now + " after " + last);
            last = now;
        }
        while (count.getLongAcquire(0) < 1000) {
            assertTrue(task.isAlive(), task::toString);
        }
        ByteBuffer buffer = count.buffer();
        task.close();
        assertTrue(buffer.getLong(0) >= 1000);
        assertEquals(buffer.getLong(0), buffer.getLong(0));
    }

    @Test
    void should_send_from_the_memory_of_a_task() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job);
                PvasTask task = space.spawn(PvasTasks.java("values"))) {
            Span source = Span.of(task.memory("values").buffer());
            long[] target = new long[VALUES];
            Request received = fmpl.irecv(Span.of(target), 0, 0);
            fmpl.send(source, 0, 0);
            received.await();
            assertEquals(PvasTaskMain.value(VALUES - 1), target[VALUES - 1]);
        }
    }

    @Test
    void should_tell_how_a_virtual_machine_ended() {
        assertEquals(7, space.spawn(PvasTasks.java("halt")).await().code());
        assertEquals(1, space.spawn(PvasTasks.java("nonsense").stderr(Redirect.DISCARD)).await()
                .code());
    }
}
