// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class SpanTest {
    @Test
    void should_cover_position_to_limit_of_a_direct_buffer() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(100);
        Span whole = Span.of(buffer);
        Span part = Span.of(buffer.position(10).limit(40));
        assertEquals(30, part.bytes());
        assertEquals(whole.memory.start + 10, part.memory.start);
        assertEquals(10, buffer.position());
    }

    @Test
    void should_take_the_array_of_a_buffer_that_is_not_direct() {
        byte[] array = new byte[20];
        Span span = Span.of(ByteBuffer.wrap(array, 5, 10).slice().position(1));
        assertSame(array, span.memory.array);
        assertEquals(6, span.memory.start);
        assertEquals(9, span.bytes());
    }

    @Test
    void should_count_array_ranges_in_elements_and_lengths_in_bytes() {
        assertEquals(3, Span.of(new byte[3]).bytes());
        assertEquals(12, Span.of(new int[3]).bytes());
        assertEquals(24, Span.of(new long[3]).bytes());
        assertEquals(12, Span.of(new float[3]).bytes());
        assertEquals(24, Span.of(new double[3]).bytes());
        Span part = Span.of(new double[10], 2, 3);
        assertEquals(16, part.memory.start);
        assertEquals(24, part.bytes());
        assertEquals(0, Span.of(new long[10], 10, 0).bytes());
    }

    @Test
    void should_refuse_array_ranges_that_are_not_within_it() {
        long[][] ranges = {{-1, 1}, {0, -1}, {0, 11}, {11, 0}, {10, 1}, {Long.MAX_VALUE, 1},
                {1, Long.MAX_VALUE}, {Long.MIN_VALUE, 0}, {5, 6}};
        for (long[] range : ranges) {
            assertThrows(ArgumentException.class, () -> Span.of(new float[10], range[0], range[1]));
            assertThrows(ArgumentException.class,
                    () -> Span.of(new byte[10]).slice(range[0], range[1]));
        }
    }

    @Test
    void should_slice_within_itself_to_the_byte() {
        Span span = Span.of(new int[10], 2, 5);
        Span slice = span.slice(3, 7).slice(1, 6);
        assertEquals(8 + 3 + 1, slice.memory.start);
        assertEquals(6, slice.bytes());
        assertThrows(ArgumentException.class, () -> slice.slice(0, 7));
        assertEquals(0, span.slice(20, 0).bytes());
    }

    @Test
    void should_refuse_what_cannot_be_reached_or_written() {
        assertThrows(ArgumentException.class,
                () -> Span.of(ByteBuffer.allocate(8).asReadOnlyBuffer()));
        assertTrue(Span.of(ByteBuffer.allocateDirect(8).asReadOnlyBuffer()).memory.readOnly);
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            Span fixed = Span.of(ByteBuffer.allocateDirect(8).asReadOnlyBuffer());
            fmpl.send(fixed, 0, 0);
            assertThrows(ArgumentException.class, () -> fmpl.recv(fixed, 0, 0));
            assertThrows(ArgumentException.class, () -> fmpl.irecv(fixed.slice(0, 4), 0, 0));
            assertThrows(ArgumentException.class, () -> fmpl.bcast(fixed, 0));
        }
    }

    @Test
    void should_end_with_the_allocation_that_it_is_in() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            HeapSpan span = job.allocate(100);
            Span slice = span.slice(10, 20);
            assertFalse(slice.memory.readOnly);
            span.close();
            span.close();
            assertThrows(ClosedException.class, () -> fmpl.send(slice, 0, 0));
            assertThrows(ClosedException.class, () -> slice.slice(0, 1));
            assertThrows(ClosedException.class, () -> fmpl.irecv(span, 0, 0));
            assertThrows(ClosedException.class, () -> span.getLong(0));
            assertThrows(ClosedException.class, span::buffer);
        }
    }

    @Test
    void should_refuse_memory_of_a_job_that_is_closed() {
        Hayate before = Hayate.init();
        HeapSpan old = before.allocate(64);
        before.close();
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            assertThrows(ClosedException.class, () -> fmpl.send(old, 0, 0));
            assertThrows(HayateException.class, () -> Fmpl.init(job, old, old, 1));
        }
        old.close();
    }
}
