// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.Failing.failsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class BuffersTest {
    @Test
    void should_create_direct_buffers_in_native_order() {
        assertTrue(Buffers.newByteBuffer(3).isDirect());
        assertEquals(ByteOrder.nativeOrder(), Buffers.newByteBuffer(3).order());
        assertEquals(3, Buffers.newCharBuffer(3).capacity());
        assertEquals(3, Buffers.newShortBuffer(3).capacity());
        assertEquals(3, Buffers.newIntBuffer(3).capacity());
        assertEquals(3, Buffers.newLongBuffer(3).capacity());
        assertEquals(3, Buffers.newFloatBuffer(3).capacity());
        assertEquals(ByteOrder.nativeOrder(), Buffers.newDoubleBuffer(3).order());
        assertTrue(Buffers.newDoubleBuffer(0).isDirect());
    }

    @Test
    void should_take_memory_from_the_allocator() {
        IntFunction<ByteBuffer> usual = Buffers.allocator;
        ByteBuffer memory = ByteBuffer.allocateDirect(24);
        Buffers.allocator = bytes -> memory.slice(0, bytes);
        try {
            Buffers.newLongBuffer(3).put(2, 7);
        } finally {
            Buffers.allocator = usual;
        }
        assertEquals(7, memory.order(ByteOrder.nativeOrder()).getLong(16));
    }

    @Test
    void should_refuse_capacities_that_no_buffer_has() {
        failsWith(ErrorClass.ARG, "-1", () -> Buffers.newByteBuffer(-1));
        failsWith(ErrorClass.ARG, "268435455", () -> Buffers.newDoubleBuffer(1 << 28));
    }

    @Test
    void should_share_memory_from_an_index_on() {
        int[] array = {1, 2, 3, 4};
        IntBuffer slice = Buffers.slice(array, 1);
        assertEquals(3, slice.capacity());
        slice.put(0, 9);
        assertEquals(9, array[1]);
        assertEquals(3, Buffers.slice(slice, 1).get(0));
        assertEquals(0, slice.position());
        assertEquals('c', Buffers.slice(new char[] {'a', 'b', 'c'}, 2).get());
        assertEquals(2, Buffers.slice(new short[] {1, 2}, 1).get());
        assertEquals(2L, Buffers.slice(new long[] {1, 2}, 1).get());
        assertEquals(2f, Buffers.slice(new float[] {1, 2}, 1).get());
        assertEquals(2.0, Buffers.slice(new double[] {1, 2}, 1).get());
        assertEquals(ByteOrder.nativeOrder(), Buffers.slice(new byte[3], 3).order());
    }

    @Test
    void should_keep_the_byte_order_and_the_limit() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(8).putInt(4, 1);
        buffer.position(7);
        assertEquals(1, Buffers.slice(buffer, 4).getInt());
        assertEquals(ByteOrder.BIG_ENDIAN, Buffers.slice(buffer, 4).order());
        buffer.limit(7);
        assertEquals(3, Buffers.slice(buffer, 4).capacity());
    }

    @Test
    void should_refuse_offsets_outside() {
        failsWith(ErrorClass.ARG, "-1", () -> Buffers.slice(new int[3], -1));
        failsWith(ErrorClass.ARG, "0 to 3", () -> Buffers.slice(new int[3], 4));
        failsWith(ErrorClass.BUFFER, "null", () -> Buffers.slice((byte[]) null, 0));
        failsWith(ErrorClass.BUFFER, "null", () -> Buffers.slice((IntBuffer) null, 0));
    }
}
