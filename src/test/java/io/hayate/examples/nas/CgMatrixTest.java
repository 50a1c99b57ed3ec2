// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.DoubleBuffer;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("example")
class CgMatrixTest {
    private static final CgProblem PROBLEM = new CgProblem(150, 5, 1, 10, 0);

    @Test
    void should_be_the_weighted_sum_of_outer_products() {
        int size = PROBLEM.rows();
        double[][] expected = new double[size][size];
        CgVectors vectors = new CgVectors(size, PROBLEM.nonzeros());
        for (int i = 0; i < size; i++) {
            double weight = Math.pow(0.1, (double) i / size);
            for (int a = vectors.first(i); a < vectors.first(i + 1); a++) {
                for (int b = vectors.first(i); b < vectors.first(i + 1); b++) {
                    expected[vectors.index(a)][vectors.index(b)] +=
                            weight * vectors.value(a) * vectors.value(b);
                }
            }
            expected[i][i] += 0.1 - PROBLEM.shift();
        }
        for (int column = 0; column < size; column++) {
            double[] unit = new double[size];
            unit[column] = 1;
            double[] product = multiply(1, unit);
            for (int row = 0; row < size; row++) {
                assertEquals(expected[row][column], product[row], 1e-13);
            }
        }
    }

    /** Places are distinct in a vector, and its own is 0.5. */
    @Test
    void should_be_made_of_vectors_with_a_half_at_their_own_place() {
        CgVectors vectors = new CgVectors(PROBLEM.rows(), PROBLEM.nonzeros());
        for (int i = 0; i < PROBLEM.rows(); i++) {
            int own = 0;
            boolean[] seen = new boolean[PROBLEM.rows()];
            for (int element = vectors.first(i); element < vectors.first(i + 1); element++) {
                assertEquals(false, seen[vectors.index(element)]);
                seen[vectors.index(element)] = true;
                own += vectors.index(element) == i && vectors.value(element) == 0.5 ? 1 : 0;
            }
            assertEquals(1, own);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 32})
    void should_be_the_same_matrix_in_blocks(int ranks) {
        double[] vector = new Random(5).doubles(PROBLEM.rows()).toArray();
        assertArrayEquals(multiply(1, vector), multiply(ranks, vector), 1e-12);
    }

    /** As all ranks together would. */
    private static double[] multiply(int ranks, double[] vector) {
        double[] sum = new double[PROBLEM.rows()];
        for (int rank = 0; rank < ranks; rank++) {
            CgGrid grid = CgGrid.of(ranks, rank);
            CgMatrix block = new CgMatrix(PROBLEM, grid);
            double[] part = new double[block.columns()];
            System.arraycopy(vector, grid.firstColumn(PROBLEM.rows(), grid.column()), part, 0,
                    part.length);
            double[] product = new double[block.rows()];
            block.multiply(part, new Doubles(DoubleBuffer.wrap(product), null));
            for (int row = 0; row < product.length; row++) {
                sum[grid.firstRow(PROBLEM.rows(), grid.row()) + row] += product[row];
            }
        }
        return sum;
    }
}
