// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.util.Arrays;

/** How long each step of a loop takes; a few slow ones, while the JVM warms up, do not count. */
final class StepTimes {
    private final long[] nanos;
    private int steps;
    private long began;

    StepTimes(int most) {
        nanos = new long[most];
    }

    void begin() {
        began = System.nanoTime();
    }

    void end() {
        nanos[steps++] = System.nanoTime() - began;
    }

    double seconds() {
        return Arrays.stream(nanos, 0, steps).sum() * 1e-9;
    }

    double medianSeconds() {
        long[] sorted = Arrays.copyOf(nanos, steps);
        Arrays.sort(sorted);
        return sorted[steps / 2] * 1e-9;
    }
}
