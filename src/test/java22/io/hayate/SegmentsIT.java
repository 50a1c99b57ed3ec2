// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.ScaLapackProbe;
import io.hayate.scalapack.BlockCyclic;
import io.hayate.scalapack.DistributedMatrix;
import io.hayate.scalapack.Norm;
import io.hayate.scalapack.ScaLapack;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@EnabledForJreRange(min = JRE.JAVA_22)
class SegmentsIT {
    private static final int LONG = 3_000_000;

    @Test
    void should_send_from_and_receive_into_segments() {
        try (Hayate job = Hayate.init();
                Fmpl fmpl = Fmpl.init(job);
                Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(64, 8);
            source.fill((byte) 7);
            byte[] array = new byte[16];
            MemorySegment target = MemorySegment.ofArray(array).asSlice(4, 8);
            fmpl.send(Segments.of(source.asSlice(8, 8)), 0, 0);
            assertEquals(8, fmpl.recv(Segments.of(target), 0, 0));
            assertArrayEquals(new byte[] {0, 0, 0, 0, 7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 0, 0}, array);
        }
    }

    private static void sendInterrupted(Fmpl fmpl) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(LONG);
            segment.fill((byte) 7);
            Thread.currentThread().interrupt();
            fmpl.send(Segments.of(segment), 1, 0);
            fmpl.send(Segments.of(segment), 1, 0, Duration.ZERO);
            assertTrue(Thread.interrupted());
        }
    }

    /** The arena is closed next: nothing may be read from it any more. */
    @Test
    void should_not_leave_a_send_from_an_arena_behind() throws Exception {
        ThreadJob.run(2, (job, fmpl) -> {
            if (job.rank() == 0) {
                sendInterrupted(fmpl);
                return;
            }
            for (int i = 0; i < 2; i++) {
                byte[] memory = new byte[LONG];
                byte[] expected = new byte[LONG];
                Arrays.fill(expected, (byte) 7);
                assertEquals(LONG, fmpl.probe(0, 0));
                assertEquals(LONG, fmpl.recv(Span.of(memory), 0, 0));
                assertArrayEquals(expected, memory);
            }
        });
    }

    /** Blocks of an arena are its memory, too. */
    @Test
    void should_not_leave_a_send_of_blocks_of_an_arena_behind() throws Exception {
        ThreadJob.run(2, (job, fmpl) -> {
            byte[] memory = new byte[LONG / 2];
            if (job.rank() == 1) {
                Thread.sleep(300);
                assertEquals(LONG / 2, fmpl.recv(Span.of(memory), 0, 0));
                assertEquals(7, memory[LONG / 2 - 1]);
                return;
            }
            try (Arena arena = Arena.ofShared()) {
                MemorySegment segment = arena.allocate(LONG);
                segment.fill((byte) 7);
                fmpl.send(Segments.of(segment).strided(0, 1000, 2000, LONG / 2000), 1, 0,
                        Duration.ofMillis(10));
            }
        });
    }

    /** Its receiver is what comes after the send. */
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Test
    void should_end_a_send_to_itself_from_an_arena_at_its_limit() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            for (boolean blocks : new boolean[] {false, true}) {
                int bytes = blocks ? LONG / 2 : LONG;
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment segment = arena.allocate(LONG);
                    ByteBuffer memory = segment.asByteBuffer();
                    for (int i = 0; i < LONG; i++) {
                        memory.put(i, (byte) (i / 1000));
                    }
                    Span span = Segments.of(segment);
                    Span sent = blocks ? span.strided(0, 1000, 2000, LONG / 2000) : span;
                    assertThrows(TimedOutException.class,
                            () -> fmpl.send(sent, 0, 0, Duration.ofMillis(10)));
                    segment.fill((byte) -1);
                }
                byte[] got = new byte[bytes];
                assertEquals(bytes, fmpl.recv(Span.of(got), 0, 0));
                for (int i = 0; i < bytes; i++) {
                    assertEquals((byte) (i / 1000 * (blocks ? 2 : 1)), got[i]);
                }
            }
        }
    }

    @Test
    void should_refuse_segments_that_cannot_be_used() throws InterruptedException {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            Arena arena = Arena.ofShared();
            MemorySegment segment = arena.allocate(64);
            Span span = Segments.of(segment);
            Span buffer = Span.of(segment.asByteBuffer());
            Span readOnly = Segments.of(segment.asReadOnly());
            fmpl.send(readOnly, 0, 0);
            assertThrows(ArgumentException.class, () -> fmpl.recv(readOnly, 0, 0));
            fmpl.recv(buffer, 0, 0);
            arena.close();
            assertThrows(ClosedException.class, () -> fmpl.send(span, 0, 0));
            assertThrows(ClosedException.class, () -> fmpl.send(buffer.slice(0, 1), 0, 0));
            Object closed = segment; // no lambda may have a type that JDK 17 lacks in its signature
            assertThrows(ClosedException.class, () -> Segments.of((MemorySegment) closed));
            assertThrows(ArgumentException.class, () -> Segments.of(null));
            assertThrows(ArgumentException.class,
                    () -> Segments.of(MemorySegment.ofArray(new byte[8]).asReadOnly()));
            MemorySegment direct = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(8));
            assertEquals(8, Segments.of(direct).bytes());
        }
    }

    @Test
    void should_refuse_a_confined_segment_of_another_thread() throws InterruptedException {
        Span[] span = new Span[1];
        Throwable[] thrown = new Throwable[1];
        try (Hayate job = Hayate.init();
                Fmpl fmpl = Fmpl.init(job);
                Arena arena = Arena.ofConfined()) {
            span[0] = Segments.of(arena.allocate(8));
            Thread other = new Thread(() -> thrown[0] =
                    assertThrows(HayateException.class, () -> fmpl.send(span[0], 0, 0)));
            other.start();
            other.join();
            assertEquals(ClosedException.class, thrown[0].getClass());
        }
    }

    /** A virtual thread leaves the calls to another one, which may not access the segment. */
    @Test
    void should_exchange_and_compute_in_confined_segments() throws Exception {
        ScaLapackProbe.need();
        Throwable[] thrown = new Throwable[1];
        Runnable body = () -> {
            try {
                exchangeAndCompute();
            } catch (Throwable e) {
                thrown[0] = e;
            }
        };
        body.run();
        Object virtual = Thread.class.getMethod("startVirtualThread", Runnable.class)
                .invoke(null, body);
        ((Thread) virtual).join();
        assertNull(thrown[0]);
    }

    private static void exchangeAndCompute() {
        try (Hayate job = Hayate.init();
                Blacs blacs = Blacs.open(job);
                BlacsGrid grid = blacs.grid(1, 1)) {
            Arena arena = Arena.ofConfined();
            Span span = Segments.of(arena.allocate(4 * 8, 8));
            DistributedMatrix matrix = DistributedMatrix.of(BlockCyclic.of(grid, 2, 2, 1),
                    Element.DOUBLE, span);
            matrix.fill((i, j) -> i + 2 * j);
            double[] copy = new double[4];
            grid.send(Section.of(span, Element.DOUBLE, 2, 2), 0, 0);
            grid.receive(Section.of(Span.of(copy), Element.DOUBLE, 2, 2), 0, 0);
            assertArrayEquals(new double[] {0, 1, 2, 3}, copy);
            ScaLapack lapack = ScaLapack.on(grid);
            assertEquals(5, lapack.norm(Norm.ONE, matrix));
            arena.close();
            assertThrows(ClosedException.class, () -> lapack.norm(Norm.ONE, matrix));
            assertThrows(ClosedException.class, () -> matrix.get(0, 0));
            assertThrows(ClosedException.class,
                    () -> grid.send(Section.of(span, Element.DOUBLE, 2, 2), 0, 0));
        }
    }
}
