// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Span;
import io.hayate.cli.command.CommandFailure;

/**
 * An operation to measure, as one rank performs it. Each has a separate loop, so that the compiler
 * sees plain calls in it; loops allocate nothing.
 */
abstract class Operation {
    final Fmpl fmpl;
    final Lines lines;
    final int rank;
    final int size;
    final Memory in;
    final Memory out;
    int bytes;
    Span receives;
    Span sends;
    /** Counts the turns, so that every message has other data; the same on all ranks. */
    long turn;

    Operation(Plan plan, Hayate job, Fmpl fmpl, Memory in, Memory out) {
        this.fmpl = fmpl;
        this.lines = new Lines(plan.stale());
        this.rank = job.rank();
        this.size = job.size();
        this.in = in;
        this.out = out;
    }

    void size(int bytes) {
        this.bytes = bytes;
        lines.size(bytes);
        receives = in.span(0, bytes);
        sends = out.span(0, bytes);
    }

    /** Performs a number of turns. */
    abstract void run(int turns);

    /** Performs one turn and checks its data, before anything is timed. */
    abstract void check();

    /** Does what a rank does with the data of so many messages, without a message. */
    void work(int turns) {
        for (int i = 0; i < turns; i++) {
            lines.write(out, 0, turn);
            lines.read(out, 0, turn, 1);
        }
    }

    /** Returns the shortest time of a batch. */
    long batchNanos() {
        return 100_000;
    }

    /** Clears the data after the check: sums of zeros stay zero. */
    void clear() {
        in.fill(0, bytes, 0);
        out.fill(0, bytes, 0);
    }

    final void checkLines(String what) {
        expect(lines.right(), what);
    }

    final void expect(boolean right, String what) {
        if (!right) {
            throw new CommandFailure(
                    "rank " + rank + " has wrong data after " + what + " of " + bytes + " bytes");
        }
    }
}
