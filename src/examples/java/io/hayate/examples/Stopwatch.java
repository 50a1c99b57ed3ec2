// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/** Adds up the time between start and stop; of one thread. */
final class Stopwatch {
    private long nanos;
    private long started;

    void start() {
        started = System.nanoTime();
    }

    void stop() {
        nanos += System.nanoTime() - started;
    }

    void reset() {
        nanos = 0;
    }

    double seconds() {
        return nanos * 1e-9;
    }
}
