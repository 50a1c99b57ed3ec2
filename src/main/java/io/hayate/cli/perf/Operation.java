// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Span;
import io.hayate.cli.CommandFailure;

/**
 * An operation to measure, as one rank performs it. Each has a separate loop, so that the compiler
 * sees plain calls in it; loops allocate nothing.
 */
abstract class Operation {
    final Fmpl fmpl;
    final int rank;
    final int size;
    final Memory in;
    final Memory out;
    int bytes;
    Span receives;
    Span sends;

    Operation(Hayate job, Fmpl fmpl, Memory in, Memory out) {
        this.fmpl = fmpl;
        this.rank = job.rank();
        this.size = job.size();
        this.in = in;
        this.out = out;
    }

    static Operation of(Plan plan, Hayate job, Fmpl fmpl) {
        if (plan.bench() == Bench.RATE) {
            return new MessageRate(plan, job, fmpl);
        }
        Memory in = Memory.of(job, plan.buffers(), plan.room());
        Memory out = Memory.of(job, plan.buffers(), plan.room());
        return switch (plan.bench()) {
            case EXCHANGE -> new Exchange(job, fmpl, in, out);
            case BCAST -> new Broadcast(job, fmpl, in, out);
            case HBCAST -> new HardwareBroadcast(job, fmpl, in, out);
            case REDUCE -> new Reduce(job, fmpl, in, out);
            case ALLREDUCE -> new AllReduce(job, fmpl, in, out);
            case BARRIER -> new Barrier(job, fmpl, in, out);
            default -> new PingPong(job, fmpl, in, out);
        };
    }

    void size(int bytes) {
        this.bytes = bytes;
        receives = in.span(0, bytes);
        sends = out.span(0, bytes);
    }

    /** Performs a number of turns. */
    abstract void run(int turns);

    /** Performs one turn and checks its data, before anything is timed. */
    abstract void check();

    /** Returns the shortest time of a batch. */
    long batchNanos() {
        return 100_000;
    }

    /** Clears the data after the check: sums of zeros stay zero. */
    void clear() {
        in.fill(0, bytes, 0);
        out.fill(0, bytes, 0);
    }

    final void expect(boolean right, String what) {
        if (!right) {
            throw new CommandFailure(
                    "rank " + rank + " has wrong data after " + what + " of " + bytes + " bytes");
        }
    }
}
