// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import io.hayate.conformance.Level;

/**
 * How long random tests take, all together, and where they begin: HAYATE_TEST_SECONDS, and
 * HAYATE_TEST_SEED, which every failure names. A usual run begins with the same seed each time, a
 * long one with another.
 */
final class Amount {
    private static final double USUAL = 24;
    private static final double LONG = 90;

    /** For a test that gets so much of the whole. */
    static String seconds(double share) {
        String given = System.getenv("HAYATE_TEST_SECONDS");
        double all = given != null ? Double.parseDouble(given) : Level.isLong() ? LONG : USUAL;
        return Double.toString(share * all);
    }

    static String seed() {
        String given = System.getenv("HAYATE_TEST_SEED");
        return given != null ? given
                : Long.toString(Level.isLong() ? System.currentTimeMillis() / 1000 : 1);
    }
}
