// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("example")
class FtTransformTest {
    private static final int COLUMNS = 3;
    private static final int PITCH = 2 * COLUMNS + 5;

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 128})
    void should_transform_a_row_as_defined_and_leave_what_is_beside_it(int points) {
        double[] a = random(2 * points + 2);
        double[] before = a.clone();
        FtTransform transform = begun(points);
        transform.forwardRow(a, 1);
        for (int place = 0; place < points; place++) {
            double[] expected = coefficient(before, 1, 1, points, transform.waveNumber(place));
            assertEquals(expected[0], a[1 + place], 1e-13 * points);
            assertEquals(expected[1], a[1 + points + place], 1e-13 * points);
        }
        transform.inverseRow(a, 1);
        assertArrayEquals(scaled(before, 1, 2 * points, points), a, 1e-13 * points);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 128})
    void should_transform_columns_as_defined_and_leave_what_is_beside_them(int points) {
        double[] a = random(PITCH * points);
        double[] before = a.clone();
        FtTransform transform = begun(points);
        transform.forwardColumns(a, 1, PITCH, COLUMNS, COLUMNS);
        for (int place = 0; place < points; place++) {
            for (int column = 0; column < COLUMNS; column++) {
                double[] expected = coefficient(
                        before, 1 + column, PITCH, COLUMNS, transform.waveNumber(place), points);
                int at = 1 + column + place * PITCH;
                assertEquals(expected[0], a[at], 1e-13 * points);
                assertEquals(expected[1], a[at + COLUMNS], 1e-13 * points);
            }
            assertEquals(before[place * PITCH], a[place * PITCH]);
        }
        transform.inverseColumns(a, 1, PITCH, COLUMNS, COLUMNS);
        for (int place = 0; place < points; place++) {
            before = scaled(before, place * PITCH + 1, 2 * COLUMNS, points);
        }
        assertArrayEquals(before, a, 1e-13 * points);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 12})
    void should_refuse_what_is_no_power_of_two_or_too_short(int points) {
        assertThrows(IllegalArgumentException.class, () -> new FtTransform(points));
    }

    private static FtTransform begun(int points) {
        FtTransform transform = new FtTransform(points);
        transform.begin();
        return transform;
    }

    private static double[] coefficient(double[] a, int first, int pitch, int apart, int k) {
        return coefficient(a, first, pitch, apart, k, apart);
    }

    /** The sum over j of a_j exp(-2 pi i j k / points). */
    private static double[] coefficient(
            double[] a, int first, int pitch, int apart, int k, int points) {
        double[] sum = new double[2];
        for (int j = 0; j < points; j++) {
            double angle = -2 * Math.PI * j * k / points;
            double re = a[first + j * pitch];
            double im = a[first + j * pitch + apart];
            sum[0] += re * Math.cos(angle) - im * Math.sin(angle);
            sum[1] += re * Math.sin(angle) + im * Math.cos(angle);
        }
        return sum;
    }

    private static double[] scaled(double[] a, int from, int count, double factor) {
        double[] scaled = a.clone();
        for (int i = from; i < from + count; i++) {
            scaled[i] *= factor;
        }
        return scaled;
    }

    private static double[] random(int count) {
        Random random = new Random(count);
        return DoubleStream.generate(() -> random.nextDouble() - 0.5).limit(count).toArray();
    }
}
