// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Reduction;

/** Measures sums to a root, which moves on with every call. */
final class Reduce extends Sums {
    Reduce(Plan plan, Hayate job, Fmpl fmpl, Memory in, Memory out) {
        super(plan, job, fmpl, in, out);
    }

    @Override
    void run(int turns) {
        for (int i = 0; i < turns; i++) {
            int root = i % size;
            turn++;
            lines.write(in, 0, turn);
            fmpl.reduce(receives, Reduction.DOUBLE_SUM, root);
            if (rank == root) {
                lines.read(in, 0, turn, size);
            }
        }
        checkLines("a reduction");
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
