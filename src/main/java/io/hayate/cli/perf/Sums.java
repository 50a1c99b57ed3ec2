// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;

/** Measures sums of doubles over all ranks, in place. */
abstract class Sums extends Operation {
    private static final int CYCLE = 7;

    Sums(Plan plan, Hayate job, Fmpl fmpl, Memory in, Memory out) {
        super(plan, job, fmpl, in, out);
    }

    final void setTerms() {
        for (int i = 0; i < bytes / Double.BYTES; i++) {
            in.putDouble(i, rank + 1 + (double) (i % CYCLE));
        }
    }

    final void checkSum() {
        double ranks = size;
        for (int i = 0; i < bytes / Double.BYTES; i++) {
            double sum = ranks * (ranks + 1) / 2 + ranks * (i % CYCLE);
            expect(in.getDouble(i) == sum, "the reduction");
        }
    }
}
