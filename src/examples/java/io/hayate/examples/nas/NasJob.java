// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.examples.Stopwatch;

/** The job of a benchmark: ranks, messages, memory, and a stopwatch for waits. */
final class NasJob implements AutoCloseable {
    private final NasLibrary library;
    private final NasOptions options;
    private final Stopwatch communication = new Stopwatch();

    /** Takes over the library. */
    NasJob(NasLibrary library, NasOptions options) {
        this.library = library;
        this.options = options;
    }

    int rank() {
        return library.rank();
    }

    int size() {
        return library.size();
    }

    NasLibrary library() {
        return library;
    }

    NasOptions options() {
        return options;
    }

    /** Memory of the kind of `--memory`, zeroed; it lasts as long as this object. */
    Doubles doubles(int count) {
        return library.doubles(count);
    }

    Ints ints(int count) {
        return library.ints(count);
    }

    /** Of this rank's calls that move data or wait. {@link Sum} and {@link AllToAll} use it. */
    Stopwatch communication() {
        return communication;
    }

    /** Does this rank plant the error of `--damage`? */
    boolean isDamaged() {
        return options.damage() && rank() == size() - 1;
    }

    @Override
    public void close() {
        library.close();
    }
}
