// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.Failing.failsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import org.junit.jupiter.api.Test;

class LayoutTest {
    private static final Datatype COLUMN = Datatype.Vector(3, 1, 4, Types.INT);

    @Test
    void should_accept_what_fits_exactly() {
        Layout.check(new int[5], 4, 4, Types.INT);
        Layout.check(new int[9], 0, 1, COLUMN);
        Layout.check(new int[18], 0, 2, COLUMN);
        Layout.check(new int[9], 32, 1, Datatype.Vector(3, 1, -4, Types.INT));
        Layout.check(ByteBuffer.allocateDirect(36), 0, 1, COLUMN);
        Layout.check(null, 0, 0, Types.INT);
        Layout.check(new double[0], 0, 7, Datatype.Contiguous(0, Types.INT));
    }

    @Test
    void should_refuse_what_is_one_byte_too_short() {
        failsWith(ErrorClass.BUFFER, "20 bytes", () ->
                Layout.check(new int[5], 8, 4, Types.INT));
        failsWith(ErrorClass.BUFFER, "do not fit", () -> Layout.check(new int[8], 0, 1, COLUMN));
        failsWith(ErrorClass.BUFFER, "do not fit", () -> Layout.check(new int[17], 0, 2, COLUMN));
        failsWith(ErrorClass.BUFFER, "do not fit", () -> Layout.check(new int[9], 28, 1,
                Datatype.Vector(3, 1, -4, Types.INT)));
        failsWith(ErrorClass.BUFFER, "do not fit", () ->
                Layout.check(ByteBuffer.allocateDirect(35), 0, 1, COLUMN));
        failsWith(ErrorClass.BUFFER, "-4", () -> Layout.check(new int[5], -4, 1, Types.INT));
    }

    @Test
    void should_refuse_lengths_that_overflow() {
        int most = Integer.MAX_VALUE;
        Datatype large = Datatype.Vector(2, 1, most, Datatype.Vector(2, 1, most, Types.BYTE));
        failsWith(ErrorClass.BUFFER, "do not fit",
                () -> Layout.check(new byte[8], 0, most, large));
        failsWith(ErrorClass.BUFFER, "do not fit",
                () -> Layout.check(new long[8], Long.MAX_VALUE - 7, 1, Types.LONG));
        failsWith(ErrorClass.BUFFER, "do not fit",
                () -> Layout.check(new long[8], 0, most, Types.LONG));
    }

    @Test
    void should_refuse_counts_and_types_that_are_not_valid() {
        failsWith(ErrorClass.COUNT, "-1", () -> Layout.check(new int[1], 0, -1, Types.INT));
        failsWith(ErrorClass.TYPE, "null", () -> Layout.check(new int[1], 0, 1, null));
        failsWith(ErrorClass.TYPE, "DATATYPE_NULL",
                () -> Layout.check(new int[1], 0, 1, Types.NULL));
        Datatype type = Datatype.createContiguous(1, Types.INT);
        failsWith(ErrorClass.TYPE, "commit()", () -> Layout.check(new int[1], 0, 1, type));
        type.commit();
        Layout.check(new int[1], 0, 1, type);
        type.free();
        failsWith(ErrorClass.TYPE, "freed", () -> Layout.check(new int[1], 0, 1, type));
    }

    @Test
    void should_take_arrays_of_another_kind_as_bytes() {
        Layout.check(new long[1], 0, 2, Types.INT);
        Layout.check(IntBuffer.allocate(1), 0, 1, Types.FLOAT);
        Layout.check(new int[4], 0, 13, Types.PACKED);
        Layout.check(new double[2], 0, 1, Types.DOUBLE_INT);
        failsWith(ErrorClass.BUFFER, "8 bytes",
                () -> Layout.check(new long[1], 0, 3, Types.INT));
        failsWith(ErrorClass.TYPE, "array of objects",
                () -> Layout.check(new int[4], 0, 1, Types.OBJECT));
        Layout.check(new byte[4], 0, 4, Types.PACKED);
        Layout.check(new byte[16], 0, 1, Types.DOUBLE_INT);
        Layout.check(new byte[8], 0, 1, Types.INT2);
        Layout.check(new int[2], 0, 1, Types.INT2);
        Layout.check(new boolean[2], 0, 2, Types.BOOLEAN);
    }

    @Test
    void should_accept_any_type_in_direct_memory() {
        IntBuffer ints = Buffers.newIntBuffer(4);
        Layout.check(ints, 0, 15, Types.BYTE);
        Layout.check(ints, 0, 2, Types.DOUBLE);
        failsWith(ErrorClass.BUFFER, "16 bytes", () -> Layout.check(ints, 0, 17, Types.BYTE));
        Layout.check(ints, 0, 1, Datatype.Vector(2, 1, 2, Types.BYTE));
        Layout.check(ByteBuffer.allocate(8), 0, 1, Types.DOUBLE);
    }

    @Test
    void should_refuse_what_is_no_buffer() {
        failsWith(ErrorClass.BUFFER, "null", () -> Layout.check(null, 0, 1, Types.INT));
        failsWith(ErrorClass.BUFFER, "String", () -> Layout.check("text", 0, 1, Types.CHAR));
        failsWith(ErrorClass.BUFFER, "array of arrays",
                () -> Layout.check(new int[2][2], 0, 1, Types.INT));
        failsWith(ErrorClass.BUFFER, "MPI.OBJECT",
                () -> Layout.check(new Integer[2], 0, 1, Types.INT));
        Layout.check(new int[2][2], 0, 2, Types.OBJECT);
        failsWith(ErrorClass.BUFFER, "2 objects",
                () -> Layout.check(new int[2][2], 1, 2, Types.OBJECT));
    }

    @Test
    void should_refuse_to_receive_into_read_only_memory() {
        DoubleBuffer buffer = Buffers.newDoubleBuffer(2).asReadOnlyBuffer();
        Layout.check(buffer, 0, 2, Types.DOUBLE);
        failsWith(ErrorClass.BUFFER, "read-only",
                () -> Layout.checkReceive(buffer, 0, 2, Types.DOUBLE));
        Layout.checkReceive(buffer, 0, 0, Types.DOUBLE);
    }

    @Test
    void should_ignore_position_and_limit() {
        IntBuffer buffer = Buffers.newIntBuffer(4);
        buffer.position(3).limit(3);
        Layout.check(buffer, 0, 4, Types.INT);
        assertEquals(16, Layout.capacity(buffer));
        assertEquals(12L << 30, Layout.bytesNeeded(1 << 30, Types.LONG_INT));
    }
}
