// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@EnabledForJreRange(min = JRE.JAVA_22)
class SegmentsIT {
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
}
