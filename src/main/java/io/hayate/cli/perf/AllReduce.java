// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Reduction;

/** Measures sums to all ranks. */
final class AllReduce extends Sums {
    AllReduce(Hayate job, Fmpl fmpl, Memory in, Memory out) {
        super(job, fmpl, in, out);
    }

    @Override
    void run(int turns) {
        for (int i = 0; i < turns; i++) {
            fmpl.allreduce(receives, Reduction.DOUBLE_SUM);
        }
    }

    @Override
    void check() {
        setTerms();
        fmpl.allreduce(receives, Reduction.DOUBLE_SUM);
        checkSum();
    }
}
