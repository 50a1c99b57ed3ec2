// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.CollOptions;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reduction;
import io.hayate.Span;

/**
 * Up to {@link #MOST} sums over all ranks by one allreduce. Every rank gets the same bits, so that
 * all take the same decisions from them. Sums of a number of parts that was prepared are a
 * persistent collective.
 */
final class GlobalSums implements AutoCloseable {
    static final int MOST = 16;

    private final Fmpl fmpl;
    private final HeapSpan memory;
    private final Span[] spans = new Span[MOST + 1];
    private final PersistentOperation[] prepared = new PersistentOperation[MOST + 1];
    private final Stopwatch communication;

    GlobalSums(Hayate job, Fmpl fmpl, Stopwatch communication) {
        this.fmpl = fmpl;
        this.communication = communication;
        memory = job.allocate((long) MOST * Double.BYTES);
        for (int count = 1; count <= MOST; count++) {
            spans[count] = memory.slice(0, (long) count * Double.BYTES);
        }
    }

    /** Makes sums of `count` parts a persistent collective from now on. Collective. */
    void prepare(int count, CollOptions options) {
        prepared[count] = PersistentColl.on(fmpl.world())
                .allreduce(spans[count], Reduction.DOUBLE_SUM, options);
    }

    /** How sums of `count` parts are done. */
    String describe(int count) {
        return prepared[count] == null ? "allreduce of Fmpl"
                : "persistent " + prepared[count].describe();
    }

    /** Sets this rank's part of sum i. */
    void set(int i, double part) {
        memory.putDouble((long) i * Double.BYTES, part);
    }

    /** Makes the first `count` parts sums. Collective. */
    void sum(int count) {
        communication.start();
        if (prepared[count] == null) {
            fmpl.allreduce(spans[count], Reduction.DOUBLE_SUM);
        } else {
            prepared[count].start();
            prepared[count].await();
        }
        communication.stop();
    }

    /** Makes the first `count` parts, none negative, their maximum. Collective. */
    void max(int count) {
        communication.start();
        fmpl.allreduce(spans[count], Reduction.DOUBLE_ABS_MAX);
        communication.stop();
    }

    double get(int i) {
        return memory.getDouble((long) i * Double.BYTES);
    }

    @Override
    public void close() {
        for (PersistentOperation operation : prepared) {
            if (operation != null) {
                operation.close();
            }
        }
        memory.close();
    }
}
