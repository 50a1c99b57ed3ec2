// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;

/** Measures broadcasts like {@link Broadcast}, by the fastest method of the machine. */
final class HardwareBroadcast extends Operation {
    HardwareBroadcast(Hayate job, Fmpl fmpl, Memory in, Memory out) {
        super(job, fmpl, in, out);
    }

    @Override
    void run(int turns) {
        for (int i = 0; i < turns; i++) {
            fmpl.hbcast(receives, i % size);
        }
    }

    @Override
    void check() {
        for (int root = 0; root < size; root++) {
            in.fillPattern(0, bytes, rank);
            fmpl.hbcast(receives, root);
            expect(in.hasPattern(0, bytes, root), "the broadcast");
        }
    }
}
