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

    /**
     * What run() does, as NPB prints it.
     *
     * @param size such as "1400", "64 x 64 x 64"
     * @param iterations of it
     * @param operations on all ranks
     * @param operationType such as "floating point"
     */
    record Work(String size, int iterations, double operations, String operationType) {}

    /** What came out, and what it was compared with; the same on all ranks. */
    record Verification(boolean successful, String detail) {}

    Work work();

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
