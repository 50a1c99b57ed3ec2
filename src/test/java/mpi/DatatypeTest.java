// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.Failing.failsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DatatypeTest {
    @Test
    void should_have_the_sizes_of_java() {
        assertEquals(2, Types.CHAR.getByteSize());
        assertEquals(1, Types.BOOLEAN.getByteSize());
        assertEquals(8, Types.DOUBLE.getByteSize());
        assertEquals(1, Types.DOUBLE.getSize());
        assertEquals(1, Types.DOUBLE.Size());
        assertEquals(0, Types.OBJECT.getByteSize());
        assertEquals(1, Types.OBJECT.Extent());
    }

    @Test
    void should_measure_pairs_as_structs_of_c() {
        assertEquals(6, Types.SHORT_INT.getSize());
        assertEquals(8, Types.SHORT_INT.getExtent());
        assertEquals(12, Types.LONG_INT.getSize());
        assertEquals(16, Types.LONG_INT.getExtent());
        assertEquals(12, Types.DOUBLE_INT.getTrueExtent());
        assertEquals(16, Types.DOUBLE_INT.getExtent());
        assertEquals(8, Types.FLOAT_INT.getExtent());
        assertEquals(2, Types.FLOAT_COMPLEX.getExtent());
    }

    @Test
    void should_measure_int2_in_bytes_for_open_mpi_and_in_ints_for_mpijava() {
        assertEquals(8, Types.INT2.getExtent());
        assertEquals(8, Types.INT2.getSize());
        assertEquals(2, Types.INT2.Extent());
        assertEquals(2, Types.INT2.Size());
        assertEquals(5, Types.INT2.baseType);
        assertEquals(2, Types.DOUBLE2.Extent());
        assertEquals(2, Types.DOUBLE2.getExtent());
    }

    @Test
    void should_take_strides_in_extents_bytes_or_array_elements() {
        Datatype vector = Datatype.createVector(3, 2, 5, Types.INT);
        assertEquals(12, vector.getExtent());
        assertEquals(6, vector.getSize());
        assertEquals(12, Datatype.createHVector(3, 2, 20, Types.INT).getExtent());
        assertEquals(12, Datatype.Hvector(3, 2, 5, Types.INT).Extent());
        assertEquals(27, Datatype.createVector(2, 1, 2, Datatype.createVector(2, 1, 8, Types.INT))
                .getExtent());
        assertEquals(11, Datatype.Hvector(2, 1, 2, Datatype.Vector(2, 1, 8, Types.INT)).Extent());
    }

    @Test
    void should_take_displacements_in_extents_bytes_or_array_elements() {
        int[] lengths = {1, 2};
        Datatype pair = Datatype.createContiguous(2, Types.INT);
        assertEquals(10, Datatype.createIndexed(lengths, new int[] {0, 3}, pair).getExtent());
        assertEquals(7, Datatype.createHIndexed(lengths, new int[] {0, 12}, pair).getExtent());
        assertEquals(7, Datatype.Hindexed(lengths, new int[] {0, 3}, pair).Extent());
        assertEquals(10, Datatype.Indexed(lengths, new int[] {0, 3}, pair).Extent());
    }

    @Test
    void should_have_bounds_below_zero() {
        Datatype down = Datatype.createVector(3, 1, -2, Types.LONG);
        assertEquals(-4, down.getLb());
        assertEquals(5, down.getExtent());
        assertEquals(-4, down.Lb());
        assertEquals(1, down.Ub());
        assertEquals(-4, down.getTrueLb());
    }

    @Test
    void should_round_the_extent_of_a_struct_up_to_its_alignment() {
        Datatype struct = Datatype.createStruct(new int[] {1, 1}, new int[] {0, 8},
                new Datatype[] {Types.DOUBLE, Types.BYTE});
        assertEquals(16, struct.getExtent());
        assertEquals(9, struct.getTrueExtent());
        assertEquals(9, struct.getSize());
        assertEquals(9, Datatype.createResized(struct, 0, 9).getExtent());
    }

    @Test
    void should_let_set_bounds_prevail() {
        Datatype wide = Datatype.createResized(Types.INT, -4, 16);
        assertEquals(-1, wide.getLb());
        assertEquals(4, wide.getExtent());
        assertEquals(1, wide.getTrueExtent());
        Datatype three = Datatype.createContiguous(3, wide);
        assertEquals(12, three.getExtent());
        assertEquals(9, three.getTrueExtent());
        Datatype marked = Datatype.Struct(new int[] {1, 2, 1}, new int[] {-1, 0, 6},
                new Datatype[] {Types.LB, Types.FLOAT, Types.UB});
        assertEquals(-1, marked.Lb());
        assertEquals(6, marked.Ub());
        assertEquals(2, marked.Size());
        assertEquals(7, marked.baseType);
    }

    @Test
    void should_be_empty_with_zero_counts() {
        Datatype empty = Datatype.createVector(0, 3, 100, Types.INT);
        empty.commit();
        assertEquals(0, empty.getExtent());
        assertEquals(0, empty.getSize());
        assertEquals(1, Datatype.createStruct(new int[] {0, 1}, new int[] {64, 0},
                new Datatype[] {Types.LONG, Types.BYTE}).getExtent());
        assertTrue(empty.isPlain());
    }

    @Test
    void should_store_a_vector_of_any_length_as_one_piece() {
        Datatype columns = Datatype.createVector(100_000_000, 1, 3, Types.DOUBLE);
        assertEquals(1, columns.map().pieces.length);
        Datatype structs = Datatype.createContiguous(100_000_000, Types.DOUBLE_INT);
        assertEquals(1, structs.map().pieces.length);
        assertEquals(Counting.UNDEFINED,
                Datatype.createContiguous(1 << 30, columns).getExtent());
    }

    @Test
    void should_be_plain_only_if_it_is_one_block_and_committed() {
        assertTrue(Types.INT.isPlain());
        assertTrue(Types.FLOAT_COMPLEX.isPlain());
        assertFalse(Types.DOUBLE_INT.isPlain());
        assertFalse(Types.OBJECT.isPlain());
        Datatype block = Datatype.createVector(4, 2, 2, Types.INT);
        assertFalse(block.isPlain());
        block.commit();
        assertTrue(block.isPlain());
        assertEquals(32, block.bytes);
        block.free();
        assertFalse(block.isPlain());
        Datatype shifted = Datatype.createIndexed(new int[] {1}, new int[] {1}, Types.INT);
        shifted.commit();
        assertFalse(shifted.isPlain());
        assertTrue(Datatype.Contiguous(3, Types.CHAR).isPlain());
    }

    @Test
    void should_combine_kinds() {
        Datatype same = Datatype.createStruct(new int[] {1, 1}, new int[] {0, 4},
                new Datatype[] {Types.INT, Types.INT2});
        assertEquals(Kind.INT, same.kind);
        assertEquals(12, same.getExtent());
        Datatype mixed = Datatype.createStruct(new int[] {1, 1}, new int[] {0, 8},
                new Datatype[] {Types.BYTE, Types.DOUBLE_INT});
        assertEquals(Kind.MIXED, mixed.kind);
        assertEquals(1, mixed.getType());
        assertEquals(Kind.DOUBLE_INT, Datatype.createContiguous(2, Types.DOUBLE_INT).kind);
    }

    @Test
    void should_refuse_arguments_that_are_not_valid() {
        failsWith(ErrorClass.COUNT, "-1", () -> Datatype.createContiguous(-1, Types.INT));
        failsWith(ErrorClass.COUNT, "-2", () -> Datatype.createVector(1, -2, 1, Types.INT));
        failsWith(ErrorClass.COUNT, "-3", () -> Datatype.createIndexed(new int[] {-3},
                new int[1], Types.INT));
        failsWith(ErrorClass.ARG, "differ in length",
                () -> Datatype.Hindexed(new int[1], new int[2], Types.INT));
        failsWith(ErrorClass.ARG, "null", () -> Datatype.createStruct(new int[1], null,
                new Datatype[] {Types.INT}));
        failsWith(ErrorClass.TYPE, "null", () -> Datatype.createContiguous(1, null));
        failsWith(ErrorClass.TYPE, "DATATYPE_NULL", () -> new Datatype().getSize());
        failsWith(ErrorClass.TYPE, "null", () -> Datatype.createStruct(new int[1], new int[1],
                new Datatype[1]));
        failsWith(ErrorClass.TYPE, "one primitive type", () -> Datatype.Struct(
                new int[] {1, 1}, new int[2], new Datatype[] {Types.INT, Types.FLOAT}));
        Datatype.Struct(new int[] {1, 0}, new int[2], new Datatype[] {Types.INT, Types.FLOAT});
        int most = Integer.MAX_VALUE;
        Datatype large = Datatype.createVector(most, 1, most, Types.BYTE);
        failsWith(ErrorClass.ARG, "2^63", () -> Datatype.createVector(2, 1, most, large));
        failsWith(ErrorClass.ARG, "2^63", () -> Datatype.createIndexed(new int[] {1},
                new int[] {most}, large));
    }

    @Test
    void should_be_null_after_free_and_leave_others_as_they_are() {
        Datatype type = Datatype.createContiguous(2, Types.INT);
        Datatype twice = Datatype.createContiguous(2, type);
        type.free();
        assertTrue(type.isNull());
        assertEquals(4, twice.getExtent());
        failsWith(ErrorClass.TYPE, "freed", type::free);
        failsWith(ErrorClass.TYPE, "freed", type::commit);
        failsWith(ErrorClass.TYPE, "freed", type::dup);
        failsWith(ErrorClass.TYPE, "predefined", Types.INT::free);
        assertFalse(Types.INT.isNull());
        assertTrue(Types.NULL.isNull());
    }

    @Test
    void should_duplicate_what_messages_see() {
        Datatype type = Datatype.createVector(2, 1, 3, Types.INT);
        failsWith(ErrorClass.TYPE, "commit()", () -> Datatype.usable(type.dup()));
        type.commit();
        type.setName("columns");
        Datatype copy = type.clone();
        assertEquals(4, copy.getExtent());
        assertEquals("", copy.getName());
        type.free();
        assertEquals(copy, Datatype.usable(copy));
    }

    @Test
    void should_have_names_and_attributes() {
        assertEquals("MPI_DOUBLE_INT", Types.DOUBLE_INT.getName());
        Datatype type = Datatype.createContiguous(2, Types.INT);
        assertNotNull(type.toString());
        failsWith(ErrorClass.ARG, "null", () -> type.setName(null));
        int key = Datatype.createKeyval();
        assertNull(type.getAttr(key));
        type.setAttr(key, "a");
        assertEquals("a", type.getAttr(key));
        Datatype copy = type.dup();
        type.deleteAttr(key);
        assertEquals("a", copy.getAttr(key));
        assertNull(type.getAttr(key));
        Datatype.freeKeyval(key);
        type.free();
        failsWith(ErrorClass.TYPE, "freed", () -> type.getAttr(key));
    }
}
