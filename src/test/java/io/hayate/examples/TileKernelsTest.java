// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("example")
class TileKernelsTest {
    private static final int N = 13;

    private static double[] random(long seed) {
        return new Random(seed).doubles(N * N, -1, 1).toArray();
    }

    /** a b^T. */
    private static double[] product(double[] a, double[] b) {
        double[] c = new double[N * N];
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                for (int k = 0; k < N; k++) {
                    c[i * N + j] += a[i * N + k] * b[j * N + k];
                }
            }
        }
        return c;
    }

    private static double[] factored() {
        double[] a = random(1);
        double[] spd = product(a, a);
        for (int i = 0; i < N; i++) {
            spd[i * N + i] += 1;
        }
        TileKernels.factor(spd, N);
        return spd;
    }

    @Test
    void should_factor_what_it_multiplies_to() {
        double[] a = random(1);
        double[] expected = product(a, a);
        for (int i = 0; i < N; i++) {
            expected[i * N + i] += 1;
        }
        double[] l = factored();
        for (int i = 0; i < N; i++) {
            for (int j = i + 1; j < N; j++) {
                assertTrue(l[i * N + j] == 0);
            }
        }
        assertArrayEquals(expected, product(l, l), 1e-13);
    }

    @Test
    void should_solve_with_the_transposed_factor() {
        double[] l = factored();
        double[] x = random(2);
        double[] right = product(x, l);
        TileKernels.solve(l, right, N);
        assertArrayEquals(x, right, 1e-12);
    }

    @Test
    void should_subtract_the_product() {
        double[] a = random(3);
        double[] b = random(4);
        double[] c = product(a, b);
        TileKernels.update(a, b, c, N);
        assertArrayEquals(new double[N * N], c, 1e-14);
    }

    @Test
    void should_refuse_what_is_not_definite() {
        double[] a = new double[N * N];
        a[0] = 1;
        assertTrue(assertThrows(ArithmeticException.class, () -> TileKernels.factor(a, N))
                .getMessage().contains("row 1"));
        a[0] = Double.NaN;
        assertThrows(ArithmeticException.class, () -> TileKernels.factor(a, N));
    }
}
