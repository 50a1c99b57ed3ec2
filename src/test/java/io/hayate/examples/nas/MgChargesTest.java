// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("example")
class MgChargesTest {
    private static final int POINTS = 16;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void should_keep_the_ten_largest_and_their_places(long seed) {
        double[] values = new Random(seed).doubles(1000).toArray();
        MgExtremes extremes = new MgExtremes();
        for (int i = 0; i < values.length; i++) {
            extremes.offer(values[i], i);
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        for (int i = 0; i < MgExtremes.COUNT; i++) {
            assertEquals(sorted[sorted.length - MgExtremes.COUNT + i], extremes.value(i));
            assertEquals(extremes.value(i), values[(int) extremes.place(i)]);
        }
    }

    @Test
    void should_be_at_the_ends_of_one_sequence_of_random_numbers() throws UsageException {
        double[] numbers = new double[POINTS * POINTS * POINTS];
        new NpbRandom(NpbRandom.SEED).fill(numbers, 0, numbers.length);
        double[] sorted = numbers.clone();
        Arrays.sort(sorted);
        double[] field = charges();
        MgBox box = new MgBox(POINTS, POINTS, POINTS);
        for (int i = 0; i < numbers.length; i++) {
            double expected = numbers[i] <= sorted[9] ? -1
                    : numbers[i] >= sorted[sorted.length - 10] ? 1 : 0;
            int row = box.row(i / POINTS % POINTS + 1, i / POINTS / POINTS + 1);
            assertEquals(expected, field[row + i % POINTS + 1]);
        }
        assertEquals(20, IntStream.range(0, field.length).filter(i -> field[i] != 0).count());
    }

    private static double[] charges() throws UsageException {
        MgRanks ranks = MgRanks.of(0, 1);
        double[] field = new double[ranks.box(POINTS).length()];
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job);
                NasJob own = new NasJob(new HayateLibrary(job, fmpl, NasOptions.parse()),
                        NasOptions.parse())) {
            new MgCharges(own, ranks, POINTS).place(field);
        }
        return field;
    }
}
