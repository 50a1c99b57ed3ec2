// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Reduction;
import io.hayate.Span;

/**
 * Up to {@link #MOST} sums over all ranks by one allreduce. Every rank gets the same bits, so that
 * all take the same decisions from them.
 */
final class GlobalSums implements AutoCloseable {
    static final int MOST = 16;

    private final Fmpl fmpl;
    private final HeapSpan memory;
    private final Span[] spans = new Span[MOST + 1];
    private final Stopwatch communication;

    GlobalSums(Hayate job, Fmpl fmpl, Stopwatch communication) {
        this.fmpl = fmpl;
        this.communication = communication;
        memory = job.allocate((long) MOST * Double.BYTES);
        for (int count = 1; count <= MOST; count++) {
            spans[count] = memory.slice(0, (long) count * Double.BYTES);
        }
    }

    /** Sets this rank's part of sum i. */
    void set(int i, double part) {
        memory.putDouble((long) i * Double.BYTES, part);
    }

    /** Makes the first `count` parts sums. Collective. */
    void sum(int count) {
        reduce(count, Reduction.DSUM);
    }

    /** Makes the first `count` parts, none negative, their maximum. Collective. */
    void max(int count) {
        reduce(count, Reduction.DMAX);
    }

    double get(int i) {
        return memory.getDouble((long) i * Double.BYTES);
    }

    @Override
    public void close() {
        memory.close();
    }

    private void reduce(int count, Reduction reduction) {
        communication.start();
        fmpl.allreduce(spans[count], reduction);
        communication.stop();
    }
}
