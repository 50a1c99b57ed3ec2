// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.Failing.failsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

class CountingTest {
    private static final Datatype STRUCT = Datatype.createStruct(new int[] {1, 3},
            new int[] {0, 8}, new Datatype[] {Types.BYTE, Types.DOUBLE});

    @Test
    void should_count_whole_elements_only() {
        assertEquals(3, Counting.count(12, Types.INT));
        assertEquals(Counting.UNDEFINED, Counting.count(13, Types.INT));
        assertEquals(2, Counting.count(50, STRUCT));
        assertEquals(Counting.UNDEFINED, Counting.count(26, STRUCT));
        assertEquals(0, Counting.count(0, Datatype.Contiguous(0, Types.INT)));
        assertEquals(Counting.UNDEFINED, Counting.count(1, Datatype.Contiguous(0, Types.INT)));
        assertEquals(Counting.UNDEFINED, Counting.count(1L << 31, Types.BYTE));
        failsWith(ErrorClass.TYPE, "null", () -> Counting.count(0, null));
    }

    @Test
    void should_count_primitive_elements_of_mixed_structs() {
        assertEquals(0, Counting.elements(0, STRUCT));
        assertEquals(1, Counting.elements(1, STRUCT));
        assertEquals(2, Counting.elements(9, STRUCT));
        assertEquals(Counting.UNDEFINED, Counting.elements(10, STRUCT));
        assertEquals(5, Counting.elements(26, STRUCT));
        assertEquals(4_000_000_000L,
                Counting.elementsX(25_000_000_000L, STRUCT));
        assertEquals(6, Counting.elements(18, Types.SHORT_INT));
        assertEquals(12, Counting.elements(48, Datatype.Vector(3, 2, 4, Types.INT)));
    }

    @Test
    void should_find_the_bytes_of_elements() {
        assertEquals(26, Counting.bytes(5, STRUCT));
        assertEquals(9, Counting.bytes(2, STRUCT));
        failsWith(ErrorClass.COUNT, "-1", () -> Counting.bytes(-1, STRUCT));
        failsWith(ErrorClass.COUNT, "2^63", () -> Counting.bytes(Long.MAX_VALUE, STRUCT));
    }

    @Test
    void should_compare_counts() {
        Count count = new Count(5_000_000_000L);
        assertEquals(new Count(5_000_000_000L), count);
        assertEquals(new Count(5_000_000_000L).hashCode(), count.hashCode());
        assertNotEquals(count, new Count(5));
        assertEquals(1, count.compareTo(new Count(5)));
        count.setCount(5);
        assertEquals(0, count.compareTo(new Count(5)));
        assertEquals(-1, new Count(Long.MIN_VALUE).compareTo(new Count(Long.MAX_VALUE)));
        assertEquals("5", count.toString());
    }
}
