// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;

/**
 * Measures broadcasts; the root moves on with every call, so that no rank can run ahead for long.
 */
class Broadcast extends Operation {
    Broadcast(Plan plan, Hayate job, Fmpl fmpl, Memory in, Memory out) {
        super(plan, job, fmpl, in, out);
    }

    /** One call; all ranks make it. */
    void broadcast(int root) {
        fmpl.bcast(receives, root);
    }

    @Override
    void run(int turns) {
        for (int i = 0; i < turns; i++) {
            int root = i % size;
            turn++;
            if (rank == root) {
                lines.write(in, 0, turn);
            }
            broadcast(root);
            if (rank != root) {
                lines.read(in, 0, turn, 1);
            }
        }
        checkLines("a broadcast");
    }

    @Override
    void check() {
        for (int root = 0; root < size; root++) {
            in.fillPattern(0, bytes, rank);
            broadcast(root);
            expect(in.hasPattern(0, bytes, root), "the broadcast");
        }
    }
}
