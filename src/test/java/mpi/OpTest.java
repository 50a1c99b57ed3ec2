// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class OpTest {
    private static final UserFunction NOTHING = new UserFunction() { };

    /** Combines arrays in the order of their ranks. */
    private static void combine(Op op, Datatype type, int count, Object result, Object... data) {
        Operands operands = new Operands(op, Block.of(result, count, type), data.length);
        for (int i = 0; i < data.length; i++) {
            Block.of(data[i], count, type).copyTo(operands.room(i));
        }
        operands.store(Block.of(result, count, type));
    }

    @Test
    void should_combine_integers_without_widening_them() {
        byte[] bytes = new byte[2];
        combine(Ops.SUM, Types.BYTE, 2, bytes, new byte[] {127, 1}, new byte[] {1, 2});
        assertArrayEquals(new byte[] {-128, 3}, bytes);
        char[] chars = new char[1];
        combine(Ops.MAX, Types.CHAR, 1, chars, new char[] {0x8000}, new char[] {0x7fff});
        assertEquals(0x8000, chars[0]);
        long[] longs = new long[1];
        combine(Ops.BXOR, Types.LONG, 1, longs, new long[] {-1}, new long[] {1L << 40});
        assertEquals(~(1L << 40), longs[0]);
    }

    @Test
    void should_propagate_nan_and_order_zeros() {
        double[] result = new double[2];
        combine(Ops.MIN, Types.DOUBLE, 2, result, new double[] {Double.NaN, 0.0},
                new double[] {1, -0.0});
        assertArrayEquals(new double[] {Double.NaN, -0.0}, result);
    }

    @Test
    void should_find_the_smallest_location_of_pairs_of_two_types() {
        ByteBuffer result = ByteBuffer.allocateDirect(16);
        Operands operands = new Operands(Ops.MAXLOC, Block.of(result, 1, Types.DOUBLE_INT), 3);
        double[] values = {2.5, 7.5, 7.5};
        int[] locations = {1, 9, 4};
        for (int i = 0; i < 3; i++) {
            ByteBuffer room = (ByteBuffer) operands.room(i).buf();
            room.putDouble(0, values[i]).putInt(8, locations[i]);
        }
        operands.store(Block.of(result, 1, Types.DOUBLE_INT));
        result.order(ByteOrder.nativeOrder());
        assertEquals(7.5, result.getDouble(0));
        assertEquals(4, result.getInt(8));
    }

    @Test
    void should_call_a_function_with_lower_ranks_on_the_left() {
        Op minus = new Op(new UserFunction() {
            @Override
            public void call(Object in, Object inOut, int count, Datatype type) {
                ((int[]) inOut)[0] = 10 * ((int[]) in)[0] - ((int[]) inOut)[0];
            }
        }, false);
        int[] result = new int[1];
        combine(minus, Types.INT, 1, result, new int[] {3}, new int[] {2}, new int[] {1});
        assertEquals(30 - (20 - 1), result[0]);
    }

    @Test
    void should_refuse_datatypes_that_an_operation_does_not_combine() {
        Refused.with(ErrorClass.OP, () -> Op.check(Ops.SUM, Types.BOOLEAN));
        Refused.with(ErrorClass.OP, () -> Op.check(Ops.SUM, Types.OBJECT));
        Refused.with(ErrorClass.OP, () -> Op.check(Ops.BAND, Types.FLOAT));
        Refused.with(ErrorClass.OP, () -> Op.check(Ops.MAXLOC, Types.INT));
        Refused.with(ErrorClass.OP, () -> Op.check(Ops.MAX, Types.INT2));
        Refused.with(ErrorClass.OP, () -> Op.check(Ops.MAX, Types.DOUBLE_COMPLEX));
        Refused.with(ErrorClass.OP, () -> Op.check(Ops.REPLACE, Types.INT));
        Refused.with(ErrorClass.OP, () -> Op.check(null, Types.INT));
        Refused.with(ErrorClass.TYPE, () -> Op.check(Ops.SUM, null));
        Op.check(Ops.LAND, Types.BOOLEAN);
        Op.check(new Op(NOTHING, true), Types.OBJECT);
    }

    @Test
    void should_refuse_a_datatype_with_data_before_its_beginning_for_functions() {
        Datatype before = Datatype.createIndexed(new int[] {1}, new int[] {-1}, Types.INT);
        before.commit();
        Refused.with(ErrorClass.TYPE, () -> new Operands(new Op(NOTHING, true),
                new Block(new int[2], 4, 1, before), 2));
    }

    @Test
    void should_free_only_operations_of_the_program() {
        Refused.with(ErrorClass.OP, Ops.MAX::free);
        assertFalse(Ops.MAX.isNull());
        Op own = new Op(NOTHING, true);
        assertTrue(own.isCommutative());
        own.free();
        assertTrue(own.isNull());
        Refused.with(ErrorClass.OP, () -> Op.check(own, Types.INT));
        Refused.with(ErrorClass.OP, own::free);
    }

    @Test
    void should_say_what_a_function_lacks_or_why_it_failed() {
        Refused.with(ErrorClass.ARG, () -> new Op((UserFunction) null, true));
        Refused.with(ErrorClass.ARG, () -> new Op((User_function) null, true, 3));
        int[] one = {1};
        Refused.with(ErrorClass.OP,
                () -> combine(new Op(NOTHING, true), Types.INT, 1, one, one, one));
        Op failing = new Op(new UserFunction() {
            @Override
            public void call(Object in, Object inOut, int count, Datatype type) {
                throw new IllegalStateException("no sum");
            }
        }, true);
        Failing.failsWith(ErrorClass.OTHER, "no sum",
                () -> combine(failing, Types.INT, 1, one, one, one));
    }
}
