// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import java.util.stream.LongStream;

/** How many of the possible cases a run of the tests covers. */
public final class Level {
    /** Tests may take long: {@code scripts/test.sh --full} sets HAYATE_TEST_LONG=1. */
    public static boolean isLong() {
        return "1".equals(System.getenv("HAYATE_TEST_LONG"));
    }

    /** Seeds of a random test: {@code few}, or {@code all} where tests may take long. */
    public static LongStream seeds(int few, int all) {
        return LongStream.rangeClosed(1, isLong() ? all : few);
    }
}
