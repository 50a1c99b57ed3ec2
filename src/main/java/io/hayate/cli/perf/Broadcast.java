// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;

/**
 * Measures broadcasts; the root moves on with every call, so that no rank can run ahead for long.
 */
final class Broadcast extends Operation {
    Broadcast(Hayate job, Fmpl fmpl, Memory in, Memory out) {
        super(job, fmpl, in, out);
    }

    @Override
    void run(int turns) {
        for (int i = 0; i < turns; i++) {
            fmpl.bcast(receives, i % size);
        }
    }

    @Override
    void check() {
        for (int root = 0; root < size; root++) {
            in.fillPattern(0, bytes, rank);
            fmpl.bcast(receives, root);
            expect(in.hasPattern(0, bytes, root), "the broadcast");
        }
    }
}
