// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;

/** Measures barriers. */
final class Barrier extends Operation {
    Barrier(Plan plan, Hayate job, Fmpl fmpl, Memory in, Memory out) {
        super(plan, job, fmpl, in, out);
    }

    @Override
    void run(int turns) {
        for (int i = 0; i < turns; i++) {
            fmpl.barrier();
        }
    }

    @Override
    void check() {
        fmpl.barrier();
    }
}
