// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import java.util.Random;

/** Numbers that follow from others, and look as if drawn. */
final class Seeds {
    private Seeds() {
    }

    /** The finalizer of MurmurHash3, on both numbers. */
    static long mix(long first, long second) {
        long word = first * 0x9E3779B97F4A7C15L + second;
        word = (word ^ word >>> 33) * 0xFF51AFD7ED558CCDL;
        word = (word ^ word >>> 33) * 0xC4CEB9FE1A85EC53L;
        return word ^ word >>> 33;
    }

    static Random random(long... numbers) {
        long seed = 0;
        for (long number : numbers) {
            seed = mix(seed, number);
        }
        return new Random(seed);
    }

    static boolean percent(Random random, int chance) {
        return random.nextInt(100) < chance;
    }

    @SafeVarargs
    static <T> T oneOf(Random random, T... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
