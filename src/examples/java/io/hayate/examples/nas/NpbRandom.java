// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The random numbers of the NAS Parallel Benchmarks: x' = a x mod 2^46, scaled to (0, 1). Their
 * randlc() does this in halves of doubles; a long holds the product modulo 2^64, of which the low
 * 46 bits are the same.
 */
final class NpbRandom {
    /** 5^13. */
    static final long MULTIPLIER = 1220703125L;
    static final long SEED = 314159265L;

    private static final long MASK = (1L << 46) - 1;
    private static final double SCALE = 0x1p-46;

    private final long multiplier;
    private long state;

    NpbRandom(long seed) {
        this(seed, MULTIPLIER);
    }

    NpbRandom(long seed, long multiplier) {
        this.multiplier = multiplier;
        state = seed;
    }

    /** Draws one: randlc(). */
    double next() {
        state = times(multiplier, state);
        return SCALE * state;
    }

    /** Draws `count` at once: vranlc(). */
    void fill(double[] to, int from, int count) {
        for (int i = from; i < from + count; i++) {
            to[i] = next();
        }
    }

    /** As if that many had been drawn. */
    void skip(long numbers) {
        state = times(power(multiplier, numbers), state);
    }

    /** The seed from which it goes on. */
    long seed() {
        return state;
    }

    void seed(long seed) {
        state = seed;
    }

    /** The multiplier that goes `exponent` steps at once, modulo 2^46. */
    static long power(long multiplier, long exponent) {
        long power = 1;
        long square = multiplier;
        for (long rest = exponent; rest > 0; rest >>= 1) {
            if ((rest & 1) == 1) {
                power = times(power, square);
            }
            square = times(square, square);
        }
        return power;
    }

    /** Modulo 2^46. */
    static long times(long a, long b) {
        return a * b & MASK;
    }
}
