// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.spark;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reduction;
import java.nio.DoubleBuffer;

/**
 * Sums of vectors over all ranks, by an allreduce that is prepared once. All ranks get the same
 * bits, so they go on alike. Collective over the job; for one thread.
 */
final class SharedSums implements AutoCloseable {
    private final HeapSpan memory;
    private final DoubleBuffer words;
    private final PersistentOperation sum;

    SharedSums(Hayate job, Fmpl fmpl, int length) {
        memory = job.allocate((long) length * Double.BYTES);
        words = memory.doubles();
        sum = PersistentColl.on(fmpl.world()).allreduce(memory, Reduction.DOUBLE_SUM);
    }

    /** Replaces this rank's parts by the sums, and returns them. */
    double[] sum(double[] values) {
        words.put(0, values);
        sum.start();
        sum.await();
        words.get(0, values);
        return values;
    }

    @Override
    public void close() {
        sum.close();
        memory.close();
    }
}
