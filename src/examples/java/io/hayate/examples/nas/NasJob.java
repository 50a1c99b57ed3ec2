// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Reduction;
import io.hayate.Span;
import io.hayate.examples.Stopwatch;

/** The job of a benchmark: ranks, messages, memory, and a stopwatch for waits. */
final class NasJob implements AutoCloseable {
    private final Hayate job;
    private final Fmpl fmpl;
    private final NasOptions options;
    private final Buffers buffers;
    private final Stopwatch communication = new Stopwatch();
    private final double[] number = new double[1];
    private final Span numberSpan = Span.of(number);

    NasJob(Hayate job, Fmpl fmpl, NasOptions options) {
        this.job = job;
        this.fmpl = fmpl;
        this.options = options;
        buffers = new Buffers(job, options.memory());
    }

    int rank() {
        return job.rank();
    }

    int size() {
        return job.size();
    }

    Fmpl fmpl() {
        return fmpl;
    }

    Communicator world() {
        return fmpl.world();
    }

    NasOptions options() {
        return options;
    }

    /** Of the kind of `--memory`; it lasts as long as this object. */
    Buffers buffers() {
        return buffers;
    }

    /** Of this rank's calls that move data or wait. {@link Sum} and {@link AllToAll} use it. */
    Stopwatch communication() {
        return communication;
    }

    /** Does this rank plant the error of `--damage`? */
    boolean isDamaged() {
        return options.damage() && rank() == size() - 1;
    }

    void barrier() {
        fmpl.barrier();
    }

    /** The largest of all ranks' numbers, none negative, on all ranks. Collective. */
    double maximum(double own) {
        number[0] = own;
        fmpl.allreduce(numberSpan, Reduction.DOUBLE_ABS_MAX);
        return number[0];
    }

    /** The sum of all ranks' numbers, on all ranks. Collective. */
    double sum(double own) {
        number[0] = own;
        fmpl.allreduce(numberSpan, Reduction.DOUBLE_SUM);
        return number[0];
    }

    @Override
    public void close() {
        buffers.close();
    }
}
