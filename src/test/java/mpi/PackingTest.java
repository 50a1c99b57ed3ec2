// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.Failing.failsWith;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackingTest {
    private static final int LENGTH = 60;
    private static final List<Datatype> BASIC = List.of(Types.BYTE, Types.CHAR, Types.SHORT,
            Types.BOOLEAN, Types.INT, Types.LONG, Types.FLOAT, Types.DOUBLE);
    /** Views of memory, by the place of their type in the list; booleans have none. */
    private static final List<Function<ByteBuffer, Object>> VIEWS = List.of(b -> b,
            ByteBuffer::asCharBuffer, ByteBuffer::asShortBuffer, b -> b, ByteBuffer::asIntBuffer,
            ByteBuffer::asLongBuffer, ByteBuffer::asFloatBuffer, ByteBuffer::asDoubleBuffer);

    /** An array whose elements differ from their neighbours. */
    private static Object array(Datatype type) {
        Object array = switch (type.kind) {
            case BYTE -> new byte[LENGTH];
            case CHAR -> new char[LENGTH];
            case SHORT -> new short[LENGTH];
            case BOOLEAN -> new boolean[LENGTH];
            case INT -> new int[LENGTH];
            case LONG -> new long[LENGTH];
            case FLOAT -> new float[LENGTH];
            default -> new double[LENGTH];
        };
        for (byte i = 0; i < LENGTH; i++) {
            if (type.kind == Kind.BOOLEAN) {
                Array.setBoolean(array, i, i % 3 == 0);
            } else if (type.kind == Kind.CHAR) {
                Array.setChar(array, i, (char) (0x5a00 + i));
            } else {
                Array.setByte(array, i, i);
            }
        }
        return array;
    }

    /** Blocks of one element, of five, and of 20, which are copied in bulk. */
    private static Datatype irregular(Datatype type) {
        return Datatype.Indexed(new int[] {1, 5, 20, 1}, new int[] {3, 40, 10, 0}, type);
    }

    @Test
    void should_pack_arrays_of_each_kind() {
        for (Datatype type : BASIC) {
            Object array = array(type);
            ByteBuffer all = ByteBuffer.allocate(LENGTH * 8).order(ByteOrder.nativeOrder());
            Packing.pack(array, 0, LENGTH, type, all);
            ByteBuffer some = ByteBuffer.allocateDirect(LENGTH * 8);
            Packing.pack(array, 2L * type.bytes, 1, irregular(type), some);
            int bytes = (int) type.bytes;
            List<Integer> expected = new ArrayList<>(List.of(5));
            for (int i = 42; i < 47; i++) {
                expected.add(i);
            }
            for (int i = 12; i < 32; i++) {
                expected.add(i);
            }
            expected.add(2);
            assertEquals(27 * bytes, some.position());
            for (int i = 0; i < 27; i++) {
                assertEquals(all.slice(expected.get(i) * bytes, bytes),
                        some.slice(i * bytes, bytes), type + " " + i);
            }
        }
    }

    @Test
    void should_unpack_into_arrays_what_was_packed() {
        for (Datatype type : BASIC) {
            Object array = array(type);
            ByteBuffer packed = ByteBuffer.allocateDirect(LENGTH * 8);
            Packing.pack(array, type.bytes, 1, irregular(type), packed);
            Object other = Array.newInstance(array.getClass().getComponentType(), LENGTH);
            Packing.unpack(packed.flip(), other, type.bytes, 1, irregular(type));
            List<Integer> stored = List.of(4, 1, 41, 45, 11, 30);
            List<Integer> left = List.of(0, 2, 3, 5, 40, 46, 31);
            stored.forEach(i -> assertEquals(Array.get(array, i), Array.get(other, i)));
            Object none = Array.get(Array.newInstance(array.getClass().getComponentType(), 1), 0);
            left.forEach(i -> assertEquals(none, Array.get(other, i)));
        }
    }

    @Test
    void should_write_native_byte_order() {
        ByteBuffer packed = ByteBuffer.allocate(24).order(ByteOrder.nativeOrder());
        Packing.pack(new long[] {1, -2, 3}, 8, 1, Types.LONG, packed);
        assertEquals(-2, packed.getLong(0));
        Packing.pack(new double[] {0.5}, 0, 1, Types.DOUBLE, packed);
        assertEquals(0.5, packed.getDouble(8));
        Packing.pack(new boolean[] {true, false}, 0, 2, Types.BOOLEAN, packed);
        assertEquals(1, packed.get(16));
        assertEquals(18, packed.position());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void should_copy_the_memory_of_buffers_of_any_kind_and_order(boolean direct) {
        for (int i = 0; i < BASIC.size(); i++) {
            for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
                Datatype type = irregular(BASIC.get(i));
                int bytes = LENGTH * 8;
                ByteBuffer memory = direct ? ByteBuffer.allocateDirect(bytes)
                        : ByteBuffer.allocate(bytes);
                for (int place = 0; place < bytes; place++) {
                    memory.put(place, (byte) (place * 7 + 1));
                }
                Object view = VIEWS.get(i).apply(memory.order(order));
                ByteBuffer expected = ByteBuffer.allocate(bytes);
                Packing.pack(memory, 0, 1, type, expected);
                ByteBuffer packed = ByteBuffer.allocateDirect(bytes);
                Packing.pack(view, 0, 1, type, packed);
                assertEquals(expected.flip(), packed.flip(), type + " " + order);
                ByteBuffer copy = ByteBuffer.allocateDirect(bytes).order(order);
                Packing.unpack(packed, VIEWS.get(i).apply(copy), 0, 1, type);
                ByteBuffer again = ByteBuffer.allocate(bytes);
                Packing.pack(copy, 0, 1, type, again);
                assertEquals(expected, again.flip());
            }
        }
    }

    @Test
    void should_ignore_position_and_limit_of_the_program_and_keep_them() {
        IntBuffer buffer = IntBuffer.wrap(new int[] {1, 2, 3, 4});
        buffer.position(2).limit(3);
        ByteBuffer packed = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
        Packing.pack(buffer, 0, 2, Types.INT, packed);
        assertEquals(1, packed.getInt(0));
        assertEquals(2, buffer.position());
        assertEquals(3, buffer.limit());
        IntBuffer slice = Buffers.slice(new int[] {1, 2, 3, 4}, 1);
        Packing.pack(slice, 4, 1, Types.INT, packed);
        assertEquals(3, packed.getInt(8));
    }

    @Test
    void should_store_whole_elements_of_a_shorter_message_and_leave_a_longer_one() {
        Datatype column = Datatype.Vector(2, 2, 3, Types.INT);
        ByteBuffer packed = ByteBuffer.allocate(100).order(ByteOrder.nativeOrder());
        for (int i = 0; i < 25; i++) {
            packed.putInt(i * 4, i + 1);
        }
        int[] array = new int[20];
        Packing.unpack(packed.limit(27), array, 0, 4, column);
        assertArrayEquals(new int[] {1, 2, 0, 3, 4, 5, 6, 0}, Arrays.copyOf(array, 8));
        assertEquals(27, packed.position());
        packed.clear();
        Packing.unpack(packed, array, 0, 2, column);
        assertEquals(32, packed.position());
        assertEquals(8, array[9]);
    }

    @Test
    void should_finish_a_message_whose_datatype_was_freed() {
        Datatype type = Datatype.Vector(2, 1, 2, Types.INT);
        int[] array = {1, 2, 3};
        Layout.checkReceive(array, 0, 1, type);
        type.free();
        Packing.unpack(ByteBuffer.allocate(8), array, 0, 1, type);
        assertArrayEquals(new int[] {0, 2, 0}, array);
    }

    @Test
    void should_copy_many_blocks_of_each_length() {
        int count = 130;
        int[] array = IntStream.range(0, 12 * count).toArray();
        for (int block = 1; block <= 9; block++) {
            Datatype type = Datatype.Vector(count, block, 12, Types.INT);
            ByteBuffer packed = ByteBuffer.allocate(4 * block * count)
                    .order(ByteOrder.nativeOrder());
            Packing.pack(array, 0, 1, type, packed);
            for (int i = 0; i < block * count; i++) {
                assertEquals(i / block * 12 + i % block, packed.getInt(4 * i));
            }
            int[] copy = new int[array.length];
            Packing.unpack(packed.flip(), copy, 0, 1, type);
            for (int i = 0; i < array.length; i++) {
                assertEquals(i % 12 < block ? i : 0, copy[i]);
            }
        }
    }

    @Test
    void should_copy_from_and_to_any_byte_of_a_byte_buffer() {
        ByteBuffer memory = ByteBuffer.allocate(30);
        for (int i = 0; i < 30; i++) {
            memory.put(i, (byte) i);
        }
        ByteBuffer packed = ByteBuffer.allocate(8);
        Packing.pack(memory, 3, 1, Datatype.Vector(2, 1, 3, Types.INT), packed);
        assertArrayEquals(new byte[] {3, 4, 5, 6, 15, 16, 17, 18}, packed.array());
        Packing.unpack(packed.flip(), memory, 1, 1, Datatype.Vector(2, 1, 2, Types.INT));
        assertEquals(3, memory.get(1));
        assertEquals(18, memory.get(12));
    }

    @Test
    void should_copy_any_bytes_of_other_kinds() {
        ByteBuffer memory = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
        for (byte i = 0; i < 16; i++) {
            memory.put(i, i);
        }
        int[] array = new int[4];
        memory.asIntBuffer().get(array);
        IntBuffer swapped = ByteBuffer.wrap(memory.array()).order(
                ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN
                        : ByteOrder.BIG_ENDIAN).asIntBuffer();
        for (Object ints : List.of(array, Buffers.newIntBuffer(4).put(0, array), swapped)) {
            ByteBuffer packed = ByteBuffer.allocate(5);
            Packing.pack(ints, 3, 5, Types.BYTE, packed);
            assertArrayEquals(new byte[] {3, 4, 5, 6, 7}, packed.array());
            packed.clear();
            Packing.pack(ints, 1, 1, Datatype.Vector(2, 2, 3, Types.BYTE), packed.limit(4));
            assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 4, 5}), packed.flip());
            Packing.unpack(ByteBuffer.wrap(new byte[] {50, 60, 70}), ints, 2, 9, Types.BYTE);
            ByteBuffer all = ByteBuffer.allocate(16);
            Packing.pack(ints, 0, 2, Types.DOUBLE, all);
            assertArrayEquals(new byte[] {0, 1, 50, 60, 70, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                    all.array());
        }
    }

    @Test
    void should_refuse_to_pack_more_than_there_is_room_for() {
        ByteBuffer packed = ByteBuffer.allocate(11);
        failsWith(ErrorClass.TRUNCATE, "12 bytes",
                () -> Packing.pack(new int[3], 0, 3, Types.INT, packed));
        assertEquals(0, packed.position());
    }

    @Test
    void should_keep_the_bits_of_numbers_that_are_no_numbers() {
        int signalling = 0x7fa00001;
        float[] floats = {Float.intBitsToFloat(signalling), 1, Float.intBitsToFloat(signalling)};
        ByteBuffer packed = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
        Packing.pack(floats, 0, 1, Datatype.Vector(2, 1, 2, Types.FLOAT), packed);
        assertEquals(Float.floatToRawIntBits(floats[2]), packed.getInt(4));
    }
}
