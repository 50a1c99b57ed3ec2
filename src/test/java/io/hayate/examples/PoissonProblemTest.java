// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("example")
class PoissonProblemTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 6})
    void should_be_symmetric(int side) {
        CsrMatrix matrix = whole(side);
        for (int row = 0; row < matrix.rows(); row++) {
            for (int k = matrix.rowPointers()[row]; k < matrix.rowPointers()[row + 1]; k++) {
                int mirror = matrix.find(matrix.columns()[k], row);
                assertTrue(mirror >= 0, "row " + row);
                assertEquals(matrix.values()[k], matrix.values()[mirror]);
            }
        }
    }

    /** Irreducible, diagonally dominant and strictly so at the border: positive definite. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 6})
    void should_have_row_sums_of_zero_inside_and_above_at_the_border(int side) {
        CsrMatrix matrix = whole(side);
        for (int row = 0; row < matrix.rows(); row++) {
            int entries = matrix.rowPointers()[row + 1] - matrix.rowPointers()[row];
            double sum = Arrays.stream(matrix.values(), matrix.rowPointers()[row],
                    matrix.rowPointers()[row + 1]).sum();
            assertEquals(27 - entries, sum);
            assertEquals(26, matrix.values()[matrix.find(row, row)]);
        }
    }

    @Test
    void should_have_full_rows_inside_and_eight_entries_in_a_corner() {
        CsrMatrix matrix = whole(5);
        assertEquals(8, matrix.rowPointers()[1]);
        int centre = (2 * 5 + 2) * 5 + 2;
        assertEquals(27, matrix.rowPointers()[centre + 1] - matrix.rowPointers()[centre]);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void should_count_nonzeros_without_building_rows(int side) {
        PoissonProblem problem = new PoissonProblem(side);
        CsrMatrix matrix = whole(side);
        for (int row = 0; row <= problem.rows(); row++) {
            assertEquals(matrix.rowPointers()[row], problem.nonzerosBefore(row), "row " + row);
        }
    }

    @Test
    void should_count_nonzeros_beyond_ints() {
        PoissonProblem problem = new PoissonProblem(PoissonProblem.MOST_SIDE);
        long line = 3L * PoissonProblem.MOST_SIDE - 2;
        assertEquals(line * line * line, problem.nonzeros());
    }

    @Test
    void should_give_the_same_rows_in_blocks() {
        PoissonProblem problem = new PoissonProblem(4);
        CsrMatrix whole = whole(4);
        for (int rank = 0; rank < 3; rank++) {
            RowBlock block = problem.block(rank, 3);
            int from = whole.rowPointers()[block.firstRow()];
            int to = whole.rowPointers()[block.firstRow() + block.rows()];
            assertArrayEquals(Arrays.copyOfRange(whole.columns(), from, to),
                    block.matrix().columns());
            assertArrayEquals(Arrays.copyOfRange(whole.values(), from, to),
                    block.matrix().values());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1291})
    void should_refuse_sides_out_of_range(int side) {
        assertThrows(IllegalArgumentException.class, () -> new PoissonProblem(side));
    }

    private static CsrMatrix whole(int side) {
        return new PoissonProblem(side).block(0, 1).matrix();
    }
}
