// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * One of the NAS Parallel Benchmarks, made for a class and the ranks of a job. Its calls are
 * collective: prepare(), run(), verify(), as often as repetitions are asked for, then close().
 */
interface Benchmark extends AutoCloseable {
    /** Makes one; it throws when the ranks do not fit, on all ranks alike. */
    interface Factory {
        Benchmark create(NasJob job) throws UsageException;
    }

    /** What came out, and what it was compared with; the same on all ranks. */
    record Verification(boolean successful, String detail) {}

    /** As NPB prints it: "1400", "64 x 64 x 64". */
    String size();

    int iterations();

    /** Operations of run() on all ranks, as NPB counts them. */
    double operations();

    /** As NPB prints it: "floating point". */
    String operationType();

    /**
     * Makes the data as they are at the beginning (with an error in them if
     * {@link NasJob#isDamaged()}), and does what NPB does before it starts its clock.
     */
    void prepare();

    /** What NPB measures. Allocates nothing. */
    void run();

    Verification verify();

    @Override
    void close();
}
