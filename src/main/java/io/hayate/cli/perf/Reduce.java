// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Reduction;

/** Measures sums to a root, which moves on with every call. */
final class Reduce extends Sums {
    Reduce(Hayate job, Fmpl fmpl, Memory in, Memory out) {
        super(job, fmpl, in, out);
    }

    @Override
    void run(int turns) {
        for (int i = 0; i < turns; i++) {
            fmpl.reduce(receives, Reduction.DOUBLE_SUM, i % size);
        }
    }

    @Override
    void check() {
        for (int root = 0; root < size; root++) {
            setTerms();
            fmpl.reduce(receives, Reduction.DOUBLE_SUM, root);
            if (rank == root) {
                checkSum();
            }
        }
    }
}
