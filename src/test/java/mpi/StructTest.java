// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.Failing.failsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import org.junit.jupiter.api.Test;

class StructTest {
    /** A particle as programs declare it. */
    private static final class Particle extends Struct {
        private final FloatInt pair = new FloatInt(4, 4);
        private final int mass = addDouble();
        private final int place = addFloat(3);
        private final int cell = setOffset(24).addLong();
        private final int tags = addStruct(pair, 2);
        private final int letter = addChar();
        private final int small = addShort();
        private final int flag = addByte();

        @Override
        protected Data newData() {
            return new Data();
        }

        final class Data extends Struct.Data {
            void fill() {
                putDouble(mass, 1.5);
                putFloat(place, 2, 2.5f);
                putLong(cell, 1L << 40);
                FloatInt.Data second = getData(pair, tags, 1);
                second.putIndex(7);
                second.putValue(-1);
                putChar(letter, 'x');
                putShort(small, (short) -3);
                putByte(flag, (byte) 1);
            }

            double wrong() {
                return getDouble(place);
            }
        }
    }

    private final Particle particle = new Particle();

    @Test
    void should_put_fields_behind_each_other_and_round_the_extent_up() {
        assertEquals(56, particle.getExtent());
        assertEquals(8 + 12 + 8 + 16 + 2 + 2 + 1, particle.getType().getSize());
        assertEquals(53, particle.getType().getTrueExtent());
        assertSame(particle.getType(), particle.getType());
        assertEquals(16, new DoubleInt(8, 4).getExtent());
        assertEquals(16, new LongInt(8, 8, 4).getExtent());
        assertEquals(8, new ShortInt(2, 4, 4).getExtent());
        assertEquals(8, new Int2(4, 4).getExtent());
        assertEquals(Types.DOUBLE_INT.getSize(), new DoubleInt(8, 4).getType().getSize());
    }

    @Test
    void should_write_the_fields_of_a_struct_of_an_array() {
        ByteBuffer buffer = Buffers.newByteBuffer(2 * 56);
        Particle.Data data = particle.getData(buffer, 1);
        data.fill();
        assertEquals(1.5, buffer.getDouble(56));
        assertEquals(2.5f, buffer.getFloat(56 + 16));
        assertEquals(1L << 40, buffer.getLong(56 + 24));
        assertEquals(-1f, buffer.getFloat(56 + 40));
        assertEquals(7, buffer.getInt(56 + 44));
        assertEquals('x', buffer.getChar(56 + 48));
        assertEquals(-3, buffer.getShort(56 + 50));
        assertEquals(1, buffer.get(56 + 52));
        assertEquals(56, data.getBuffer().capacity());
        assertEquals(1.5, data.getBuffer().getDouble(0));
        assertThrows(IndexOutOfBoundsException.class,
                () -> particle.<Particle.Data>getData(buffer, 2).fill());
    }

    @Test
    void should_access_arrays_in_native_order() {
        byte[] array = new byte[56];
        particle.<Particle.Data>getData(array).fill();
        assertEquals(1.5, ByteBuffer.wrap(array).order(ByteOrder.nativeOrder()).getDouble());
    }

    @Test
    void should_read_what_pairs_write() {
        ByteBuffer buffer = Buffers.newByteBuffer(32);
        LongInt.Data longs = new LongInt(8, 8, 4).getData(buffer, 1);
        longs.putValue(-5);
        longs.putIndex(3);
        assertEquals(-5, buffer.getLong(16));
        assertEquals(3, buffer.getInt(24));
        assertEquals(-5, longs.getValue());
        assertEquals(3, longs.getIndex());
        ShortInt.Data shorts = new ShortInt(2, 4, 4).getData(buffer);
        shorts.putValue((short) 9);
        shorts.putIndex(1);
        assertEquals(9, shorts.getValue());
        assertEquals(1, buffer.getInt(4));
        Int2.Data ints = new Int2(4, 4).getData(buffer);
        ints.putValue(6);
        assertEquals(6, ints.getValue());
        assertEquals(1, ints.getIndex());
        DoubleInt.Data doubles = new DoubleInt(8, 4).getData(buffer);
        doubles.putValue(0.25);
        doubles.putIndex(2);
        assertEquals(0.25, doubles.getValue());
        assertEquals(2, buffer.getInt(8));
    }

    @Test
    void should_refuse_fields_that_overlap_come_late_or_are_too_long() {
        failsWith(ErrorClass.ARG, "52", () -> new Particle().setOffset(52));
        particle.getType();
        failsWith(ErrorClass.ARG, "first use", particle::addInt);
        failsWith(ErrorClass.ARG, "first use", () -> particle.setOffset(100));
        failsWith(ErrorClass.ARG, "-1", () -> new Particle().addInt(-1));
        failsWith(ErrorClass.ARG, "2147483647", () -> new Particle().addLong(1 << 28));
        failsWith(ErrorClass.TYPE, "null", () -> new Particle().addData(null));
    }

    @Test
    void should_find_accesses_of_another_type_when_assertions_are_enabled() {
        Particle.Data data = particle.getData(new byte[56]);
        AssertionError e = assertThrows(AssertionError.class, data::wrong);
        assertEquals("no MPI_DOUBLE at 8, 0", e.getMessage());
    }

    @Test
    void should_access_complex_numbers() {
        double[] array = {1, 2, 3, 4};
        DoubleComplex number = DoubleComplex.get(array, 1);
        number.putImag(5);
        assertEquals(3, number.getReal());
        assertEquals(5, array[3]);
        DoubleBuffer rest = number.getBuffer();
        assertEquals(2, rest.capacity());
        assertEquals(3, rest.get(0));
        ByteBuffer bytes = Buffers.newByteBuffer(16);
        FloatComplex small = FloatComplex.get(bytes, 1);
        small.putReal(-1);
        small.putImag(-2);
        assertEquals(-1f, bytes.getFloat(8));
        assertEquals(-2f, FloatComplex.get(bytes.asFloatBuffer(), 1).getImag());
        assertEquals(0f, FloatComplex.get(new float[2]).getReal());
    }
}
