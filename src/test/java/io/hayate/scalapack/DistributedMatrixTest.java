// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.ArgumentException;
import io.hayate.ClosedException;
import io.hayate.Element;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The local part of a matrix, without ScaLAPACK. */
class DistributedMatrixTest {
    /** Process (1, 0) of 2 x 2: rows 2, 3, 6 and columns 0, 1, 4, 5. */
    private static final BlockCyclic LAYOUT = BlockCyclic.of(new PlainGrid(2, 2, 1, 0), 7, 7, 2);

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    @ParameterizedTest
    @EnumSource(value = Element.class,
            names = {"INT", "FLOAT", "DOUBLE", "COMPLEX_FLOAT", "COMPLEX_DOUBLE"})
    void should_store_column_by_column(Element element) {
        assertEquals(3 * 4 * element.bytes(), DistributedMatrix.bytes(LAYOUT, element));
        ByteBuffer memory = direct(3 * 4 * element.bytes());
        DistributedMatrix matrix = DistributedMatrix.of(LAYOUT, element, Span.of(memory));
        matrix.fill((i, j) -> 10 * i + j, (i, j) -> -j);
        for (int at = 0; at < 12; at++) {
            int row = new int[] {2, 3, 6}[at % 3];
            int column = new int[] {0, 1, 4, 5}[at / 3];
            int offset = at * element.bytes();
            double value = switch (element) {
                case INT -> memory.getInt(offset);
                case FLOAT, COMPLEX_FLOAT -> memory.getFloat(offset);
                default -> memory.getDouble(offset);
            };
            assertEquals(10 * row + column, value);
            assertEquals(value, matrix.get(row, column));
            assertEquals(element.isComplex() ? -column : 0, matrix.getImaginary(row, column), 0);
        }
    }

    @Test
    void should_refuse_a_type_that_scalapack_does_not_have() {
        String reason = assertThrows(ArgumentException.class, () -> DistributedMatrix.of(
                LAYOUT, Element.LONG, Span.of(direct(3 * 4 * 8)))).reason();
        assertTrue(reason.startsWith("elements of type LONG: expected INT"), reason);
    }

    @Test
    void should_set_only_its_own_elements() {
        ByteBuffer memory = direct(3 * 4 * 8);
        DistributedMatrix matrix = DistributedMatrix.of(LAYOUT, Element.DOUBLE, Span.of(memory));
        for (int i = 0; i < 7; i++) {
            for (int j = 0; j < 7; j++) {
                matrix.set(i, j, 1);
            }
        }
        for (int at = 0; at < 12; at++) {
            assertEquals(1, memory.getDouble(8 * at));
        }
        String reason = assertThrows(ArgumentException.class, () -> matrix.get(0, 3)).reason();
        assertTrue(reason.contains("element (0, 3) is on process (0, 1)"), reason);
        assertThrows(ArgumentException.class, () -> matrix.set(7, 0, 1));
        assertThrows(ArgumentException.class, () -> matrix.set(2, 0, 1, 1));
        assertThrows(ArgumentException.class, () -> matrix.fill(null));
    }

    @Test
    void should_view_a_block_in_the_memory_of_the_matrix() {
        ByteBuffer memory = direct(3 * 4 * 8);
        DistributedMatrix matrix = DistributedMatrix.of(LAYOUT, Element.DOUBLE, Span.of(memory));
        matrix.fill((i, j) -> 10 * i + j);
        DistributedMatrix block = matrix.block(3, 1, 4, 4);
        assertEquals(31, block.get(0, 0));
        assertEquals(64, block.get(3, 3));
        block.fill((i, j) -> -10 * i - j);
        assertEquals(0, matrix.get(3, 1));
        assertEquals(-33, matrix.get(6, 4));
        assertEquals(20, matrix.get(2, 0));
        assertEquals(21, matrix.get(2, 1));
        assertEquals(65, matrix.get(6, 5));
        assertEquals(3, block.leadingDimension());
        assertEquals((2 * 3 - 1) * 8, block.span().bytes());
        assertArrayEquals(new int[] {1, 7, 5, 5, 2, 2, 1, 0, 3}, block.descriptor());
        assertEquals(matrix.address(), block.address());
        assertEquals(matrix.address() + (2 + 2 * 3) * 8, block.block(3, 3, 1, 1).address());
        assertEquals(0, matrix.block(0, 0, 2, 2).span().bytes());
    }

    private static void refused(String words, Span memory) {
        String reason = assertThrows(ArgumentException.class,
                () -> DistributedMatrix.of(LAYOUT, Element.DOUBLE, memory)).reason();
        assertTrue(reason.contains(words), reason);
    }

    @Test
    void should_refuse_memory_that_sca_lapack_cannot_use() {
        refused("must not be a Java array", Span.of(new double[12]));
        refused("must not be read-only", Span.of(direct(96).asReadOnlyBuffer()));
        refused("memory of 95 bytes", Span.of(direct(95)));
        refused("not aligned", Span.of(direct(104).position(4)));
        refused("span is null", null);
    }

    @Test
    void should_live_in_the_heap() {
        try (Hayate job = Hayate.initThreads(1).get(0)) {
            long free = job.heapFree();
            DistributedMatrix matrix =
                    DistributedMatrix.allocate(job, LAYOUT, Element.COMPLEX_FLOAT);
            assertEquals(0, matrix.get(2, 0));
            matrix.set(6, 5, 1.5, -2.5);
            HeapSpan memory = (HeapSpan) matrix.span();
            assertEquals(1.5f, memory.getFloat(11 * 8));
            assertEquals(-2.5f, memory.getFloat(11 * 8 + 4));
            matrix.close();
            matrix.close();
            assertEquals(free, job.heapFree());
            assertThrows(ClosedException.class, () -> matrix.get(6, 5));
        }
    }

    @Test
    void should_notice_that_its_memory_is_closed() {
        try (Hayate job = Hayate.initThreads(1).get(0)) {
            HeapSpan memory = job.allocate(96);
            DistributedMatrix matrix = DistributedMatrix.of(LAYOUT, Element.DOUBLE, memory);
            memory.close();
            assertThrows(ClosedException.class, () -> matrix.set(2, 0, 1));
            assertThrows(ClosedException.class, () -> matrix.set(0, 0, 1));
        }
    }
}
