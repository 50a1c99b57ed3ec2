// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hayate.ArgumentException;
import io.hayate.CollOptions;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.junit.Ranks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In a job of one rank, inside this JVM. */
@Tag("example")
@Ranks(1)
class DistributedFftTest {
    private static final int POINTS = 8;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void should_agree_with_the_definition_in_three_dimensions(int batches, Hayate job, Fmpl fmpl) {
        double[] values = FftTest.random(POINTS * POINTS * POINTS, 5);
        double[] coefficients = new double[values.length];
        double[] back = roundTrip(job, fmpl, values, coefficients, batches);
        Fft axis = new Fft(POINTS);
        for (int i = 0; i < values.length / 2; i += 7) {
            double[] expected = coefficient(values, axis.waveNumber(i % POINTS),
                    axis.waveNumber(i / POINTS % POINTS), axis.waveNumber(i / POINTS / POINTS));
            assertEquals(expected[0], coefficients[2 * i], 1e-12);
            assertEquals(expected[1], coefficients[2 * i + 1], 1e-12);
        }
        assertArrayEquals(values, back, 1e-14);
    }

    @Test
    void should_do_the_same_bits_whatever_the_batches(Hayate job, Fmpl fmpl) {
        double[] values = FftTest.random(POINTS * POINTS * POINTS, 6);
        double[] whole = new double[values.length];
        double[] parts = new double[values.length];
        assertArrayEquals(roundTrip(job, fmpl, values, whole, 1),
                roundTrip(job, fmpl, values, parts, 4));
        assertArrayEquals(whole, parts);
    }

    @Test
    void should_refuse_an_algorithm_that_there_is_not(Hayate job, Fmpl fmpl) {
        ArgumentException e = assertThrows(ArgumentException.class, () -> new DistributedFft(job,
                fmpl, new Slabs(POINTS, 1, 1), CollOptions.AUTO.algorithm("no"),
                new Stopwatch()));
        assertEquals(true, e.reason().contains("no algorithm \"no\""), e.reason());
    }

    /** The field after a transform there and back, x fastest; its coefficients in their order. */
    private double[] roundTrip(Hayate job, Fmpl fmpl, double[] values,
            double[] coefficients, int batches) {
        double[] back = new double[values.length];
        try (DistributedFft fft = new DistributedFft(job, fmpl, new Slabs(POINTS, 1, batches),
                CollOptions.AUTO, new Stopwatch())) {
            fft.begin((plane, z) -> {
                for (int y = 0; y < POINTS; y++) {
                    System.arraycopy(values, at(y, z), plane, y * fft.pitch(), 2 * POINTS);
                }
            });
            fft.spectrum((pencil, x, y) -> {
                for (int z = 0; z < POINTS; z++) {
                    coefficients[at(y, z) + 2 * x] = pencil[2 * z];
                    coefficients[at(y, z) + 2 * x + 1] = pencil[2 * z + 1];
                }
            });
            fft.end((plane, z) -> {
                for (int y = 0; y < POINTS; y++) {
                    for (int i = 0; i < 2 * POINTS; i++) {
                        back[at(y, z) + i] =
                                plane[y * fft.pitch() + i] / (POINTS * POINTS * POINTS);
                    }
                }
            });
        }
        return back;
    }

    private static int at(int y, int z) {
        return 2 * POINTS * (z * POINTS + y);
    }

    private static double[] coefficient(double[] values, int kx, int ky, int kz) {
        double re = 0;
        double im = 0;
        for (int i = 0; i < values.length / 2; i++) {
            int turns = i % POINTS * kx + i / POINTS % POINTS * ky + i / POINTS / POINTS * kz;
            double angle = -2 * Math.PI * Math.floorMod(turns, POINTS) / POINTS;
            re += values[2 * i] * Math.cos(angle) - values[2 * i + 1] * Math.sin(angle);
            im += values[2 * i] * Math.sin(angle) + values[2 * i + 1] * Math.cos(angle);
        }
        return new double[] {re, im};
    }
}
