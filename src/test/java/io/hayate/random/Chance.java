// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import java.util.SplittableRandom;

/** Draws of one thread: sensible ones, and now and then absurd ones. */
final class Chance {
    private static final int ABSURD = 12;
    private static final long[] LONGS = {-1, -8, Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE,
        Integer.MAX_VALUE, 1L << 31, 1L << 32, (1L << 32) + 8, 1L << 40, 1L << 62};
    private static final int[] INTS = {-1, -2, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 20};

    final SplittableRandom random;
    /** Of the thread, from 0: what is its own to write to. */
    final int thread;
    Chance(long seed, int thread) {
        random = new SplittableRandom(seed * 1000 + thread);
        this.thread = thread;
    }

    boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    /** Below the bound, or absurd. */
    int index(int bound) {
        return oneIn(ABSURD) ? INTS[below(INTS.length)] : below(bound);
    }

    /** Of 0 to the bound, or absurd. */
    long offset(long bound) {
        return oneIn(ABSURD) ? LONGS[below(LONGS.length)]
                : oneIn(4) ? bound - below(17) : random.nextLong(bound + 1);
    }

    /** That, or nothing. */
    <T> T orNull(T value) {
        return oneIn(4 * ABSURD) ? null : value;
    }

    @SafeVarargs
    final <T> T of(T... values) {
        return values[below(values.length)];
    }
}
