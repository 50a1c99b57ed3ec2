// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

class JobOfOneTest {
    @Test
    void should_be_rank_0_of_1_without_a_launcher() {
        try (Hayate job = Hayate.init()) {
            assertEquals(0, job.rank());
            assertEquals(1, job.size());
            assertTrue(Hayate.version().matches("\\d+\\.\\d+\\.\\d+"), Hayate.version());
        }
    }

    @Test
    void should_refuse_a_second_job_until_the_first_is_closed() {
        Hayate first = Hayate.init();
        assertThrows(StateException.class, Hayate::init);
        first.close();
        first.close();
        Hayate second = Hayate.init();
        assertNotSame(first, second);
        second.close();
    }

    @Test
    void should_find_the_job_of_this_process_until_it_is_closed() {
        assertThrows(StateException.class, Hayate::current);
        try (Hayate job = Hayate.init()) {
            assertSame(job, Hayate.current());
        }
        String text = assertThrows(StateException.class, Hayate::current).getMessage();
        assertTrue(text.contains("call Hayate.init(), or MPI.Init"), text);
        try (Hayate next = Hayate.init()) {
            assertSame(next, Hayate.current());
        }
    }

    /** Its ranks are several jobs of one process. */
    @Test
    void should_not_take_the_rank_of_a_thread_for_the_job_of_this_process() {
        Hayate.runThreads(2, rank -> assertThrows(StateException.class, Hayate::current));
    }

    @Test
    void should_give_memory_of_the_heap_and_take_it_back() {
        try (Hayate job = Hayate.init()) {
            long free = job.heapFree();
            assertTrue(free > 0 && free <= job.heapSize());
            HeapSpan span = job.allocate(100_000);
            assertTrue(job.heapFree() <= free - 100_000);
            assertEquals(0, span.memory.start % 4096);
            span.close();
            assertEquals(free, job.heapFree());
        }
    }

    @Test
    void should_show_the_same_memory_through_all_views() {
        try (Hayate job = Hayate.init(); HeapSpan span = job.allocate(64)) {
            span.putDouble(8, Math.PI);
            assertEquals(Math.PI, span.doubles().get(1));
            assertEquals(Double.doubleToRawLongBits(Math.PI), span.longs().get(1));
            span.ints().put(5, 77);
            assertEquals(77, span.getInt(20));
            assertEquals(77, span.buffer(20, 4).getInt(0));
            assertSame(ByteOrder.nativeOrder(), span.buffer().order());
            span.putByte(63, (byte) 9);
            assertEquals(9, span.buffer().get(63));
            span.putFloat(3, 1.5f);
            assertEquals(1.5f, span.getFloat(3));
            span.putLong(1, -2);
            assertEquals(-2, span.getLong(1));
        }
    }

    @Test
    void should_reach_elements_on_both_sides_of_each_window() {
        long bytes = (2L << 30) + 64;
        try (Hayate job = Hayate.init()) {
            if (job.heapFree() < bytes + 4096) {
                return; // a small machine: nothing to see beyond 1 GiB
            }
            try (HeapSpan span = job.allocate(bytes)) {
                for (long offset = (1L << 30) - 8; offset <= 1L << 30; offset++) {
                    span.putLong(offset, offset);
                    assertEquals(offset, span.getLong(offset));
                    assertEquals(offset, span.buffer(offset, 8).getLong(0));
                }
                span.putLong(bytes - 8, 5);
                assertEquals(5, span.buffer(bytes - 8, 8).getLong(0));
                assertThrows(ArgumentException.class, () -> span.getLong(bytes - 7));
                assertThrows(ArgumentException.class, span::buffer);
                assertEquals(0, span.buffer(bytes, 0).capacity());
            }
        }
    }

    @Test
    void should_keep_memory_readable_after_everything_is_closed() {
        ByteBuffer slice;
        try (Hayate job = Hayate.init(); HeapSpan span = job.allocate(1 << 20)) {
            span.putLong(4096, 42);
            slice = span.buffer().position(4096).slice().order(ByteOrder.nativeOrder());
        }
        for (int i = 0; i < 5; i++) {
            System.gc();
            assertEquals(42, slice.getLong(0));
            Hayate.init().close();
        }
    }

    private static List<String> mapped() throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.filter(line -> line.contains("/memfd:hayate")).collect(Collectors.toList());
        }
    }

    private static long mappings() throws IOException {
        return mapped().size();
    }

    /** What could hold a job: the stacks of all threads, from JDK 21 on of virtual threads too. */
    private static String threads() {
        try {
            Path file = Files.createTempDirectory("threads").resolve("dump");
            Class<?> bean = Class.forName("com.sun.management.HotSpotDiagnosticMXBean");
            Class<?> format = Class.forName(bean.getName() + "$ThreadDumpFormat");
            bean.getMethod("dumpThreads", String.class, format).invoke(
                    ManagementFactory.getPlatformMXBean(
                            bean.asSubclass(PlatformManagedObject.class)),
                    file.toString(), format.getEnumConstants()[0]);
            return Files.readString(file);
        } catch (ReflectiveOperationException | IOException old) {
            StringBuilder text = new StringBuilder();
            Thread.getAllStackTraces().forEach((thread, frames) -> text.append(thread)
                    .append("\n  ").append(Arrays.toString(frames)).append('\n'));
            return text.toString();
        }
    }

    /** In a frame of its own, which no longer refers to the job when it is gone. */
    private static void leaveAReceiveUnfinished() throws IOException {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            fmpl.irecv(job.allocate(64), 0, 0);
            assertTrue(mappings() >= 1);
        }
    }

    @Test
    @Timeout(300)
    void should_unmap_jobs_that_nobody_can_reach() throws IOException {
        List<String> others = mapped(); // what earlier tests have left, which may go meanwhile
        ByteBuffer kept;
        try (Hayate job = Hayate.init()) {
            kept = job.allocate(64).buffer();
        }
        for (int i = 0; i < 10; i++) {
            leaveAReceiveUnfinished();
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (true) {
            List<String> left = mapped();
            left.removeAll(others);
            if (left.size() <= 2) { // the buffer's, and one that the JVM may still see somewhere
                break;
            }
            assertTrue(System.nanoTime() < deadline, () -> left + "; threads:\n" + threads());
            System.gc();
        }
        kept.putLong(0, 1);
        assertTrue(mappings() >= 1);
        assertEquals(1, kept.getLong(0));
    }

    @Test
    void should_measure_the_breakdown_only_while_it_is_on() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            byte[] data = new byte[8];
            assertEquals(0, fmpl.breakdown().samples());
            fmpl.breakdown(true);
            for (int i = 0; i < 100; i++) {
                fmpl.send(Span.of(data), 0, 0);
                fmpl.recv(Span.of(data), 0, 0);
            }
            assertEquals(200, fmpl.breakdown().samples());
            assertTrue(fmpl.breakdown().sendSetup() >= 0);
        }
    }

    @Test
    void should_end_every_call_after_close_with_the_same_exception() {
        Hayate job = Hayate.init();
        Fmpl fmpl = Fmpl.init(job);
        Span span = Span.of(new double[8]);
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
            assertSame(ClosedException.class, assertThrows(HayateException.class, call).getClass());
        }
        reduction.close();
        heap.close();
        fmpl.close();
        job.close();
    }
}
