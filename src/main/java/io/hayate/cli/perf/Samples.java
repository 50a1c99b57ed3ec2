// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import java.util.Arrays;

/** Means of batches, in microseconds. Samples beyond the capacity are ignored. */
public final class Samples {
    static final int ROOM = 20_000;
    private static final double NANOS_PER_MICRO = 1000.0;

    private final double[] micros = new double[ROOM];
    private int count;

    /** Forgets all samples. */
    public void clear() {
        count = 0;
    }

    /**
     * Adds a sample.
     *
     * @param nanos time of a batch
     * @param operations of the batch
     */
    public void add(long nanos, double operations) {
        if (count < ROOM) {
            micros[count++] = nanos / operations / NANOS_PER_MICRO;
        }
    }

    /** Returns the number of samples. */
    public int count() {
        return count;
    }

    /** Sorts the samples, before percentiles are taken. */
    public void sort() {
        Arrays.sort(micros, 0, count);
    }

    /** Returns a percentile by nearest rank; call {@link #sort} first. 0 without samples. */
    public double percentile(double percent) {
        int index = (int) (count * percent / 100.0);
        return count == 0 ? 0 : micros[Math.min(index, count - 1)];
    }
}
