// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Reduction;

/** Measures sums to all ranks. */
final class AllReduce extends Sums {
    AllReduce(Plan plan, Hayate job, Fmpl fmpl, Memory in, Memory out) {
        super(plan, job, fmpl, in, out);
    }

    @Override
    void run(int turns) {
        for (int i = 0; i < turns; i++) {
            turn++;
            lines.write(in, 0, turn);
            fmpl.allreduce(receives, Reduction.DOUBLE_SUM);
            lines.read(in, 0, turn, size);
        }
        checkLines("a reduction");
    }

    @Override
    void check() {
        setTerms();
        fmpl.allreduce(receives, Reduction.DOUBLE_SUM);
        checkSum();
    }
}
