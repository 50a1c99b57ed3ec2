// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests which type the elements of a span have, and that reductions of other types are refused. */
class SpanElementTest {
    private final Hayate job = Hayate.init();
    private final Fmpl fmpl = Fmpl.init(job);

    @AfterEach
    void close() {
        fmpl.close();
        job.close();
    }

    private static void refused(String text, Executable call) {
        assertEquals(text, assertThrows(ArgumentException.class, call).getMessage());
    }

    @Test
    void should_have_the_type_of_its_array() {
        assertEquals(Element.INT, Span.of(new int[1]).element());
        assertEquals(Element.LONG, Span.of(new long[4], 1, 2).element());
        assertEquals(Element.FLOAT, Span.of(new float[1]).element());
        assertEquals(Element.SHORT, Span.of(new short[1]).element());
        assertEquals(Element.CHAR, Span.of(new char[2], 1, 1).element());
        assertEquals(Element.BOOLEAN, Span.of(new boolean[1]).element());
        assertEquals(Element.DOUBLE, Span.ofRows(new double[2][3], 1, 2).element());
        assertEquals(Element.LONG, Span.ofRows(new long[2][3], 1, 2).element());
    }

    @Test
    void should_have_no_type_over_bytes_buffers_and_the_heap() {
        assertNull(Span.of(new byte[8]).element());
        assertNull(Span.of(ByteBuffer.allocate(8)).element());
        assertNull(Span.of(ByteBuffer.allocateDirect(8)).element());
        assertNull(job.allocate(8).element());
        for (Reduction any : new Reduction[] {Reduction.LONG_SUM, Reduction.DOUBLE_MAX}) {
            fmpl.allreduce(Span.of(new byte[8]), any);
            fmpl.allreduce(job.allocate(8), any);
        }
    }

    @Test
    void should_keep_the_type_in_parts_and_take_another_on_request() {
        Span doubles = job.allocate(64).as(Element.DOUBLE);
        assertEquals(Element.DOUBLE, doubles.slice(8, 8).element());
        assertEquals(Element.DOUBLE, doubles.strided(0, 8, 16, 4).element());
        assertEquals(Element.LONG, doubles.as(Element.LONG).element());
        assertEquals(64, doubles.as(Element.LONG).bytes());
        fmpl.allreduce(doubles.as(Element.LONG), Reduction.LONG_SUM);
        assertThrows(ArgumentException.class, () -> doubles.as(null));
    }

    @Test
    void should_refuse_a_reduction_of_another_type() {
        Span doubles = Span.of(new double[] {1, 2});
        String text = "LONG_SUM over double[]: expected DOUBLE_SUM or another reduction of double,"
                + " or Span.of(long[])";
        refused(text, () -> fmpl.allreduce(doubles, Reduction.LONG_SUM));
        refused(text, () -> fmpl.reduce(doubles, Reduction.LONG_SUM, 0));
        refused(text, () -> fmpl.allreduce(doubles, 0, 1, Reduction.LONG_SUM, fmpl.world()));
        fmpl.allreduce(doubles, Reduction.DOUBLE_SUM); // nothing was broken
    }

    @Test
    void should_refuse_it_in_persistent_collectives_on_either_side() {
        PersistentColl coll = PersistentColl.on(fmpl.world());
        Span ints = Span.of(new int[2]);
        Span heap = job.allocate(8);
        String text = "FLOAT_MAX over int[]: expected INT_SUM or another reduction of int, or"
                + " Span.of(float[])";
        refused(text, () -> coll.allreduce(ints, Reduction.FLOAT_MAX));
        refused(text, () -> coll.reduce(ints, Reduction.FLOAT_MAX, 0));
        refused(text, () -> coll.reduceScatter(heap, ints, Reduction.FLOAT_MAX));
        refused(text, () -> coll.reduceScatterv(ints, heap, new long[] {2}, Reduction.FLOAT_MAX));
        coll.allreduce(ints, Reduction.INT_MAX).close();
    }

    @Test
    void should_take_complex_numbers_and_pairs_in_arrays_of_their_parts() {
        fmpl.allreduce(Span.of(new double[2]), Reduction.COMPLEX_DOUBLE_SUM);
        fmpl.allreduce(Span.of(new float[2]), Reduction.COMPLEX_FLOAT_PROD);
        fmpl.allreduce(Span.of(new int[2]), Reduction.INT_MAX_LOC);
        Span complex = Span.of(new double[2]).as(Element.COMPLEX_DOUBLE);
        fmpl.allreduce(complex, Reduction.COMPLEX_DOUBLE_SUM);
        refused("DOUBLE_MAX over complex double[]: expected COMPLEX_DOUBLE_SUM or another reduction"
                + " of complex double, or Span.of(double[])",
                () -> fmpl.allreduce(complex, Reduction.DOUBLE_MAX));
        refused("COMPLEX_DOUBLE_SUM over float[]: expected FLOAT_SUM or another reduction of float,"
                + " or Span.of(double[])",
                () -> fmpl.allreduce(Span.of(new float[4]), Reduction.COMPLEX_DOUBLE_SUM));
    }

    @Test
    void should_reduce_arrays_of_small_elements() {
        fmpl.allreduce(Span.of(new short[3]), Reduction.SHORT_PROD);
        fmpl.allreduce(Span.of(new char[3]), Reduction.CHAR_MAX);
        fmpl.allreduce(Span.of(new boolean[3]), Reduction.BOOLEAN_LOR);
        fmpl.allreduce(Span.of(new byte[3]), Reduction.BYTE_SUM);
        fmpl.allreduce(Span.of(new byte[3]), Reduction.BOOLEAN_LXOR);
        refused("SHORT_SUM over char[]: expected CHAR_SUM or another reduction of char, or"
                + " Span.of(short[])",
                () -> fmpl.allreduce(Span.of(new char[3]), Reduction.SHORT_SUM));
        refused("INT_SUM over boolean[]: expected BOOLEAN_LOR or another reduction of boolean, or"
                + " Span.of(int[])",
                () -> fmpl.allreduce(Span.of(new boolean[4]), Reduction.INT_SUM));
    }

    @Test
    void should_leave_types_to_custom_reductions() {
        try (Reduction own = Reduction.of(fmpl, 8, (inout, in, count) -> { })) {
            fmpl.allreduce(Span.of(new double[2]), own);
            fmpl.allreduce(Span.of(new int[2]), own);
            assertNull(own.element());
            assertEquals("custom reduction of elements of 8 bytes", own.toString());
        }
    }

    @Test
    void should_compute_the_layout_of_each_reduction_from_type_and_name() throws Exception {
        for (Element element : Element.values()) {
            String name = element + (element == Element.BOOLEAN ? "_LOR" : "_SUM");
            Reduction some = (Reduction) Reduction.class.getField(name).get(null);
            assertSame(element, some.element());
            assertEquals(element.bytes(), some.elementBytes());
            assertEquals(name, some.toString());
        }
        assertEquals(8, Reduction.SHORT_MIN_LOC.elementBytes());
        assertEquals(4, Reduction.SHORT_MIN_LOC.locationOffset());
        assertEquals(8, Reduction.FLOAT_MAX_LOC.elementBytes());
        assertEquals(16, Reduction.LONG_MIN_LOC.elementBytes());
        assertEquals(12, Reduction.COMPLEX_FLOAT_ABS_MAX_LOC.elementBytes());
        assertEquals(24, Reduction.COMPLEX_DOUBLE_ABS_MIN_LOC.elementBytes());
        assertEquals(16, Reduction.COMPLEX_DOUBLE_ABS_MIN_LOC.locationOffset());
        assertEquals(-1, Reduction.DOUBLE_MAX.locationOffset());
    }

    @Test
    void should_not_take_longs_for_a_type_of_the_blacs() {
        Span span = Span.of(new long[4]);
        String text = "elements of type LONG: expected INT, FLOAT, DOUBLE, COMPLEX_FLOAT or"
                + " COMPLEX_DOUBLE, the types of the BLACS and ScaLAPACK";
        refused(text, () -> Section.of(span, Element.LONG, 2, 2));
        refused(text, Element.LONG::letter);
    }

    @Test
    void should_refuse_offsets_of_elements_that_were_meant_in_elements() {
        Span doubles = Span.of(new double[4]);
        String text = "the data begin 1 bytes behind the beginning of an element: offsets are in"
                + " bytes, not elements; expected a multiple of 8 for DOUBLE";
        Communicator world = fmpl.world();
        refused(text, () -> fmpl.allreduce(doubles, 1, 1, Reduction.DOUBLE_SUM, world));
        refused(text, () -> fmpl.reduce(doubles, 9, 1, Reduction.DOUBLE_SUM, 0, world));
        refused(text, () -> world.allreduce(doubles.slice(1, 8), Reduction.DOUBLE_SUM));
        refused(text, () -> world.scan(doubles.slice(17, 8), Span.of(new double[1]),
                Reduction.DOUBLE_SUM));
        refused(text, () -> PersistentColl.on(world).allreduce(doubles.slice(1, 8),
                Reduction.DOUBLE_SUM));
        refused(text, () -> Section.of(doubles, 1, Element.DOUBLE, 1, 1, 1));
        fmpl.allreduce(doubles, 8, 1, Reduction.DOUBLE_SUM, world);
        fmpl.allreduce(Span.of(new byte[9]), 1, 1, Reduction.DOUBLE_SUM, world);
        fmpl.send(doubles, 1, 3, 0, 0); // messages move bytes
        assertEquals(3, fmpl.recv(doubles, 1, 3, 0, 0));
    }

    @Test
    void should_refuse_blocks_that_were_meant_in_elements() {
        Communicator world = fmpl.world();
        Span in = Span.of(new double[2]);
        Span out = Span.of(new double[4]);
        String not = ": sizes and offsets of blocks are in bytes, not elements; expected a multiple"
                + " of 8 for DOUBLE";
        String size = "sizes[0] is 2" + not;
        String offset = "offsets[0] is 1" + not;
        long[] two = {2};
        long[] bytes = {16};
        long[] one = {1};
        refused(size, () -> world.gatherv(in, out, two, null, 0));
        refused(offset, () -> world.gatherv(in, out, bytes, one, 0));
        refused(size, () -> world.scatterv(out, two, null, in, 0));
        refused(offset, () -> world.iscatterv(out, bytes, one, in, 0));
        refused(size, () -> world.allgatherv(in, out, two, null));
        refused("inSizes[0] is 2" + not, () -> world.alltoallv(in, two, null, out, bytes, null));
        refused("outOffsets[0] is 1" + not,
                () -> world.alltoallv(in, bytes, null, out, bytes, one));
        PersistentColl prepared = PersistentColl.on(world);
        refused(size, () -> prepared.gatherv(in, out, two, null, 0));
        refused(offset, () -> prepared.allgatherv(in, out, bytes, one));
        world.reduceScatterv(in, in.slice(0, 0), new long[] {0}, Reduction.DOUBLE_SUM);
        world.gatherv(Span.of(new byte[2]), Span.of(new byte[2]), two, null, 0);
    }
}
