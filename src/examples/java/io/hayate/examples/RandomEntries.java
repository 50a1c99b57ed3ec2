// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/** Numbers between -0.5 and 0.5 that depend on row and column alone: every rank makes its own. */
record RandomEntries(long seed) {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final double SCALE = 0x1p-53;

    double at(int row, int column) {
        long bits = mix(mix(seed + row * GOLDEN) + column * GOLDEN);
        return (bits >>> 11) * SCALE - 0.5;
    }

    /** The finalizer of SplitMix64. */
    private static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
