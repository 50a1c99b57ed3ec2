// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.ShortBuffer;
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
    void should_cover_position_to_limit_of_buffers_of_all_types() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
        long start = Span.of(bytes).memory.start;
        Buffer[] views = {bytes.asShortBuffer(), bytes.asCharBuffer(), bytes.asIntBuffer(),
            bytes.asFloatBuffer(), bytes.asLongBuffer(), bytes.asDoubleBuffer()};
        Element[] elements = {Element.SHORT, Element.CHAR, Element.INT, Element.FLOAT,
            Element.LONG, Element.DOUBLE};
        for (int i = 0; i < views.length; i++) {
            int each = elements[i].bytes();
            Span span = Span.of(views[i].position(2).limit(5));
            assertSame(elements[i], span.element());
            assertEquals(start + 2L * each, span.memory.start);
            assertEquals(3L * each, span.bytes());
        }
        assertNull(Span.of((Buffer) bytes).element());
    }

    @Test
    void should_take_the_array_of_typed_buffers_that_are_not_direct() {
        char[] chars = new char[9];
        Span span = Span.of(CharBuffer.wrap(chars, 3, 4));
        assertSame(chars, span.memory.array);
        assertEquals(6, span.memory.start);
        assertEquals(8, span.bytes());
        assertSame(Element.SHORT, Span.of(ShortBuffer.allocate(2)).element());
    }

    @Test
    void should_refuse_buffers_whose_elements_are_not_in_memory_as_they_are() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(16);
        bytes.order(ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN
                : ByteOrder.BIG_ENDIAN);
        Span.of(bytes);
        ArgumentException order =
                assertThrows(ArgumentException.class, () -> Span.of(bytes.asShortBuffer()));
        assertTrue(order.getMessage().contains("expected order(ByteOrder.nativeOrder())"));
        assertThrows(ArgumentException.class, () -> Span.of(CharBuffer.wrap("text")));
        assertThrows(ArgumentException.class, () -> Span.of(
                ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()).asIntBuffer()));
        assertThrows(ArgumentException.class, () -> Span.of((Buffer) null));
    }

    @Test
    void should_move_what_arrays_of_small_elements_contain() {
        short[] shorts = {Short.MIN_VALUE, -1, 0, 1, Short.MAX_VALUE};
        char[] chars = {0, 'a', '\u3042', Character.MAX_VALUE};
        boolean[] booleans = {true, false, false, true, true};
        short[] gotShorts = new short[6];
        char[] gotChars = new char[6];
        boolean[] gotBooleans = new boolean[6];
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            fmpl.sendrecv(Span.of(shorts), 0, 0, Span.of(gotShorts, 1, 5), 0, 0);
            fmpl.sendrecv(Span.of(chars), 0, 0, Span.of(gotChars, 1, 4), 0, 0);
            fmpl.sendrecv(Span.of(booleans), 0, 0, Span.of(gotBooleans, 1, 5), 0, 0);
        }
        assertArrayEquals(new short[] {0, Short.MIN_VALUE, -1, 0, 1, Short.MAX_VALUE}, gotShorts);
        assertArrayEquals(new char[] {0, 0, 'a', '\u3042', Character.MAX_VALUE, 0}, gotChars);
        assertArrayEquals(new boolean[] {false, true, false, false, true, true}, gotBooleans);
    }

    @Test
    void should_count_array_ranges_in_elements_and_lengths_in_bytes() {
        assertEquals(3, Span.of(new byte[3]).bytes());
        assertEquals(12, Span.of(new int[3]).bytes());
        assertEquals(24, Span.of(new long[3]).bytes());
        assertEquals(12, Span.of(new float[3]).bytes());
        assertEquals(24, Span.of(new double[3]).bytes());
        assertEquals(6, Span.of(new short[3]).bytes());
        assertEquals(6, Span.of(new char[3]).bytes());
        assertEquals(3, Span.of(new boolean[3]).bytes());
        assertEquals(8, Span.of(new short[10], 4, 5).memory.start);
        assertEquals(2, Span.of(new char[10], 9, 1).bytes());
        assertEquals(4, Span.of(new boolean[10], 4, 6).memory.start);
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
            assertThrows(ArgumentException.class, () -> Span.of(new short[10], range[0], range[1]));
            assertThrows(ArgumentException.class, () -> Span.of(new char[10], range[0], range[1]));
            assertThrows(ArgumentException.class,
                    () -> Span.of(new boolean[10], range[0], range[1]));
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
