// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/** Adds up the time between start and stop; of one thread. */
public final class Stopwatch {
    private long nanos;
    private long started;

    public void start() {
        started = System.nanoTime();
    }

    public void stop() {
        nanos += System.nanoTime() - started;
    }

    public void reset() {
        nanos = 0;
    }

    public double seconds() {
        return nanos * 1e-9;
    }
}
