// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("example")
class FftTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 64, 256})
    void should_agree_with_the_definition(int points) {
        Fft fft = new Fft(points);
        double[] values = random(points, points);
        double[] coefficients = values.clone();
        fft.forward(coefficients, 0);
        for (int place = 0; place < points; place++) {
            double[] expected = coefficient(values, fft.waveNumber(place));
            assertEquals(expected[0], coefficients[2 * place], 1e-14 * points);
            assertEquals(expected[1], coefficients[2 * place + 1], 1e-14 * points);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 128, 1024})
    void should_give_back_what_was_transformed_times_the_points(int points) {
        Fft fft = new Fft(points);
        double[] values = random(points, 3);
        double[] back = values.clone();
        fft.forward(back, 0);
        fft.inverse(back, 0);
        for (int i = 0; i < back.length; i++) {
            assertEquals(values[i], back[i] / points, 1e-14);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16})
    void should_have_each_wave_number_once(int points) {
        Fft fft = new Fft(points);
        boolean[] seen = new boolean[points];
        for (int place = 0; place < points; place++) {
            int number = fft.waveNumber(place);
            assertTrue(number >= -points / 2 && number < Math.max(points / 2, 1), "" + number);
            seen[Math.floorMod(number, points)] = true;
        }
        for (boolean each : seen) {
            assertTrue(each);
        }
    }

    @Test
    void should_leave_what_stands_beside_alone() {
        double[] alone = random(16, 5);
        double[] within = random(48, 7);
        double[] before = within.clone();
        System.arraycopy(alone, 0, within, 32, 32);
        Fft fft = new Fft(16);
        fft.forward(alone, 0);
        fft.forward(within, 32);
        for (int i = 0; i < within.length; i++) {
            assertEquals(i >= 32 && i < 64 ? alone[i - 32] : before[i], within[i]);
        }
    }

    @Test
    void should_do_the_same_bits_each_time() {
        double[] first = random(64, 11);
        double[] second = first.clone();
        new Fft(64).forward(first, 0);
        new Fft(64).forward(second, 0);
        assertArrayEquals(first, second);
    }

    @ParameterizedTest
    @ValueSource(ints = {-8, 0, 3, 48})
    void should_refuse_other_than_powers_of_two(int points) {
        assertThrows(IllegalArgumentException.class, () -> new Fft(points));
    }

    static double[] random(int points, long seed) {
        return new Random(seed).doubles(2L * points, -1, 1).toArray();
    }

    /** By the definition. */
    private static double[] coefficient(double[] values, int number) {
        int points = values.length / 2;
        double re = 0;
        double im = 0;
        for (int j = 0; j < points; j++) {
            double angle = -2 * Math.PI * Math.floorMod((long) j * number, points) / points;
            re += values[2 * j] * Math.cos(angle) - values[2 * j + 1] * Math.sin(angle);
            im += values[2 * j] * Math.sin(angle) + values[2 * j + 1] * Math.cos(angle);
        }
        return new double[] {re, im};
    }
}
