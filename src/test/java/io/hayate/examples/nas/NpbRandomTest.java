// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("example")
class NpbRandomTest {
    private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(46);

    /** The report of NPB defines it by exact arithmetic. */
    @Test
    void should_draw_what_exact_arithmetic_gives() {
        NpbRandom random = new NpbRandom(NpbRandom.SEED);
        BigInteger multiplier = BigInteger.valueOf(5).pow(13);
        BigInteger state = BigInteger.valueOf(314159265);
        for (int i = 0; i < 10_000; i++) {
            state = state.multiply(multiplier).mod(MODULUS);
            assertEquals(state.doubleValue() / MODULUS.doubleValue(), random.next());
            assertEquals(state.longValueExact(), random.seed());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 1000, 65_535})
    void should_skip_as_if_it_had_drawn(long numbers) {
        NpbRandom drawn = new NpbRandom(NpbRandom.SEED);
        NpbRandom skipped = new NpbRandom(NpbRandom.SEED);
        for (long i = 0; i < numbers; i++) {
            drawn.next();
        }
        skipped.skip(numbers);
        assertEquals(drawn.seed(), skipped.seed());
    }

    @Test
    void should_go_on_from_a_seed() {
        NpbRandom first = new NpbRandom(NpbRandom.SEED);
        first.skip(77);
        NpbRandom second = new NpbRandom(1);
        second.seed(first.seed());
        assertEquals(first.next(), second.next());
    }

    @Test
    void should_fill_with_what_it_would_draw_one_by_one() {
        double[] filled = new double[100];
        new NpbRandom(NpbRandom.SEED).fill(filled, 10, 80);
        double[] drawn = new double[100];
        NpbRandom random = new NpbRandom(NpbRandom.SEED);
        for (int i = 10; i < 90; i++) {
            drawn[i] = random.next();
        }
        assertArrayEquals(drawn, filled);
    }

    @Test
    void should_raise_multipliers_exactly() {
        BigInteger multiplier = BigInteger.valueOf(NpbRandom.MULTIPLIER);
        for (long exponent : new long[] {0, 1, 7, 1L << 23, 123_456_789_012L}) {
            assertEquals(multiplier.modPow(BigInteger.valueOf(exponent), MODULUS).longValueExact(),
                    NpbRandom.power(NpbRandom.MULTIPLIER, exponent));
        }
    }
}
